import { guard } from '../kernel/guard.js';
import { statement } from '../platform/sql/index.js';

export type ReservationStatus = 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';

// An alias, not an interface: what is announced must be plain JSON.
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type ReservationRow = {
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
};

export interface SeatStateRow {
  id: string;
  status: 'AVAILABLE' | 'HELD' | 'SOLD';
  reservationId: string | null;
  heldUntilMs: number | null;
}

const COLUMNS = `id, user_id AS "userId", concert_id AS "concertId", schedule_id AS "scheduleId", seats, amount, currency,
  consume_on AS "consumeOn", status, created_at AS "createdAtMs", expires_at AS "expiresAtMs"`;

/** The claim of what is free: whoever's statement comes first has the seat, the other finds no row. */
export const claimAvailableSeats = statement<
  [seatIds: readonly string[], reservationId: string, untilMs: number]
>(
  'claim_available_seats',
  (dialect) => `UPDATE seats SET status = 'HELD', reservation_id = $2, held_until = $3
   WHERE ${dialect.inLockOrder('seats', '$1')} AND ${guard('seat-available', "status = 'AVAILABLE'")}`,
);

/** The claim of what is free, or was held by somebody whose time ran out. Nobody's scheduler is needed for that. */
export const claimAvailableOrExpired = statement<
  [seatIds: readonly string[], reservationId: string, untilMs: number, nowMs: number]
>(
  'claim_available_or_expired',
  (dialect) => `UPDATE seats SET status = 'HELD', reservation_id = $2, held_until = $3
   WHERE ${dialect.inLockOrder('seats', '$1')} AND (status = 'AVAILABLE' OR (status = 'HELD' AND held_until <= $4))`,
);

/** How seats stand that could not simply be claimed; locked, so that what is decided from it holds. */
export const lockSeats = statement<[seatIds: readonly string[]], SeatStateRow>(
  'lock_seats',
  (
    dialect,
  ) => `SELECT id, status, reservation_id AS "reservationId", ${guard('seat-hold-expiry', 'held_until')} AS "heldUntilMs"
   FROM seats WHERE id ${dialect.anyOf('$1')} ORDER BY id${dialect.forUpdate}`,
);

/** Which of these seats are somebody's at this instant; what is only about to be taken is not among them. */
export const listTakenSeats = statement<[seatIds: readonly string[], nowMs: number], { id: string }>(
  'list_taken_seats',
  (dialect) => `SELECT id FROM seats WHERE id ${dialect.anyOf('$1')}
   AND (status = 'SOLD' OR (status = 'HELD' AND held_until > $2))`,
);

export const freeSeats = statement<
  [seatIds: readonly string[], reservationIds: readonly string[]],
  { id: string; scheduleId: string }
>(
  'free_seats',
  (dialect) => `UPDATE seats SET status = 'AVAILABLE', reservation_id = NULL, held_until = NULL
   WHERE ${dialect.inLockOrder('seats', '$1')} AND status = 'HELD' AND reservation_id ${dialect.anyOf('$2')}
   RETURNING id, schedule_id AS "scheduleId"`,
);

export const sellSeats = statement<[seatIds: readonly string[], reservationId: string, nowMs: number]>(
  'sell_seats',
  (dialect) => `UPDATE seats SET status = 'SOLD', held_until = NULL
   WHERE ${dialect.inLockOrder('seats', '$1')} AND status = 'HELD' AND reservation_id = $2 AND ${guard('sell-unexpired', 'held_until > $3')}`,
);

/** A sale is undone: the seats are anybody's again. */
export const refundSeats = statement<[seatIds: readonly string[], reservationId: string]>(
  'refund_seats',
  (dialect) => `UPDATE seats SET status = 'AVAILABLE', reservation_id = NULL
   WHERE ${dialect.inLockOrder('seats', '$1')} AND status = 'SOLD' AND reservation_id = $2`,
);

/**
 * Writes nothing unless the place is ACTIVE at this instant and the user stays within the seats allowed of this date,
 * held and owned together. The place's row is locked: a user's holds in one room take turns.
 */
export const insertReservation = statement<
  [
    id: string,
    concertId: string,
    scheduleId: string,
    seats: string,
    seatCount: number,
    amount: number,
    currency: string,
    consumeOn: string,
    createdAtMs: number,
    expiresAtMs: number,
    placeId: string,
    seatsMax: number,
  ]
>(
  'insert_reservation',
  (
    dialect,
  ) => `INSERT INTO reservations (id, user_id, concert_id, schedule_id, seats, seat_count, amount, currency,
     consume_on, status, created_at, expires_at)
   SELECT CAST($1 AS TEXT), p.user_id, CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS BIGINT),
     CAST($6 AS BIGINT), CAST($7 AS TEXT), CAST($8 AS TEXT), 'HELD', CAST($9 AS BIGINT), CAST($10 AS BIGINT)
   FROM places p WHERE p.id = $11 AND p.status = 'ACTIVE' AND p.expires_at > $9
     AND $5 + (SELECT coalesce(sum(r.seat_count), 0) FROM reservations r WHERE r.user_id = p.user_id
       AND r.schedule_id = $3 AND (r.status = 'CONFIRMED' OR (r.status = 'HELD' AND r.expires_at > $9))) <= ${guard('seat-limit', '$12')}
   ${dialect.forUpdate}`,
);

export const findReservation = statement<[id: string], ReservationRow>(
  'find_reservation',
  `SELECT ${COLUMNS} FROM reservations WHERE id = $1`,
);

export const lockReservation = statement<[id: string], ReservationRow>(
  'lock_reservation',
  (dialect) =>
    `SELECT ${COLUMNS} FROM reservations WHERE id = $1${guard('reservation-lock', dialect.forUpdate)}`,
);

export const confirmReservation = statement<[id: string, nowMs: number]>(
  'confirm_reservation',
  () => `UPDATE reservations SET status = 'CONFIRMED'
   WHERE id = $1 AND status = 'HELD' AND ${guard('confirm-unexpired', 'expires_at > $2')}`,
);

export const cancelReservation = statement<[id: string, userId: string, nowMs: number], ReservationRow>(
  'cancel_reservation',
  `UPDATE reservations SET status = 'CANCELLED' WHERE id = $1 AND user_id = $2 AND status = 'HELD' AND expires_at > $3
   RETURNING ${COLUMNS}`,
);

export const cancelConfirmedReservation = statement<[id: string], ReservationRow>(
  'cancel_confirmed_reservation',
  () => `UPDATE reservations SET status = 'CANCELLED'
   WHERE id = $1 AND ${guard('refund-confirmed', "status = 'CONFIRMED'")} RETURNING ${COLUMNS}`,
);

export const expireReservations = statement<[ids: readonly string[], nowMs: number], ReservationRow>(
  'expire_reservations',
  (dialect) => `UPDATE reservations SET status = 'EXPIRED'
   WHERE id ${dialect.anyOf('$1')} AND status = 'HELD' AND expires_at <= $2 RETURNING ${COLUMNS}`,
);

/** As above, but leaves alone what is being paid or ended this moment: waiting for it here could lock both up. */
export const expireReservationsSkipLocked = statement<
  [ids: readonly string[], nowMs: number],
  ReservationRow
>(
  'expire_reservations_skip_locked',
  (dialect) => `UPDATE reservations SET status = 'EXPIRED'
   WHERE ${dialect.skipLocked('reservations', '$1')} AND status = 'HELD' AND expires_at <= $2 RETURNING ${COLUMNS}`,
);

/** Names `seat_count` for the sake of the index it is found by: migrations/0007_indexes_by_status.sql. */
export const listExpiredReservations = statement<[nowMs: number, limit: number], { id: string }>(
  'list_expired_reservations',
  `SELECT id FROM reservations WHERE status = 'HELD' AND seat_count >= 1 AND expires_at <= $1
   ORDER BY expires_at LIMIT $2`,
);

export const listReservationsOf = statement<
  [userId: string, beforeMs: number, beforeId: string, limit: number],
  ReservationRow
>(
  'list_reservations_of',
  `SELECT ${COLUMNS} FROM reservations WHERE user_id = $1 AND (created_at, id) < ($2, $3)
   ORDER BY created_at DESC, id DESC LIMIT $4`,
);
