import { guard } from '../kernel/guard.js';
import { batchStatement, statement } from '../platform/sql/index.js';

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

/** What these users hold and have paid for of these dates. The caller ignores holds that have expired. */
export const listSeatCounts = statement<
  [userIds: readonly string[], scheduleIds: readonly string[]],
  { userId: string; scheduleId: string; status: 'HELD' | 'CONFIRMED'; expiresAtMs: number; seatCount: number }
>(
  'list_seat_counts',
  (dialect) => `SELECT user_id AS "userId", schedule_id AS "scheduleId", status, expires_at AS "expiresAtMs",
     seat_count AS "seatCount"
   FROM reservations WHERE user_id ${dialect.anyOf('$1')} AND schedule_id ${dialect.anyOf('$2')}
     AND status IN ('HELD', 'CONFIRMED')`,
);

export const insertReservations = batchStatement(
  'insert_reservations',
  {
    id: 'text',
    user_id: 'text',
    concert_id: 'text',
    schedule_id: 'text',
    seats: 'text',
    seat_labels: 'text',
    seat_count: 'bigint',
    amount: 'bigint',
    currency: 'text',
    consume_on: 'text',
    created_at: 'bigint',
    expires_at: 'bigint',
  },
  ({
    row,
    from,
  }) => `INSERT INTO reservations (id, user_id, concert_id, schedule_id, seats, seat_labels, seat_count, amount,
     currency, consume_on, status, created_at, expires_at)
   SELECT ${row.id}, ${row.user_id}, ${row.concert_id}, ${row.schedule_id}, ${row.seats}, ${row.seat_labels}, ${row.seat_count},
     ${row.amount}, ${row.currency}, ${row.consume_on}, 'HELD', ${row.created_at}, ${row.expires_at}${from}`,
);

export const findReservation = statement<[id: string], ReservationRow>(
  'find_reservation',
  `SELECT ${COLUMNS} FROM reservations WHERE id = $1`,
);

export const lockReservations = statement<[ids: readonly string[]], ReservationRow>(
  'lock_reservations',
  (dialect) =>
    `SELECT ${COLUMNS} FROM reservations WHERE id ${dialect.anyOf('$1')}${guard('reservation-lock', dialect.lockInOrderOf('id'))}`,
);

export const confirmReservations = batchStatement(
  'confirm_reservations',
  { id: 'text', now: 'bigint' },
  ({ row, from }) => `UPDATE reservations SET status = 'CONFIRMED'${from}
   WHERE reservations.id = ${row.id} AND reservations.status = 'HELD'
     AND ${guard('confirm-unexpired', `reservations.expires_at > ${row.now}`)}`,
);

export const cancelReservations = batchStatement(
  'cancel_reservations',
  { id: 'text', now: 'bigint' },
  ({ row, from }) => `UPDATE reservations SET status = 'CANCELLED'${from}
   WHERE reservations.id = ${row.id} AND reservations.status = 'HELD' AND reservations.expires_at > ${row.now}`,
);

export const cancelConfirmedReservation = statement<[id: string], ReservationRow>(
  'cancel_confirmed_reservation',
  () => `UPDATE reservations SET status = 'CANCELLED'
   WHERE id = $1 AND ${guard('refund-confirmed', "status = 'CONFIRMED'")} RETURNING ${COLUMNS}`,
);

export const expireReservations = statement<[ids: readonly string[], nowMs: number], ReservationRow>(
  'expire_reservations',
  (dialect) => `UPDATE reservations SET status = 'EXPIRED'
   WHERE ${dialect.inLockOrder('reservations', '$1')} AND status = 'HELD' AND expires_at <= $2 RETURNING ${COLUMNS}`,
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
       AND consume_on = 'PAYMENT' AND ${guard('shorten-holds', 'expires_at > $2')} ORDER BY id${dialect.forUpdate}`,
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

export const listHoldsOf = statement<[userId: string, nowMs: number], { id: string }>(
  'list_holds_of',
  `SELECT id FROM reservations WHERE user_id = $1 AND status = 'HELD' AND expires_at > $2`,
);
