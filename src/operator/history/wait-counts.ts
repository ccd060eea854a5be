/**
 * How long fans waited until they were admitted, as counts per bucket. Ended places are deleted after a while, so each
 * sample carries the counts of the whole sale so far; the newest sample and the places admitted since then give all of
 * them. A running total can be continued from any sample, so it does not matter which process wrote which.
 */
import { SECOND_MS } from '../../kernel/time.js';

/** Upper bounds of the buckets; the last bucket has none. */
const BOUNDS_SECONDS = [
  1, 2, 5, 10, 20, 30, 60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600, 5400, 7200, 10_800, 14_400,
  21_600, 43_200, 86_400,
] as const;

export type WaitCounts = readonly number[];

export const NO_WAITS: WaitCounts = [...BOUNDS_SECONDS, Infinity].map(() => 0);

/** SQL: the bucket of a wait in milliseconds. */
export const bucketOf = (wait: string): string =>
  `CASE ${BOUNDS_SECONDS.map((bound, bucket) => `WHEN ${wait} < ${bound * SECOND_MS} THEN ${bucket}`).join(' ')} ELSE ${BOUNDS_SECONDS.length} END`;

export interface BucketCount {
  readonly bucket: number;
  readonly count: number;
}

export const addWaits = (counts: WaitCounts, added: readonly BucketCount[]): WaitCounts =>
  counts.map((count, bucket) =>
    added.reduce((sum, entry) => (entry.bucket === bucket ? sum + entry.count : sum), count),
  );

/** Written by `history.ts`. */
export const parseWaits = (text: string): WaitCounts => JSON.parse(text) as WaitCounts;

export const totalOf = (counts: WaitCounts): number => counts.reduce((sum, count) => sum + count, 0);

/** The wait that the given share of fans did not exceed, interpolated within its bucket. Null if nobody was admitted. */
export function waitQuantileSeconds(counts: WaitCounts, share: number): number | null {
  const wanted = totalOf(counts) * share;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) {
      const from = BOUNDS_SECONDS[bucket - 1] ?? 0;
      // Waits above the last bound are reported as that bound.
      const to = BOUNDS_SECONDS[bucket] ?? from;
      return Math.round(from + ((to - from) * (wanted - below)) / count);
    }
    below += count;
  }
  return null;
}
