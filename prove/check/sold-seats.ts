import type { DateOnSale, Sale } from '../scenario/scenario.js';
import { callsBySubject, type Evidence, firstStartMs, firstSuccessMs } from './evidence.js';
import { ALWAYS, type Change, intersect, type Interval, intervalsAtLeast } from './interval.js';

/**
 * How many seats of a date were sold over time. The moment of a sale or refund is known only within bounds, so there are
 * two such numbers: what was certainly sold, and what may have been sold.
 */
export interface SoldSeats {
  readonly atLeast: readonly Change[];
  readonly atMost: readonly Change[];
}

export function soldSeatsByDate(evidence: Evidence): Map<string, SoldSeats> {
  const paying = callsBySubject(evidence, 'pay');
  const refunding = callsBySubject(evidence, 'refund');
  const reservations = new Map(evidence.state.reservations.map((row) => [row.id, row]));
  const byDate = new Map<string, { atLeast: Change[]; atMost: Change[] }>();
  for (const payment of evidence.state.payments) {
    const reservation = reservations.get(payment.reservation_id);
    const calls = paying.get(payment.reservation_id);
    if (!reservation || !calls) continue;
    const { schedule_id: dateId, seatIds } = reservation;
    const sold = byDate.get(dateId) ?? { atLeast: [], atMost: [] };
    byDate.set(dateId, sold);
    const by = seatIds.length;
    sold.atLeast.push({ atMs: firstSuccessMs(calls), by });
    sold.atMost.push({ atMs: firstStartMs(calls), by });
    const refunds = refunding.get(payment.id);
    if (!refunds) continue;
    sold.atLeast.push({ atMs: firstStartMs(refunds), by: -by });
    sold.atMost.push({ atMs: firstSuccessMs(refunds), by: -by });
  }
  for (const { atLeast, atMost } of byDate.values()) {
    atLeast.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
    atMost.sort((a, b) => a.atMs - b.atMs || b.by - a.by);
  }
  return byDate;
}

/** When every seat of every future date was sold: certainly, and possibly. */
export function soldOutTimes(
  { dates }: Sale,
  sold: ReadonlyMap<string, SoldSeats>,
  toleranceMs: number,
): { certain: readonly Interval[]; possible: readonly Interval[] } {
  const fullFrom = (
    { id, seatIds, startsAtMs }: DateOnSale,
    which: keyof SoldSeats,
    pastFromMs: number,
  ): Interval[] => {
    const full = intervalsAtLeast(sold.get(id)?.[which] ?? [], seatIds.length);
    const beforePast = intersect(full, [{ fromMs: -Infinity, toMs: startsAtMs + pastFromMs }]);
    return [...beforePast, { fromMs: startsAtMs + pastFromMs, toMs: Infinity }];
  };
  const intersectAll = (which: keyof SoldSeats, pastFromMs: number): readonly Interval[] =>
    dates.reduce(
      (times: readonly Interval[], date) => intersect(times, fullFrom(date, which, pastFromMs)),
      ALWAYS,
    );
  return { certain: intersectAll('atLeast', toleranceMs), possible: intersectAll('atMost', -toleranceMs) };
}
