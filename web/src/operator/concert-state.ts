import { closingWithLastDate, salePhaseAt } from '../concerts/sale-state.js';
import type { OperatorConcert } from './operator-api.js';

/** Every sale closes, at the latest when the last date begins. */
export const withClosing = (concert: OperatorConcert): OperatorConcert =>
  closingWithLastDate(concert, [{ startsAt: concert.lastStartsAt }]);

export type ConcertState = 'DRAFT' | 'BEFORE' | 'OPEN' | 'PAUSED' | 'SOLD_OUT' | 'CLOSED';

/** The state of the sale. Anything that stops admissions takes precedence. */
export function concertStateAt(concert: OperatorConcert, nowMs: number): ConcertState {
  if (concert.draft) return 'DRAFT';
  if (concert.soldOut) return 'SOLD_OUT';
  const phase = salePhaseAt(withClosing(concert), nowMs);
  return phase !== 'CLOSED' && concert.waitingRoom.paused ? 'PAUSED' : phase;
}
