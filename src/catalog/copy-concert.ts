import { invalidBody } from '../kernel/fault-list.js';
import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { addDays } from '../kernel/time-zone.js';
import type { Reader } from '../platform/sql/index.js';
import { copySeatsOf } from '../seating/index.js';
import { type ConcertBuild, planBuild, type PlannedDate } from './build-concert.js';
import type { Concert } from './concert-cache.js';
import { type ConcertChange, type ConcertEdit, requireSaleOrder } from './edit-concert.js';
import { copyPoster } from './poster/change-poster.js';
import { findConcert, listSchedulesOf, listSectionsOf } from './queries.js';

const SHIFTED_TOO_FAR = { path: '/shiftDays', rule: 'must not move a time before 1970 or after 9999' };
/** The last instant of the last four-digit year. */
const TIME_MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Overrides for the copy. Omitted sale times are shifted like the dates. */
export type CopyOptions = Pick<ConcertEdit, 'title' | 'salesOpenAtMs' | 'salesCloseAtMs'> & {
  readonly shiftDays: number;
  /** Omitted: the copy of a draft is a draft. */
  readonly draft?: boolean | undefined;
};

/** Plans a copy of a concert with its dates and charts, on later days at the same time of day, with all seats available. */
export async function planCopy(
  reader: Reader,
  sourceId: string,
  options: CopyOptions,
): Promise<ConcertChange & { readonly build: ConcertBuild }> {
  const before = await reader.get(findConcert, [sourceId]);
  if (!before) throw new Refusal('CONCERT_NOT_FOUND');
  const shift = (ms: number): number => shiftDays(ms, options.shiftDays, before.timeZone);
  const shiftOrNull = (ms: number | null): number | null => (ms === null ? null : shift(ms));
  const { salesOpenAtMs, salesCloseAtMs } = options;
  const after: Concert = {
    ...before,
    id: newId(),
    title: options.title ?? before.title,
    salesOpenAtMs: salesOpenAtMs === undefined ? shiftOrNull(before.salesOpenAtMs) : salesOpenAtMs,
    salesCloseAtMs: salesCloseAtMs === undefined ? shiftOrNull(before.salesCloseAtMs) : salesCloseAtMs,
    state: isDraft(options.draft, before) ? 'DRAFT' : 'PUBLISHED',
    lastStartsAtMs: shift(before.lastStartsAtMs),
  };
  requireSaleOrder(after);
  const sections = new Map(
    (await reader.all(listSectionsOf, [sourceId])).map((row) => [row.id, row.sections]),
  );
  const dates = (await reader.all(listSchedulesOf, [sourceId])).map((source): PlannedDate => {
    const id = newId();
    const { seatsTotal } = source;
    return {
      id,
      startsAtMs: shift(source.startsAtMs),
      seatsTotal,
      sections: sections.get(source.id) ?? '[]',
      seatBatches: () => copySeatsOf(source.id, id, seatsTotal),
    };
  });
  return { before, after, build: planBuild(after, dates, (tx) => copyPoster(tx, sourceId, after.id)) };
}

const isDraft = (draft: boolean | undefined, source: Concert): boolean => draft ?? source.state === 'DRAFT';

function shiftDays(ms: number, days: number, timeZone: string): number {
  const shiftedMs = addDays(ms, days, timeZone);
  if (shiftedMs < 0 || shiftedMs > TIME_MAX_MS) throw invalidBody([SHIFTED_TOO_FAR]);
  return shiftedMs;
}
