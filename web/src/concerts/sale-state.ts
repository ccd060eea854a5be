import type { Concert } from '../api/index.js';

/** By the sale times alone. */
export type SalePhase = 'BEFORE' | 'OPEN' | 'CLOSED';
export type SaleState = SalePhase | 'SOLD_OUT';

type SaleTimes = Pick<Concert, 'salesOpenAt' | 'salesCloseAt'>;

export function salePhaseAt({ salesOpenAt, salesCloseAt }: SaleTimes, nowMs: number): SalePhase {
  if (salesCloseAt !== null && Date.parse(salesCloseAt) <= nowMs) return 'CLOSED';
  return salesOpenAt !== null && Date.parse(salesOpenAt) > nowMs ? 'BEFORE' : 'OPEN';
}

/** The state of a sale at a time. Computed from its times, so that it changes on an open page without a reload. */
export function saleStateAt(concert: SaleTimes & Pick<Concert, 'soldOut'>, nowMs: number): SaleState {
  const hours = salePhaseAt(concert, nowMs);
  return hours === 'OPEN' && concert.soldOut ? 'SOLD_OUT' : hours;
}

/** The sale times of a concert with these dates: a sale closes at the latest when the last date begins. */
export function closingWithLastDate<Sale extends SaleTimes>(
  sale: Sale,
  dates: readonly { readonly startsAt: string }[],
): Sale {
  const last =
    dates
      .map(({ startsAt }) => startsAt)
      .sort()
      .at(-1) ?? null;
  const { salesCloseAt } = sale;
  const isEarlier = last !== null && (salesCloseAt === null || Date.parse(last) < Date.parse(salesCloseAt));
  return isEarlier ? { ...sale, salesCloseAt: last } : sale;
}
