import { guard } from '../kernel/guard.js';
import { type SqlParam, statement } from '../platform/sql/index.js';

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

interface SeatStateRow {
  id: string;
  status: SeatStatus;
  reservationId: string | null;
  heldUntilMs: number | null;
}

/** `price >= 0` is always true and selects the partial index: docs/adr/0015-stable-query-plans.md. */
const UNSOLD = `s.status <> 'SOLD' AND s.price >= 0`;

/** Expressions for queries on `concerts c`. They read the seats themselves, so they never disagree with them. */
const SEATS_OF_CONCERT = `FROM schedules d JOIN seats s ON s.schedule_id = d.id WHERE d.concert_id = c.id`;
export const CONCERT_SOLD_OUT = `CASE WHEN EXISTS (SELECT 1 ${SEATS_OF_CONCERT} AND ${UNSOLD}) THEN 0 ELSE 1 END`;
export const CONCERT_SEATS_TOTAL = `(SELECT count(*) ${SEATS_OF_CONCERT})`;
export const CONCERT_SEATS_UNSOLD = `(SELECT count(*) ${SEATS_OF_CONCERT} AND ${UNSOLD})`;

export const listSeatsOf = statement<[scheduleId: string], SeatRow>(
  'list_seats_of',
  `SELECT id, section, row_name AS "row", number, number_name AS "numberName", label, grade, price, x, y, status,
     held_until AS "heldUntilMs"
   FROM seats WHERE schedule_id = $1 ORDER BY position`,
);

export const listSections = statement<
  [scheduleId: string],
  { name: string; grade: string; price: number; seats: number }
>(
  'list_sections',
  `SELECT section AS name, grade, price, count(*) AS seats FROM seats WHERE schedule_id = $1
   GROUP BY section, grade, price ORDER BY min(position)`,
);

/** Of two concurrent claims for a seat, the first to lock the row gets it; the other one finds no row. */
export const claimAvailableSeats = statement<
  [seatIds: readonly string[], reservationId: string, untilMs: number]
>(
  'claim_available_seats',
  (dialect) => `UPDATE seats SET status = 'HELD', reservation_id = $2, held_until = $3
   WHERE ${dialect.inLockOrder('seats', '$1')} AND ${guard('seat-available', "status = 'AVAILABLE'")}`,
);

/** Does not depend on the job `expire-holds`: an expired hold can be claimed before the job has freed its seats. */
export const claimAvailableOrExpired = statement<
  [seatIds: readonly string[], reservationId: string, untilMs: number, nowMs: number]
>(
  'claim_available_or_expired',
  (dialect) => `UPDATE seats SET status = 'HELD', reservation_id = $2, held_until = $3
   WHERE ${dialect.inLockOrder('seats', '$1')} AND (status = 'AVAILABLE' OR (status = 'HELD' AND held_until <= $4))`,
);

export const lockSeats = statement<[seatIds: readonly string[]], SeatStateRow>(
  'lock_seats',
  (
    dialect,
  ) => `SELECT id, status, reservation_id AS "reservationId", ${guard('seat-hold-expiry', 'held_until')} AS "heldUntilMs"
   FROM seats WHERE id ${dialect.anyOf('$1')} ORDER BY id${dialect.forUpdate}`,
);

/** Takes no locks, so it does not see claims that are not committed yet. */
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

export const insertSeats = statement<[scheduleId: string, seats: readonly (NewSeat & SeatKey)[] & SqlParam]>(
  'insert_seats',
  (dialect) => `INSERT INTO seats (id, schedule_id, status, ${CHART_COLUMN_NAMES.join(', ')})
   SELECT r.id, $1, 'AVAILABLE', ${CHART_COLUMN_NAMES.map((column) => `r.${column}`).join(', ')}
   FROM ${dialect.rows('$2', { id: 'text', ...CHART_COLUMNS })} AS r`,
);

export const listSeatPositions = statement<[scheduleId: string], { position: number }>(
  'list_seat_positions',
  `SELECT position FROM seats WHERE schedule_id = $1 ORDER BY position`,
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
