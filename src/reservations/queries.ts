import { guard } from '../kernel/guard.js';
import { statement } from '../platform/sql/index.js';

export type ReservationStatus = 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';

// An alias, not an interface: a published change must be assignable to Json.
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type ReservationRow = {
  id: string;
  userId: string;
  concertId: string;
  scheduleId: string;
  /** JSON: a snapshot of the seats when they were held. */
  seats: string;
  amount: number;
  currency: string;
  /** Which step consumes the place, by the policy at the time of the hold. */
  consumeOn: 'PAYMENT' | 'RESERVATION';
  status: ReservationStatus;
  createdAtMs: number;
  expiresAtMs: number;
};

const COLUMNS = `id, user_id AS "userId", concert_id AS "concertId", schedule_id AS "scheduleId", seats, amount, currency,
  consume_on AS "consumeOn", status, created_at AS "createdAtMs", expires_at AS "expiresAtMs"`;

/**
 * Inserts nothing unless the place is ACTIVE at this instant and the user's held and paid seats of this date stay within
 * the limit. Locks the place, which serializes a user's holds for one concert.
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
    seatLabels: string,
  ]
>(
  'insert_reservation',
  (
    dialect,
  ) => `INSERT INTO reservations (id, user_id, concert_id, schedule_id, seats, seat_count, amount, currency,
     consume_on, status, created_at, expires_at, seat_labels)
   SELECT CAST($1 AS TEXT), p.user_id, CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS BIGINT),
     CAST($6 AS BIGINT), CAST($7 AS TEXT), CAST($8 AS TEXT), 'HELD', CAST($9 AS BIGINT), CAST($10 AS BIGINT),
     CAST($13 AS TEXT)
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

/** `concertId` limits the call to one concert; null: any. */
export const cancelReservation = statement<
  [id: string, userId: string, nowMs: number, concertId: string | null],
  ReservationRow
>(
  'cancel_reservation',
  `UPDATE reservations SET status = 'CANCELLED' WHERE id = $1 AND user_id = $2 AND status = 'HELD' AND expires_at > $3
     AND (CAST($4 AS TEXT) IS NULL OR concert_id = $4)
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

/** Skips reservations that another transaction is paying or ending: waiting for them could deadlock. */
export const expireReservationsSkipLocked = statement<
  [ids: readonly string[], nowMs: number],
  ReservationRow
>(
  'expire_reservations_skip_locked',
  (dialect) => `UPDATE reservations SET status = 'EXPIRED'
   WHERE ${dialect.skipLocked('reservations', '$1')} AND status = 'HELD' AND expires_at <= $2 RETURNING ${COLUMNS}`,
);

/** Of holds whose payment needs the place. `seat_count >= 1`: docs/adr/0015-stable-query-plans.md. */
export const shortenHolds = statement<[concertId: string, closesAtMs: number], ReservationRow>(
  'shorten_holds',
  (dialect) => `UPDATE reservations SET expires_at = $2
   WHERE id ${dialect.inQuery(
     `SELECT id FROM reservations WHERE concert_id = $1 AND status = 'HELD' AND seat_count >= 1
       AND consume_on = 'PAYMENT' AND expires_at > $2 ORDER BY id${dialect.forUpdate}`,
   )} AND status = 'HELD' RETURNING ${COLUMNS}`,
);

/** `seat_count >= 1` is always true and selects the partial index: docs/adr/0015-stable-query-plans.md. */
export const listExpiredReservations = statement<[nowMs: number, limit: number], { id: string }>(
  'list_expired_reservations',
  `SELECT id FROM reservations WHERE status = 'HELD' AND seat_count >= 1 AND expires_at <= $1
   ORDER BY expires_at LIMIT $2`,
);

/** `concertId` limits the list to one concert; null: all. */
export const listReservationsOf = statement<
  [userId: string, beforeMs: number, beforeId: string, limit: number, concertId: string | null],
  ReservationRow
>(
  'list_reservations_of',
  `SELECT ${COLUMNS} FROM reservations WHERE user_id = $1 AND (created_at, id) < ($2, $3)
     AND (CAST($5 AS TEXT) IS NULL OR concert_id = $5)
   ORDER BY created_at DESC, id DESC LIMIT $4`,
);

/** Repeats the condition of its index on `seat_count`: docs/adr/0015-stable-query-plans.md. */
export const listEndedReservations = statement<
  [beforeMs: number, afterMs: number, afterId: string, limit: number],
  { id: string; expiresAtMs: number }
>(
  'list_ended_reservations',
  `SELECT id, expires_at AS "expiresAtMs" FROM reservations
   WHERE status IN ('EXPIRED', 'CANCELLED') AND seat_count >= 1 AND expires_at < $1 AND (expires_at, id) > ($2, $3)
   ORDER BY expires_at, id LIMIT $4`,
);

/** Keeps what a payment or a seat refers to: a seat whose hold expired names its reservation until it is claimed again. */
export const deleteEndedReservations = statement<
  [ids: readonly string[]],
  { concertId: string; status: ReservationStatus }
>(
  'delete_ended_reservations',
  (
    dialect,
  ) => `DELETE FROM reservations WHERE id ${dialect.anyOf('$1')} AND status IN ('EXPIRED', 'CANCELLED')
     AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.reservation_id = reservations.id)
     AND NOT EXISTS (SELECT 1 FROM ${dialect.rows('reservations.seats', { id: 'text' })} AS held
       JOIN seats s ON s.id = held.id WHERE s.reservation_id = reservations.id)
   RETURNING concert_id AS "concertId", status`,
);

export const addPurgedReservations = statement<[concertId: string, expired: number, cancelled: number]>(
  'add_purged_reservations',
  `INSERT INTO purged_reservations (concert_id, expired, cancelled) VALUES ($1, $2, $3)
   ON CONFLICT (concert_id) DO UPDATE SET expired = purged_reservations.expired + excluded.expired,
     cancelled = purged_reservations.cancelled + excluded.cancelled`,
);

export const lockHoldsOf = statement<[userId: string, nowMs: number], { id: string }>(
  'lock_holds_of',
  (dialect) =>
    `SELECT id FROM reservations WHERE user_id = $1 AND status = 'HELD' AND expires_at > $2 ORDER BY id${dialect.forUpdate}`,
);
