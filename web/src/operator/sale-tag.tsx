import { salePhaseAt } from '../concerts/sale-state.js';
import { useFormat } from '../i18n/index.js';
import { concertStateAt, withClosing } from './concert-state.js';
import type { OperatorConcert } from './operator-api.js';
import { useOperatorText } from './texts/index.js';

const TONES = {
  DRAFT: 'tag-warn',
  BEFORE: '',
  OPEN: 'tag-good',
  PAUSED: 'tag-warn',
  SOLD_OUT: 'tag-bad',
  CLOSED: '',
} as const;

/** The state of the sale. */
export function SaleTag({ concert, nowMs }: { readonly concert: OperatorConcert; readonly nowMs: number }) {
  const { general } = useOperatorText();
  const state = concertStateAt(concert, nowMs);
  return <span className={`tag ${TONES[state]}`}>{general.states[state]}</span>;
}

/** When the sale opens, or else when it ends or ended. */
export function NextSaleTime({
  concert,
  nowMs,
}: {
  readonly concert: OperatorConcert;
  readonly nowMs: number;
}) {
  const { general } = useOperatorText();
  const format = useFormat(concert.timeZone);
  const { salesOpenAt, salesCloseAt } = withClosing(concert);
  const state = salePhaseAt({ salesOpenAt, salesCloseAt }, nowMs);
  if (state === 'BEFORE' && salesOpenAt !== null) return general.opensAt(format.date(salesOpenAt));
  const closesAt = format.date(salesCloseAt ?? concert.lastStartsAt);
  return state === 'CLOSED' ? general.closedAt(closesAt) : general.closesAt(closesAt);
}
