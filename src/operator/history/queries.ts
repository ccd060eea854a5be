import { type SqlParam, statement } from '../../platform/sql/index.js';
import { bucketOf } from './wait-counts.js';

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
  peak_waiting: number;
  peak_active: number;
  /** JSON. */
  wait_counts: string;
}

/** What a new sample continues. */
export interface LastSampleRow {
  concertId: string;
  takenAtMs: number;
  peakWaiting: number;
  peakActive: number;
  waitCounts: string;
}

export const listLastSamples = statement<[concertIds: readonly string[]], LastSampleRow>(
  'list_last_samples',
  (
    dialect,
  ) => `SELECT s.concert_id AS "concertId", s.taken_at AS "takenAtMs", s.peak_waiting AS "peakWaiting",
     s.peak_active AS "peakActive", s.wait_counts AS "waitCounts"
   FROM samples s WHERE s.concert_id ${dialect.anyOf('$1')}
     AND s.taken_at = (SELECT max(t.taken_at) FROM samples t WHERE t.concert_id = s.concert_id)`,
);

export interface WaitsSince extends Record<string, string | number> {
  concert_id: string;
  since: number;
}

/** How long the fans waited who were admitted after `since` of their concert and until `untilMs`. */
export const countWaits = statement<
  [concerts: readonly WaitsSince[] & SqlParam, untilMs: number],
  { concertId: string; bucket: number; count: number }
>(
  'count_waits',
  (
    dialect,
  ) => `SELECT p.concert_id AS "concertId", ${bucketOf('(p.activated_at - p.joined_at)')} AS bucket, count(*) AS count
   FROM ${dialect.rows('$1', { concert_id: 'text', since: 'bigint' })} AS n
   JOIN places p ON p.concert_id = n.concert_id AND p.activated_at > n.since AND p.activated_at <= $2
   WHERE p.activated_at IS NOT NULL GROUP BY 1, 2`,
);

export const listSampledConcerts = statement<[takenAtMs: number], { concertId: string }>(
  'list_sampled_concerts',
  `SELECT concert_id AS "concertId" FROM samples WHERE taken_at = $1`,
);

/** One row per concert and period: the first process to write it wins. Never adds a sample older than an existing one. */
export const insertSamples = statement<[takenAtMs: number, samples: readonly NewSample[] & SqlParam]>(
  'insert_samples',
  (dialect) => `INSERT INTO samples
     (concert_id, taken_at, waiting, active, joined_count, admitted_count, seats_held, seats_sold, revenue,
      peak_waiting, peak_active, wait_counts)
   SELECT r.concert_id, CAST($1 AS BIGINT), n.waiting, n.active, r.last_number, r.admitted_count, n.held, n.sold,
     (SELECT coalesce(sum(p.amount), 0) FROM payments p WHERE p.concert_id = r.concert_id AND p.refunded_at IS NULL),
     n.peak_waiting, n.peak_active, n.wait_counts
   FROM ${dialect.rows('$2', {
     concert_id: 'text',
     waiting: 'bigint',
     active: 'bigint',
     held: 'bigint',
     sold: 'bigint',
     peak_waiting: 'bigint',
     peak_active: 'bigint',
     wait_counts: 'text',
   })} AS n
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

/** Every purge keeps the newest sample of a sale: its totals continue from there if the sale is reopened. */
const HAS_NEWER = `EXISTS (SELECT 1 FROM samples s WHERE s.concert_id = old.concert_id AND s.taken_at > old.taken_at)`;

/** Deletes samples before `beforeMs`, except one per minute. */
export const condenseToMinutes = statement<[beforeMs: number, limit: number]>(
  'condense_to_minutes',
  `DELETE FROM samples WHERE (concert_id, taken_at) IN (
     SELECT old.concert_id, old.taken_at FROM samples old
     WHERE old.taken_at < $1 AND old.taken_at % 60000 <> 0 AND ${HAS_NEWER} LIMIT $2)`,
);

/** Deletes samples before `beforeMs`, except one per ten minutes. */
export const condenseToTenMinutes = statement<[beforeMs: number, limit: number]>(
  'condense_to_ten_minutes',
  `DELETE FROM samples WHERE (concert_id, taken_at) IN (
     SELECT old.concert_id, old.taken_at FROM samples old
     WHERE old.taken_at < $1 AND old.taken_at % 600000 <> 0 AND ${HAS_NEWER} LIMIT $2)`,
);

/** Deletes old samples of sales that have their report. */
export const deleteReportedSamples = statement<[beforeMs: number, limit: number]>(
  'delete_reported_samples',
  `DELETE FROM samples WHERE (concert_id, taken_at) IN (
     SELECT old.concert_id, old.taken_at FROM samples old JOIN sale_reports r ON r.concert_id = old.concert_id
     WHERE old.taken_at < $1 AND ${HAS_NEWER} LIMIT $2)`,
);
