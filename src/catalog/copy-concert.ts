import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { HOUR_MS } from '../kernel/time.js';
import type { Tx } from '../platform/sql/index.js';
import { type AddedConcert, SEATS_PER_INSERT } from './add-concert.js';
import { copySchedule, copySeats, listSeatPositions } from './copy-queries.js';
import { type ConcertChange, type ConcertEdit, requireOrder } from './edit-concert.js';
import type { Concert } from './concert-cache.js';
import { findConcert, insertConcert, listSchedulesOf } from './queries.js';

const DAY_MS = 24 * HOUR_MS;
/** The last instant that a year of four digits can say. */
const TIME_MAX_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** What the copy has otherwise; sale times that are not named move with the dates. */
export type CopyOptions = Pick<ConcertEdit, 'title' | 'salesOpenAtMs' | 'salesCloseAtMs'> & {
  readonly shiftDays: number;
};

/** The same concert with the same charts on other dates, all of it on sale. Answers the original, the copy and its dates. */
export async function copyConcert(
  tx: Tx,
  sourceId: string,
  options: CopyOptions,
): Promise<ConcertChange & { readonly added: AddedConcert }> {
  // Not locked: a large copy takes a while, and the original goes on selling meanwhile.
  const found = await tx.get(findConcert, [sourceId]);
  if (!found) throw new Refusal('CONCERT_NOT_FOUND');
  const { soldOut: _, ...before } = found;
  const shiftMs = options.shiftDays * DAY_MS;
  const { salesOpenAtMs, salesCloseAtMs } = options;
  const after: Concert = {
    ...before,
    id: newId(),
    title: options.title ?? before.title,
    salesOpenAtMs: salesOpenAtMs === undefined ? shifted(before.salesOpenAtMs, shiftMs) : salesOpenAtMs,
    salesCloseAtMs: salesCloseAtMs === undefined ? shifted(before.salesCloseAtMs, shiftMs) : salesCloseAtMs,
    createdAtMs: tx.nowMs,
  };
  requireOrder(after);
  await tx.exec(insertConcert, [
    after.id,
    after.title,
    after.venue,
    after.description,
    after.currency,
    after.salesOpenAtMs,
    after.salesCloseAtMs,
    after.createdAtMs,
  ]);
  const schedules: AddedConcert['schedules'][number][] = [];
  for (const source of await tx.all(listSchedulesOf, [sourceId])) {
    const id = newId();
    const startsAtMs = shift(source.startsAtMs, shiftMs);
    await tx.exec(copySchedule, [id, after.id, startsAtMs, source.id]);
    schedules.push({ id, startsAtMs, seatsTotal: await copyChart(tx, source.id, id) });
  }
  return { before, after, added: { id: after.id, schedules } };
}

/** Only ids travel: what the seats are, the database copies by itself. */
async function copyChart(tx: Tx, sourceId: string, scheduleId: string): Promise<number> {
  const positions = await tx.all(listSeatPositions, [sourceId]);
  const copies = positions.map(({ position }) => ({ id: newId(), position }));
  for (let at = 0; at < copies.length; at += SEATS_PER_INSERT)
    await tx.exec(copySeats, [scheduleId, sourceId, copies.slice(at, at + SEATS_PER_INSERT)]);
  return copies.length;
}

function shift(ms: number, byMs: number): number {
  const to = ms + byMs;
  if (to < 0 || to > TIME_MAX_MS) throw new Refusal('INVALID_REQUEST', { field: 'shiftDays' });
  return to;
}

const shifted = (ms: number | null, byMs: number): number | null => (ms === null ? null : shift(ms, byMs));
