import { statement } from '../platform/sql/index.js';
import { CONCERT_SOLD_OUT } from '../seating/index.js';

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

/** For queries on `concerts c`. */
export const CONCERT_COLUMNS = `c.id, c.title, c.venue, c.description, c.currency, c.sales_open_at AS "salesOpenAtMs",
  c.sales_close_at AS "salesCloseAtMs", c.created_at AS "createdAtMs"`;
const SCHEDULE_COLUMNS = `id, concert_id AS "concertId", starts_at AS "startsAtMs"`;

export const listConcerts = statement<
  [beforeMs: number, beforeId: string, limit: number],
  ConcertRow & { soldOut: 0 | 1 }
>(
  'list_concerts',
  `SELECT ${CONCERT_COLUMNS}, ${CONCERT_SOLD_OUT} AS "soldOut" FROM concerts c
   WHERE (c.created_at, c.id) < ($1, $2) ORDER BY c.created_at DESC, c.id DESC LIMIT $3`,
);

export const findConcert = statement<[concertId: string], ConcertRow & { soldOut: 0 | 1 }>(
  'find_concert',
  `SELECT ${CONCERT_COLUMNS}, ${CONCERT_SOLD_OUT} AS "soldOut" FROM concerts c WHERE c.id = $1`,
);

export const listSchedulesOf = statement<[concertId: string], ScheduleRow>(
  'list_schedules_of',
  `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE concert_id = $1 ORDER BY starts_at, id`,
);

export const findSchedule = statement<[scheduleId: string], ScheduleRow>(
  'find_schedule',
  `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE id = $1`,
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

/** Serializes edits, so that two edits of different fields both take effect. */
export const lockConcert = statement<[concertId: string], ConcertRow>(
  'lock_concert',
  (dialect) => `SELECT ${CONCERT_COLUMNS} FROM concerts c WHERE c.id = $1${dialect.forUpdate}`,
);

export const insertSchedule = statement<[id: string, concertId: string, startsAtMs: number]>(
  'insert_schedule',
  `INSERT INTO schedules (id, concert_id, starts_at) VALUES ($1, $2, $3)`,
);
