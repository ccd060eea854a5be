import { type SqlParam, statement } from '../../platform/sql/index.js';

export interface SampleRow {
  takenAtMs: number;
  waiting: number;
  active: number;
  /** Running totals since the queue was opened. */
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

export const listSampledConcerts = statement<[takenAtMs: number], { concertId: string }>(
  'list_sampled_concerts',
  `SELECT concert_id AS "concertId" FROM samples WHERE taken_at = $1`,
);

/** One row per concert and period: the first process to write it wins. Never adds a sample older than an existing one. */
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

/** Starts with the last sample before `sinceMs`: the counts of the first shown period are relative to it. */
export const listSamples = statement<[concertId: string, sinceMs: number], SampleRow>(
  'list_samples',
  `SELECT taken_at AS "takenAtMs", waiting, active, joined_count AS "joinedCount", admitted_count AS "admittedCount",
     seats_held AS "seatsHeld", seats_sold AS "seatsSold", revenue
   FROM samples WHERE concert_id = $1 AND taken_at >= coalesce(
     (SELECT max(taken_at) FROM samples WHERE concert_id = $1 AND taken_at <= $2), $2) ORDER BY taken_at`,
);

/** Keeps the newest sample before `beforeMs`: the counts of the next period are relative to it. */
export const deleteSamples = statement<[beforeMs: number]>(
  'delete_samples',
  `DELETE FROM samples WHERE taken_at < $1 AND EXISTS (
     SELECT 1 FROM samples s WHERE s.concert_id = samples.concert_id AND s.taken_at > samples.taken_at AND s.taken_at < $1)`,
);
