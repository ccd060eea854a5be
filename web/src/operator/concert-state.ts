import { closingWithLastDate, salePhaseAt } from '../concerts/sale-state.js';
import type { OperatorConcert } from './operator-api.js';

/** Every sale closes, at the latest when the last date begins. */
export const withClosing = (concert: OperatorConcert): OperatorConcert =>
  closingWithLastDate(concert, [{ startsAt: concert.lastStartsAt }]);

export type ConcertState = 'DRAFT' | 'BEFORE' | 'OPEN' | 'PAUSED' | 'SOLD_OUT' | 'CLOSED';

/** The state of the sale. Anything that stops admissions takes precedence; a closed sale is closed, as fans see it. */
export function concertStateAt(concert: OperatorConcert, nowMs: number): ConcertState {
  if (concert.draft) return 'DRAFT';
  const phase = salePhaseAt(withClosing(concert), nowMs);
  if (phase === 'CLOSED') return phase;
  if (concert.soldOut) return 'SOLD_OUT';
  return concert.waitingRoom.paused ? 'PAUSED' : phase;
}
