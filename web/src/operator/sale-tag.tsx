import { salePhaseAt } from '../concerts/sale-state.js';
import { useFormat } from '../i18n/index.js';
import type { OperatorConcert } from './operator-api.js';
import { useOperatorText } from './texts/index.js';

type SaleTimes = Pick<OperatorConcert, 'salesOpenAt' | 'salesCloseAt' | 'timeZone'>;

/** The state of the sale. Anything that stops admissions takes precedence. */
export function SaleTag({ concert, nowMs }: { readonly concert: OperatorConcert; readonly nowMs: number }) {
  const { general } = useOperatorText();
  const state = salePhaseAt(concert, nowMs);
  if (concert.draft) return <span className="tag tag-warn">{general.states.DRAFT}</span>;
  if (concert.soldOut) return <span className="tag tag-bad">{general.states.SOLD_OUT}</span>;
  if (state === 'CLOSED') return <span className="tag">{general.states.CLOSED}</span>;
  if (concert.waitingRoom.paused) return <span className="tag tag-warn">{general.states.PAUSED}</span>;
  return <span className={`tag ${state === 'OPEN' ? 'tag-good' : ''}`}>{general.states[state]}</span>;
}

/** When the sale opens, or else when it ends or ended. */
export function NextSaleTime({ concert, nowMs }: { readonly concert: SaleTimes; readonly nowMs: number }) {
  const { general } = useOperatorText();
  const format = useFormat(concert.timeZone);
  const { salesOpenAt, salesCloseAt } = concert;
  const state = salePhaseAt(concert, nowMs);
  if (state === 'BEFORE' && salesOpenAt !== null) return general.opensAt(format.date(salesOpenAt));
  if (salesCloseAt === null) return general.openEnded;
  return state === 'CLOSED'
    ? general.closedAt(format.date(salesCloseAt))
    : general.closesAt(format.date(salesCloseAt));
}
