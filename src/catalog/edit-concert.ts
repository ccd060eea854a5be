import { FaultList } from '../kernel/fault-list.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { type Concert, concertEdited } from './concert-cache.js';
import { lockConcert, updateConcert } from './queries.js';

export type ConcertEdit = {
  readonly [
    Field in
      | 'title'
      | 'venue'
      | 'description'
      | 'timeZone'
      | 'salesOpenAtMs'
      | 'salesCloseAtMs'
      | 'runningMinutes'
      | 'minAge'
      | 'refundRules'
  ]?: Concert[Field] | undefined;
};

/** A concert before and after a change. */
export interface ConcertChange {
  readonly before: Concert;
  readonly after: Concert;
}

export async function editConcert(tx: Tx, concertId: string, edit: ConcertEdit): Promise<ConcertChange> {
  const before = await tx.get(lockConcert, [concertId]);
  if (!before) throw new Refusal('CONCERT_NOT_FOUND');
  const after: Concert = {
    ...before,
    title: edit.title ?? before.title,
    venue: edit.venue ?? before.venue,
    description: edit.description ?? before.description,
    timeZone: edit.timeZone ?? before.timeZone,
    salesOpenAtMs: edit.salesOpenAtMs === undefined ? before.salesOpenAtMs : edit.salesOpenAtMs,
    salesCloseAtMs: edit.salesCloseAtMs === undefined ? before.salesCloseAtMs : edit.salesCloseAtMs,
    runningMinutes: edit.runningMinutes === undefined ? before.runningMinutes : edit.runningMinutes,
    minAge: edit.minAge === undefined ? before.minAge : edit.minAge,
    refundRules: edit.refundRules ?? before.refundRules,
  };
  requireSaleOrder(after);
  await tx.exec(updateConcert, [
    concertId,
    after.title,
    after.venue,
    after.description,
    after.salesOpenAtMs,
    after.salesCloseAtMs,
    after.timeZone,
    after.runningMinutes,
    after.minAge,
    after.refundRules,
  ]);
  tx.publish(concertEdited, after);
  return { before, after };
}

/** A sale that closes before it opens is most likely a mistake. */
export function checkSaleOrder(
  { salesOpenAtMs, salesCloseAtMs }: Pick<Concert, 'salesOpenAtMs' | 'salesCloseAtMs'>,
  faults: FaultList,
): void {
  if (salesOpenAtMs !== null && salesCloseAtMs !== null && salesCloseAtMs <= salesOpenAtMs)
    faults.add('/salesCloseAt', 'must be later than salesOpenAt');
}

export function requireSaleOrder(sale: Pick<Concert, 'salesOpenAtMs' | 'salesCloseAtMs'>): void {
  const faults = new FaultList();
  checkSaleOrder(sale, faults);
  faults.requireNone();
}
