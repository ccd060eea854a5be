import type { Reader } from '../../platform/sql/index.js';
import { SECOND_MS } from '../../kernel/time.js';
import { countWaits, listLastSamples } from './queries.js';
import { addWaits, NO_WAITS, parseWaits, type WaitCounts } from './wait-counts.js';

/** Admissions of the last seconds may not be committed yet: a sample leaves their waits to the next one. */
const LAG_MS = 5 * SECOND_MS;

/** What only the samples know about a sale as a whole. */
export interface SaleTotals {
  readonly peakWaiting: number;
  readonly peakActive: number;
  readonly waitCounts: WaitCounts;
}

export const NO_TOTALS: SaleTotals = { peakWaiting: 0, peakActive: 0, waitCounts: NO_WAITS };

/** The totals for a sample that is taken at `takenAtMs`, by concert. */
export const readTotalsForSample = (reader: Reader, concertIds: readonly string[], takenAtMs: number) =>
  readTotals(reader, concertIds, takenAtMs - LAG_MS);

/** The totals of one sale, including every admission until `nowMs`. */
export const readTotalsOf = async (reader: Reader, concertId: string, nowMs: number): Promise<SaleTotals> =>
  (await readTotals(reader, [concertId], nowMs)).get(concertId) ?? NO_TOTALS;

/** The newest sample of each sale, continued with the fans who were admitted since then and until `untilMs`. */
async function readTotals(
  reader: Reader,
  concertIds: readonly string[],
  untilMs: number,
): Promise<ReadonlyMap<string, SaleTotals>> {
  if (concertIds.length === 0) return new Map();
  const rows = await reader.all(listLastSamples, [concertIds]);
  const lastSamples = new Map(rows.map((row) => [row.concertId, row]));
  const since = concertIds.map((concertId) => ({
    concert_id: concertId,
    since: (lastSamples.get(concertId)?.takenAtMs ?? LAG_MS) - LAG_MS,
  }));
  const waits = await reader.all(countWaits, [since, untilMs]);
  return new Map(
    concertIds.map((concertId) => {
      const last = lastSamples.get(concertId);
      const before = last ? parseWaits(last.waitCounts) : NO_WAITS;
      const added = waits.filter((entry) => entry.concertId === concertId);
      const { peakWaiting, peakActive } = last ?? NO_TOTALS;
      return [concertId, { peakWaiting, peakActive, waitCounts: addWaits(before, added) }];
    }),
  );
}
