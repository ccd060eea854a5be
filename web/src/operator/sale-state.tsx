import { saleHoursAt } from '../concerts/sale-state.js';
import { useFormat } from '../i18n/index.js';
import type { DeskConcert } from './desk.js';
import { useOperatorText } from './texts/index.js';

type SaleTimes = Pick<DeskConcert, 'salesOpenAt' | 'salesCloseAt'>;

/** How the sale stands, in a word. What keeps fans out comes first. */
export function SaleTag({ concert, nowMs }: { readonly concert: DeskConcert; readonly nowMs: number }) {
  const { desk } = useOperatorText();
  const state = saleHoursAt(concert, nowMs);
  if (concert.soldOut) return <span className="tag tag-bad">{desk.states.SOLD_OUT}</span>;
  if (state === 'CLOSED') return <span className="tag">{desk.states.CLOSED}</span>;
  if (concert.waitingRoom.paused) return <span className="tag tag-warn">{desk.states.PAUSED}</span>;
  return <span className={`tag ${state === 'OPEN' ? 'tag-good' : ''}`}>{desk.states[state]}</span>;
}

/** When the sale opens or ends next. */
export function SaleTimesLine({ concert, nowMs }: { readonly concert: SaleTimes; readonly nowMs: number }) {
  const { desk } = useOperatorText();
  const format = useFormat();
  const { salesOpenAt, salesCloseAt } = concert;
  const state = saleHoursAt(concert, nowMs);
  if (state === 'BEFORE' && salesOpenAt !== null) return desk.opensAt(format.date(salesOpenAt));
  if (salesCloseAt === null) return desk.openEnded;
  return state === 'CLOSED'
    ? desk.closedAt(format.date(salesCloseAt))
    : desk.closesAt(format.date(salesCloseAt));
}
