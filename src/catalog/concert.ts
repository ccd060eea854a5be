import { isoOrNull } from '../kernel/time.js';
import type { ConcertRow } from './queries.js';

/** A concert as everybody reads it; whatever else its row has goes along. */
export function toConcert<Row extends ConcertRow>({
  salesOpenAtMs,
  salesCloseAtMs,
  createdAtMs: _,
  ...rest
}: Row) {
  return { ...rest, salesOpenAt: isoOrNull(salesOpenAtMs), salesCloseAt: isoOrNull(salesCloseAtMs) };
}
