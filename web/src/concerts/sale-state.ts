import type { Concert } from '../api/index.js';

export type SaleState = 'BEFORE' | 'OPEN' | 'SOLD_OUT' | 'CLOSED';

/** How a sale stands at this moment; told from its times, so that it turns by itself while one looks at it. */
export function saleStateAt(
  { salesOpenAt, salesCloseAt, soldOut }: Pick<Concert, 'salesOpenAt' | 'salesCloseAt' | 'soldOut'>,
  nowMs: number,
): SaleState {
  if (salesCloseAt !== null && Date.parse(salesCloseAt) <= nowMs) return 'CLOSED';
  if (salesOpenAt !== null && Date.parse(salesOpenAt) > nowMs) return 'BEFORE';
  return soldOut ? 'SOLD_OUT' : 'OPEN';
}
