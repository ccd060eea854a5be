import { statement } from '../platform/sql/index.js';

export type ReservationStatus = 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';

export interface ReservationRow {
  id: string;
  userId: string;
  concertId: string;
  scheduleId: string;
  /** JSON: the seats as they were held. */
  seats: string;
  amount: number;
  currency: string;
  /** Which success uses the place up, by the policy under which it was made. */
  consumeOn: 'PAYMENT' | 'RESERVATION';
  status: ReservationStatus;
  createdAtMs: number;
  expiresAtMs: number;
}

export interface LockedSeatRow {
  id: string;
  scheduleId: string;
  label: string;
  grade: string;
  price: number;
  status: 'AVAILABLE' | 'HELD' | 'SOLD';
  reservationId: string | null;
  heldUntilMs: number | null;
  /** How many seats of this date the asking user holds or owns already. */
  ownedCount: number;
}

const COLUMNS = `id, user_id AS "userId", concert_id AS "concertId", schedule_id AS "scheduleId", seats, amount, currency,
  consume_on AS "consumeOn", status, created_at AS "createdAtMs", expires_at AS "expiresAtMs"`;

/** Ordered, so that two who want the same seats in opposite orders wait for each other instead of locking up. */
export const lockSeats = statement<
  [scheduleId: string, seatIds: readonly string[], userId: string, nowMs: number],
  LockedSeatRow
>(
  'lock_seats',
  (dialect) => `SELECT id, schedule_id AS "scheduleId", label, grade, price, status,
     reservation_id AS "reservationId", held_until AS "heldUntilMs",
     (SELECT coalesce(sum(seat_count), 0) FROM reservations WHERE user_id = $3 AND schedule_id = $1
        AND (status = 'CONFIRMED' OR (status = 'HELD' AND expires_at > $4))) AS "ownedCount"
   FROM seats WHERE id ${dialect.anyOf('$2')} ORDER BY id${dialect.forUpdate}`,
);

/** The claim: free, or held by a hold that has run out. Nobody's scheduler is needed for the second. */
export const claimSeats = statement<
  [seatIds: readonly string[], reservationId: string, untilMs: number, nowMs: number]
>(
  'claim_seats',
  (dialect) => `UPDATE seats SET status = 'HELD', reservation_id = $2, held_until = $3
   WHERE id ${dialect.anyOf('$1')} AND (status = 'AVAILABLE' OR (status = 'HELD' AND held_until <= $4))`,
);

export const freeSeats = statement<
  [seatIds: readonly string[], reservationIds: readonly string[]],
  { id: string; scheduleId: string }
>(
  'free_seats',
  (dialect) => `UPDATE seats SET status = 'AVAILABLE', reservation_id = NULL, held_until = NULL
   WHERE id ${dialect.anyOf('$1')} AND status = 'HELD' AND reservation_id ${dialect.anyOf('$2')}
   RETURNING id, schedule_id AS "scheduleId"`,
);

export const sellSeats = statement<[seatIds: readonly string[], reservationId: string, nowMs: number]>(
  'sell_seats',
  (dialect) => `UPDATE seats SET status = 'SOLD', held_until = NULL
   WHERE id ${dialect.anyOf('$1')} AND status = 'HELD' AND reservation_id = $2 AND held_until > $3`,
);

export const insertReservation = statement<
  [
    id: string,
    userId: string,
    concertId: string,
    scheduleId: string,
    seats: string,
    seatCount: number,
    amount: number,
    currency: string,
    consumeOn: string,
    createdAtMs: number,
    expiresAtMs: number,
  ]
>(
  'insert_reservation',
  `INSERT INTO reservations (id, user_id, concert_id, schedule_id, seats, seat_count, amount, currency, consume_on,
     status, created_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'HELD', $10, $11)`,
);

export const findReservation = statement<[id: string], ReservationRow>(
  'find_reservation',
  `SELECT ${COLUMNS} FROM reservations WHERE id = $1`,
);

export const lockReservation = statement<[id: string], ReservationRow>(
  'lock_reservation',
  (dialect) => `SELECT ${COLUMNS} FROM reservations WHERE id = $1${dialect.forUpdate}`,
);

export const confirmReservation = statement<[id: string, nowMs: number]>(
  'confirm_reservation',
  `UPDATE reservations SET status = 'CONFIRMED' WHERE id = $1 AND status = 'HELD' AND expires_at > $2`,
);

export const cancelReservation = statement<[id: string, userId: string, nowMs: number], ReservationRow>(
  'cancel_reservation',
  `UPDATE reservations SET status = 'CANCELLED' WHERE id = $1 AND user_id = $2 AND status = 'HELD' AND expires_at > $3
   RETURNING ${COLUMNS}`,
);

export const expireReservations = statement<[ids: readonly string[], nowMs: number], ReservationRow>(
  'expire_reservations',
  (dialect) => `UPDATE reservations SET status = 'EXPIRED'
   WHERE id ${dialect.anyOf('$1')} AND status = 'HELD' AND expires_at <= $2 RETURNING ${COLUMNS}`,
);

export const listRunOut = statement<[nowMs: number, limit: number], { id: string }>(
  'list_run_out',
  `SELECT id FROM reservations WHERE status = 'HELD' AND expires_at <= $1 ORDER BY expires_at LIMIT $2`,
);

export const listReservationsOf = statement<
  [userId: string, beforeMs: number, beforeId: string, limit: number],
  ReservationRow
>(
  'list_reservations_of',
  `SELECT ${COLUMNS} FROM reservations WHERE user_id = $1 AND (created_at, id) < ($2, $3)
   ORDER BY created_at DESC, id DESC LIMIT $4`,
);
