import { type SqlParam, statement } from '../platform/sql/index.js';

export interface ConcertRow {
  id: string;
  title: string;
  venue: string;
  description: string;
  currency: string;
  salesOpenAtMs: number | null;
  salesCloseAtMs: number | null;
  createdAtMs: number;
}

export interface ScheduleRow {
  id: string;
  concertId: string;
  startsAtMs: number;
}

export interface SeatRow {
  id: string;
  section: string;
  row: string;
  number: number;
  /** What stands on the seat where that is more than its number. */
  numberName: string | null;
  label: string;
  grade: string;
  price: number;
  /** Where an imported plan has it, in hundredths of the distance between neighbours. */
  x: number | null;
  y: number | null;
  status: 'AVAILABLE' | 'HELD' | 'SOLD';
  heldUntilMs: number | null;
}

/** Of `concerts c`. */
export const CONCERT_COLUMNS = `c.id, c.title, c.venue, c.description, c.currency, c.sales_open_at AS "salesOpenAtMs",
  c.sales_close_at AS "salesCloseAtMs", c.created_at AS "createdAtMs"`;
const SCHEDULE_COLUMNS = `id, concert_id AS "concertId", starts_at AS "startsAtMs"`;

/** Of `seats s`. Repeats the condition of its index on the price: docs/adr/0015-plans.md. */
export const UNSOLD = `s.status <> 'SOLD' AND s.price >= 0`;

/** Sold out is asked of the seats themselves, so it can never disagree with them. */
const SOLD_OUT = `CASE WHEN EXISTS (
    SELECT 1 FROM schedules d JOIN seats s ON s.schedule_id = d.id WHERE d.concert_id = c.id AND ${UNSOLD}
  ) THEN 0 ELSE 1 END AS "soldOut"`;

export const listConcerts = statement<
  [beforeMs: number, beforeId: string, limit: number],
  ConcertRow & { soldOut: 0 | 1 }
>(
  'list_concerts',
  `SELECT ${CONCERT_COLUMNS}, ${SOLD_OUT} FROM concerts c
   WHERE (c.created_at, c.id) < ($1, $2) ORDER BY c.created_at DESC, c.id DESC LIMIT $3`,
);

export const findConcert = statement<[concertId: string], ConcertRow & { soldOut: 0 | 1 }>(
  'find_concert',
  `SELECT ${CONCERT_COLUMNS}, ${SOLD_OUT} FROM concerts c WHERE c.id = $1`,
);

export const listSchedulesOf = statement<[concertId: string], ScheduleRow>(
  'list_schedules_of',
  `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE concert_id = $1 ORDER BY starts_at, id`,
);

export const findSchedule = statement<[scheduleId: string], ScheduleRow>(
  'find_schedule',
  `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE id = $1`,
);

export const listSeatsOf = statement<[scheduleId: string], SeatRow>(
  'list_seats_of',
  `SELECT id, section, row_name AS "row", number, number_name AS "numberName", label, grade, price, x, y, status,
     held_until AS "heldUntilMs"
   FROM seats WHERE schedule_id = $1 ORDER BY position`,
);

export const insertConcert = statement<
  [
    id: string,
    title: string,
    venue: string,
    description: string,
    currency: string,
    salesOpenAtMs: number | null,
    salesCloseAtMs: number | null,
    nowMs: number,
  ]
>(
  'insert_concert',
  `INSERT INTO concerts (id, title, venue, description, currency, sales_open_at, sales_close_at, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export const updateConcert = statement<
  [
    id: string,
    title: string,
    venue: string,
    description: string,
    salesOpenAtMs: number | null,
    salesCloseAtMs: number | null,
  ]
>(
  'update_concert',
  `UPDATE concerts SET title = $2, venue = $3, description = $4, sales_open_at = $5, sales_close_at = $6 WHERE id = $1`,
);

/** Held while its details are edited, so that two edits of different fields both count. */
export const lockConcert = statement<[concertId: string], ConcertRow>(
  'lock_concert',
  (dialect) => `SELECT ${CONCERT_COLUMNS} FROM concerts c WHERE c.id = $1${dialect.forUpdate}`,
);

export const insertSchedule = statement<[id: string, concertId: string, startsAtMs: number]>(
  'insert_schedule',
  `INSERT INTO schedules (id, concert_id, starts_at) VALUES ($1, $2, $3)`,
);

/** A seat before it has an id and a place in the list. */
export interface SeatToAdd extends Record<string, string | number | null> {
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

interface NewSeat extends SeatToAdd {
  id: string;
  position: number;
}

export const insertSeats = statement<[scheduleId: string, seats: readonly NewSeat[] & SqlParam]>(
  'insert_seats',
  (dialect) =>
    `INSERT INTO seats (id, schedule_id, position, section, row_name, number, number_name, label, grade, price, x, y, status)
     SELECT r.id, $1, r.position, r.section, r.row_name, r.number, r.number_name, r.label, r.grade, r.price, r.x, r.y, 'AVAILABLE'
     FROM ${dialect.rows('$2', {
       id: 'text',
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
     })} AS r`,
);
