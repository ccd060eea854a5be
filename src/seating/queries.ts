import { guard } from '../kernel/guard.js';
import { batchStatement, type SqlParam, statement } from '../platform/sql/index.js';

export type SeatStatus = 'AVAILABLE' | 'HELD' | 'SOLD';

export interface SeatRow {
  id: string;
  section: string;
  row: string;
  number: number;
  /** The text on the seat if it is not a plain number. */
  numberName: string | null;
  label: string;
  grade: string;
  price: number;
  /** The position in an imported seating plan, in hundredths of the distance between neighbouring seats. */
  x: number | null;
  y: number | null;
  status: SeatStatus;
  heldUntilMs: number | null;
}

export interface SeatStateRow {
  readonly id: string;
  readonly status: SeatStatus;
  readonly reservationId: string | null;
  readonly heldUntilMs: number | null;
}

/** `price >= 0` is always true and selects the partial index: docs/adr/0015-stable-query-plans.md. */
const UNSOLD = `s.status <> 'SOLD' AND s.price >= 0`;

/** Expressions for queries on `concerts c`. They read the seats themselves, so they never disagree with them. */
const SEATS_OF_CONCERT = `FROM schedules d JOIN seats s ON s.schedule_id = d.id WHERE d.concert_id = c.id`;
export const CONCERT_SEATS_UNSOLD = `(SELECT count(*) ${SEATS_OF_CONCERT} AND ${UNSOLD})`;

/**
 * SQL: 1 if no seat of a date of this concert that begins after this time is unsold. LIMIT makes PostgreSQL look for one
 * seat per concert; EXISTS would let it read all unsold seats first.
 */
export const soldOutAfter = (concertId: string, timeMs: string): string =>
  `CASE WHEN (SELECT 1 FROM schedules d JOIN seats s ON s.schedule_id = d.id
     WHERE d.concert_id = ${concertId} AND d.starts_at > ${timeMs} AND ${UNSOLD} LIMIT 1) IS NULL THEN 1 ELSE 0 END`;

/** SQL on `concerts c`: like `soldOutAfter`, but a concert whose dates have all begun is sold out if all of them were. */
export const concertSoldOutAt = (timeMs: string): string =>
  `CASE WHEN EXISTS (SELECT 1 FROM schedules WHERE concert_id = c.id AND starts_at > ${timeMs})
     THEN ${soldOutAfter('c.id', timeMs)}
     WHEN EXISTS (SELECT 1 ${SEATS_OF_CONCERT} AND ${UNSOLD}) THEN 0 ELSE 1 END`;

export const listSeatsOf = statement<[scheduleId: string], SeatRow>(
  'list_seats_of',
  `SELECT id, section, row_name AS "row", number, number_name AS "numberName", label, grade, price, x, y, status,
     held_until AS "heldUntilMs"
   FROM seats WHERE schedule_id = $1 ORDER BY position`,
);

export const findSeat = statement<
  [seatId: string],
  SeatStateRow & Pick<SeatRow, 'label' | 'grade' | 'price'> & { scheduleId: string }
>(
  'find_seat',
  `SELECT id, schedule_id AS "scheduleId", label, grade, price, status, reservation_id AS "reservationId",
     held_until AS "heldUntilMs"
   FROM seats WHERE id = $1`,
);

/**
 * By grade, in the order of the index `seats_unsold`. One snapshot: all numbers are of the same instant. A hold that has
 * expired does not count as held. A date that is sold out has no row.
 */
export const countUnsoldSeats = statement<
  [scheduleId: string, nowMs: number],
  { grade: string; price: number; unsold: number; held: number; nextExpiryMs: number | null }
>(
  'count_unsold_seats',
  `SELECT s.grade, s.price, count(*) AS unsold, count(CASE WHEN s.held_until > $2 THEN 1 END) AS held,
     min(CASE WHEN s.held_until > $2 THEN s.held_until END) AS "nextExpiryMs"
   FROM seats s WHERE s.schedule_id = $1 AND ${UNSOLD} GROUP BY s.grade, s.price`,
);

/** No row: the date is sold out. */
export const findUnsoldSeat = statement<[scheduleId: string], { id: string }>(
  'find_unsold_seat',
  `SELECT s.id FROM seats s WHERE s.schedule_id = $1 AND ${UNSOLD} LIMIT 1`,
);

export const lockSeats = statement<[seatIds: readonly string[]], SeatStateRow>(
  'lock_seats',
  (
    dialect,
  ) => `SELECT id, status, reservation_id AS "reservationId", ${guard('seat-hold-expiry', 'held_until')} AS "heldUntilMs"
   FROM seats WHERE id ${dialect.anyOf('$1')}${guard('seat-lock', dialect.lockInOrderOf('id'))}`,
);

/** Does not depend on the job `expire-holds`: an expired hold can be claimed before the job has freed its seats. */
export const claimSeats = batchStatement(
  'claim_seats',
  { id: 'text', reservation_id: 'text', until: 'bigint', now: 'bigint' },
  ({
    row,
    from,
  }) => `UPDATE seats SET status = 'HELD', reservation_id = ${row.reservation_id}, held_until = ${row.until}${from}
   WHERE seats.id = ${row.id} AND ${guard(
     'claim-available',
     `(seats.status = 'AVAILABLE' OR (seats.status = 'HELD' AND seats.held_until <= ${row.now}))`,
   )}`,
);

/** Ends holds. */
export const releaseSeats = batchStatement(
  'release_seats',
  { id: 'text', reservation_id: 'text' },
  ({ row, from }) => `UPDATE seats SET status = 'AVAILABLE', reservation_id = NULL, held_until = NULL${from}
   WHERE seats.id = ${row.id} AND seats.status = 'HELD' AND seats.reservation_id = ${row.reservation_id}`,
);

export const sellSeats = batchStatement(
  'sell_seats',
  { id: 'text', reservation_id: 'text', now: 'bigint' },
  ({ row, from }) => `UPDATE seats SET status = 'SOLD', held_until = NULL${from}
   WHERE seats.id = ${row.id} AND seats.status = 'HELD' AND seats.reservation_id = ${row.reservation_id}
     AND ${guard('sell-unexpired', `seats.held_until > ${row.now}`)}`,
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

export const shortenSeatHolds = statement<
  [seatIds: readonly string[], reservationIds: readonly string[], untilMs: number],
  { id: string; scheduleId: string }
>(
  'shorten_seat_holds',
  (dialect) => `UPDATE seats SET held_until = $3
   WHERE ${dialect.inLockOrder('seats', '$1')} AND status = 'HELD' AND reservation_id ${dialect.anyOf('$2')}
   RETURNING id, schedule_id AS "scheduleId"`,
);

export const refundSeats = statement<[seatIds: readonly string[], reservationId: string]>(
  'refund_seats',
  (dialect) => `UPDATE seats SET status = 'AVAILABLE', reservation_id = NULL
   WHERE ${dialect.inLockOrder('seats', '$1')} AND status = 'SOLD' AND reservation_id = $2`,
);

/** The columns that describe a seat on its chart, with their types. They never change. */
const CHART_COLUMNS = {
  position: 'bigint',
  section: 'text',
  row_name: 'text',
  number: 'bigint',
  number_name: 'text',
  label: 'text',
  grade: 'text',
  price: 'bigint',
  x: 'bigint',
  y: 'bigint',
} as const;
const CHART_COLUMN_NAMES = Object.keys(CHART_COLUMNS);

/** A seat without its id and its position on the chart. */
export interface NewSeat extends Record<string, string | number | null> {
  section: string;
  row_name: string;
  number: number;
  number_name: string | null;
  label: string;
  grade: string;
  price: number;
  x: number | null;
  y: number | null;
}

interface SeatKey extends Record<string, string | number | null> {
  id: string;
  position: number;
}

export type KeyedSeat = NewSeat & SeatKey;

export const insertSeats = statement<[scheduleId: string, seats: readonly KeyedSeat[] & SqlParam]>(
  'insert_seats',
  (dialect) => `INSERT INTO seats (id, schedule_id, status, ${CHART_COLUMN_NAMES.join(', ')})
   SELECT r.id, $1, 'AVAILABLE', ${CHART_COLUMN_NAMES.map((column) => `r.${column}`).join(', ')}
   FROM ${dialect.rows('$2', { id: 'text', ...CHART_COLUMNS })} AS r`,
);

/** Of concerts that were never visible. */
export const deleteSeatsOfAbandonedBuilds = statement<[limit: number]>(
  'delete_seats_of_abandoned_builds',
  (dialect) =>
    `DELETE FROM seats WHERE id ${dialect.inQuery(
      `SELECT s.id FROM concerts c JOIN schedules d ON d.concert_id = c.id JOIN seats s ON s.schedule_id = d.id
     WHERE c.state = 'ABANDONED' LIMIT $1`,
    )}`,
);

/** Copies the seats at these positions under new ids. */
export const copySeats = statement<
  [scheduleId: string, sourceScheduleId: string, copies: readonly SeatKey[] & SqlParam]
>(
  'copy_seats',
  (dialect) => `INSERT INTO seats (id, schedule_id, status, ${CHART_COLUMN_NAMES.join(', ')})
   SELECT c.id, CAST($1 AS TEXT), 'AVAILABLE', ${CHART_COLUMN_NAMES.map((column) => `s.${column}`).join(', ')}
   FROM ${dialect.rows('$3', { id: 'text', position: 'bigint' })} AS c
   JOIN seats s ON s.schedule_id = $2 AND s.position = c.position`,
);
