import { statement } from '../platform/sql/index.js';
import { concertSoldOutAt } from '../seating/index.js';

export interface ConcertRow {
  id: string;
  title: string;
  venue: string;
  description: string;
  currency: string;
  salesOpenAtMs: number | null;
  salesCloseAtMs: number | null;
  createdAtMs: number;
  timeZone: string;
  runningMinutes: number | null;
  minAge: number | null;
  /** JSON of `RefundRules`. */
  refundRules: string;
  /** JSON of `Poster`. */
  poster: string | null;
  /** Concerts in other states are found by no query but those that build and delete them. */
  state: 'DRAFT' | 'PUBLISHED';
  /** When the last date begins. A concert has at least one date, and dates never change. */
  lastStartsAtMs: number;
}

export interface ScheduleRow {
  id: string;
  concertId: string;
  startsAtMs: number;
  seatsTotal: number;
}

/** For queries on `concerts c`. */
export const CONCERT_COLUMNS = `c.id, c.title, c.venue, c.description, c.currency, c.sales_open_at AS "salesOpenAtMs",
  c.sales_close_at AS "salesCloseAtMs", c.created_at AS "createdAtMs", c.time_zone AS "timeZone", c.state,
  c.running_minutes AS "runningMinutes", c.min_age AS "minAge", c.refund_rules AS "refundRules", c.poster,
  (SELECT max(starts_at) FROM schedules WHERE concert_id = c.id) AS "lastStartsAtMs"`;
/** Of `concerts c`: all seats are written. */
export const CONCERT_COMPLETE = `c.state IN ('DRAFT', 'PUBLISHED')`;
/** For queries on `concerts c`. */
export const CONCERT_SEATS_TOTAL = `(SELECT coalesce(sum(d.seats_total), 0) FROM schedules d WHERE d.concert_id = c.id)`;
const SCHEDULE_COLUMNS = `id, concert_id AS "concertId", starts_at AS "startsAtMs", seats_total AS "seatsTotal"`;

export const listConcerts = statement<
  [beforeMs: number, beforeId: string, limit: number, nowMs: number],
  ConcertRow & { soldOut: 0 | 1 }
>(
  'list_concerts',
  `SELECT ${CONCERT_COLUMNS}, ${concertSoldOutAt('$4')} AS "soldOut" FROM concerts c
   WHERE c.state = 'PUBLISHED' AND (c.created_at, c.id) < ($1, $2) ORDER BY c.created_at DESC, c.id DESC LIMIT $3`,
);

export const findPublishedConcert = statement<
  [concertId: string, nowMs: number],
  ConcertRow & { soldOut: 0 | 1 }
>(
  'find_published_concert',
  `SELECT ${CONCERT_COLUMNS}, ${concertSoldOutAt('$2')} AS "soldOut" FROM concerts c
   WHERE c.id = $1 AND c.state = 'PUBLISHED'`,
);

export const findConcert = statement<[concertId: string], ConcertRow>(
  'find_concert',
  `SELECT ${CONCERT_COLUMNS} FROM concerts c WHERE c.id = $1 AND ${CONCERT_COMPLETE}`,
);

export const listSchedulesOf = statement<[concertId: string], ScheduleRow>(
  'list_schedules_of',
  `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE concert_id = $1 ORDER BY starts_at, id`,
);

/** `sections` is the JSON of `SectionSummary[]`. */
export const listSectionsOf = statement<[concertId: string], { id: string; sections: string }>(
  'list_sections_of',
  `SELECT id, sections FROM schedules WHERE concert_id = $1 ORDER BY starts_at, id`,
);

export const findSchedule = statement<[scheduleId: string], ScheduleRow>(
  'find_schedule',
  `SELECT ${SCHEDULE_COLUMNS} FROM schedules WHERE id = $1
     AND EXISTS (SELECT 1 FROM concerts c WHERE c.id = concert_id AND ${CONCERT_COMPLETE})`,
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
    timeZone: string,
    runningMinutes: number | null,
    minAge: number | null,
    refundRules: string,
  ]
>(
  'insert_concert',
  `INSERT INTO concerts (id, title, venue, description, currency, sales_open_at, sales_close_at, created_at, time_zone,
     running_minutes, min_age, refund_rules, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'BUILDING')`,
);

export const updateConcert = statement<
  [
    id: string,
    title: string,
    venue: string,
    description: string,
    salesOpenAtMs: number | null,
    salesCloseAtMs: number | null,
    timeZone: string,
    runningMinutes: number | null,
    minAge: number | null,
    refundRules: string,
  ]
>(
  'update_concert',
  `UPDATE concerts SET title = $2, venue = $3, description = $4, sales_open_at = $5, sales_close_at = $6, time_zone = $7,
     running_minutes = $8, min_age = $9, refund_rules = $10
   WHERE id = $1`,
);

/** Serializes edits, so that two edits of different fields both take effect. */
export const lockConcert = statement<[concertId: string], ConcertRow>(
  'lock_concert',
  (dialect) =>
    `SELECT ${CONCERT_COLUMNS} FROM concerts c WHERE c.id = $1 AND ${CONCERT_COMPLETE}${dialect.forNoKeyUpdate}`,
);

/** Edits wait until the transaction ends; other holds do not. */
export const lockSaleEnds = statement<
  [concertIds: readonly string[]],
  Pick<ConcertRow, 'id' | 'salesCloseAtMs'>
>(
  'lock_sale_ends',
  (dialect) => `SELECT c.id, c.sales_close_at AS "salesCloseAtMs" FROM concerts c
   WHERE c.id ${dialect.anyOf('$1')} ORDER BY c.id${dialect.forShare}`,
);

export const insertSchedule = statement<
  [id: string, concertId: string, startsAtMs: number, seatsTotal: number, sections: string]
>(
  'insert_schedule',
  `INSERT INTO schedules (id, concert_id, starts_at, seats_total, sections) VALUES ($1, $2, $3, $4, $5)`,
);

/** Changes nothing if the build has been abandoned. */
export const completeConcert = statement<[concertId: string, state: 'DRAFT' | 'PUBLISHED']>(
  'complete_concert',
  `UPDATE concerts SET state = $2 WHERE id = $1 AND state = 'BUILDING'`,
);

export const publishDraft = statement<[concertId: string]>(
  'publish_draft',
  `UPDATE concerts SET state = 'PUBLISHED' WHERE id = $1 AND state = 'DRAFT'`,
);

/** Also counts builds that were abandoned before and not deleted completely. */
export const abandonBuilds = statement<[beforeMs: number]>(
  'abandon_builds',
  `UPDATE concerts SET state = 'ABANDONED' WHERE state = 'ABANDONED' OR (state = 'BUILDING' AND created_at < $1)`,
);

export const deleteAbandonedSchedules = statement(
  'delete_abandoned_schedules',
  `DELETE FROM schedules WHERE concert_id IN (SELECT id FROM concerts WHERE state = 'ABANDONED')`,
);

export const deleteAbandonedConcerts = statement(
  'delete_abandoned_concerts',
  `DELETE FROM concerts WHERE state = 'ABANDONED'`,
);
