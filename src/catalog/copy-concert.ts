import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { HOUR_MS } from '../kernel/time.js';
import type { Tx } from '../platform/sql/index.js';
import { copySeatsOf } from '../seating/index.js';
import { addConcertRow, type AddedConcert } from './add-concert.js';
import type { Concert } from './concert-cache.js';
import { type ConcertChange, type ConcertEdit, requireSaleOrder } from './edit-concert.js';
import { findConcert, insertSchedule, listSchedulesOf } from './queries.js';

const DAY_MS = 24 * HOUR_MS;
/** The last instant of the last four-digit year. */
const TIME_MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Overrides for the copy. Omitted sale times are shifted like the dates. */
export type CopyOptions = Pick<ConcertEdit, 'title' | 'salesOpenAtMs' | 'salesCloseAtMs'> & {
  readonly shiftDays: number;
};

/** Copies a concert with its dates and charts, shifted in time, with all seats available. */
export async function copyConcert(
  tx: Tx,
  sourceId: string,
  options: CopyOptions,
): Promise<ConcertChange & { readonly added: AddedConcert }> {
  // Not locked: a large copy takes a while, and the original concert stays on sale.
  const found = await tx.get(findConcert, [sourceId]);
  if (!found) throw new Refusal('CONCERT_NOT_FOUND');
  const { soldOut: _, ...before } = found;
  const shiftMs = options.shiftDays * DAY_MS;
  const { salesOpenAtMs, salesCloseAtMs } = options;
  const after: Concert = {
    ...before,
    id: newId(),
    title: options.title ?? before.title,
    salesOpenAtMs: salesOpenAtMs === undefined ? shiftOrNull(before.salesOpenAtMs, shiftMs) : salesOpenAtMs,
    salesCloseAtMs:
      salesCloseAtMs === undefined ? shiftOrNull(before.salesCloseAtMs, shiftMs) : salesCloseAtMs,
    createdAtMs: tx.nowMs,
  };
  requireSaleOrder(after);
  await addConcertRow(tx, after);
  const schedules: AddedConcert['schedules'][number][] = [];
  for (const source of await tx.all(listSchedulesOf, [sourceId])) {
    const id = newId();
    const startsAtMs = shift(source.startsAtMs, shiftMs);
    await tx.exec(insertSchedule, [id, after.id, startsAtMs]);
    schedules.push({ id, startsAtMs, seatsTotal: await copySeatsOf(tx, source.id, id) });
  }
  return { before, after, added: { id: after.id, schedules } };
}

function shift(ms: number, byMs: number): number {
  const shiftedMs = ms + byMs;
  if (shiftedMs < 0 || shiftedMs > TIME_MAX_MS) throw new Refusal('INVALID_REQUEST', { field: 'shiftDays' });
  return shiftedMs;
}

const shiftOrNull = (ms: number | null, byMs: number): number | null =>
  ms === null ? null : shift(ms, byMs);
