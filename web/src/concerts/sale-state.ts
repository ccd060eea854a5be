import type { Concert } from '../api/index.js';

/** By its times alone. */
export type SaleHours = 'BEFORE' | 'OPEN' | 'CLOSED';
export type SaleState = SaleHours | 'SOLD_OUT';

type SaleTimes = Pick<Concert, 'salesOpenAt' | 'salesCloseAt'>;

export function saleHoursAt({ salesOpenAt, salesCloseAt }: SaleTimes, nowMs: number): SaleHours {
  if (salesCloseAt !== null && Date.parse(salesCloseAt) <= nowMs) return 'CLOSED';
  return salesOpenAt !== null && Date.parse(salesOpenAt) > nowMs ? 'BEFORE' : 'OPEN';
}

/** How a sale stands at this moment; told from its times, so that it turns by itself while one looks at it. */
export function saleStateAt(concert: SaleTimes & Pick<Concert, 'soldOut'>, nowMs: number): SaleState {
  const hours = saleHoursAt(concert, nowMs);
  return hours === 'OPEN' && concert.soldOut ? 'SOLD_OUT' : hours;
}
