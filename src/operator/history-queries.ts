import { type SqlParam, statement } from '../platform/sql/index.js';

export interface SampleRow {
  takenAtMs: number;
  waiting: number;
  active: number;
  /** Since the room was opened. */
  joinedCount: number;
  admittedCount: number;
  seatsHeld: number;
  seatsSold: number;
  revenue: number;
}

export interface NewSample extends Record<string, string | number> {
  concert_id: string;
  waiting: number;
  active: number;
  held: number;
  sold: number;
}

export const listSampled = statement<[takenAtMs: number], { concertId: string }>(
  'list_sampled',
  `SELECT concert_id AS "concertId" FROM samples WHERE taken_at = $1`,
);

/** One row a concert and period, whoever writes it first; never one between samples that exist. */
export const insertSamples = statement<[takenAtMs: number, samples: readonly NewSample[] & SqlParam]>(
  'insert_samples',
  (dialect) => `INSERT INTO samples
     (concert_id, taken_at, waiting, active, joined_count, admitted_count, seats_held, seats_sold, revenue)
   SELECT r.concert_id, CAST($1 AS BIGINT), n.waiting, n.active, r.last_number, r.admitted_count, n.held, n.sold,
     (SELECT coalesce(sum(p.amount), 0) FROM payments p WHERE p.concert_id = r.concert_id AND p.refunded_at IS NULL)
   FROM ${dialect.rows('$2', { concert_id: 'text', waiting: 'bigint', active: 'bigint', held: 'bigint', sold: 'bigint' })} AS n
   JOIN queues r ON r.concert_id = n.concert_id
   WHERE NOT EXISTS (SELECT 1 FROM samples s WHERE s.concert_id = r.concert_id AND s.taken_at >= $1)
   ORDER BY r.concert_id ON CONFLICT (concert_id, taken_at) DO NOTHING`,
);

/** Beginning with the last one before that time, which the first one after it counts from. */
export const listSamples = statement<[concertId: string, sinceMs: number], SampleRow>(
  'list_samples',
  `SELECT taken_at AS "takenAtMs", waiting, active, joined_count AS "joinedCount", admitted_count AS "admittedCount",
     seats_held AS "seatsHeld", seats_sold AS "seatsSold", revenue
   FROM samples WHERE concert_id = $1 AND taken_at >= coalesce(
     (SELECT max(taken_at) FROM samples WHERE concert_id = $1 AND taken_at <= $2), $2) ORDER BY taken_at`,
);

/** The newest of the old ones stays: what comes next is counted from it. */
export const forgetSamples = statement<[beforeMs: number]>(
  'forget_samples',
  `DELETE FROM samples WHERE taken_at < $1 AND EXISTS (
     SELECT 1 FROM samples s WHERE s.concert_id = samples.concert_id AND s.taken_at > samples.taken_at AND s.taken_at < $1)`,
);
