import type { Ref } from 'react';
import type { Lang } from '../i18n/dictionary.js';
import type { Chart } from './chart.js';
import type { Engine } from './engine.js';
import { costOf, placeOf, stateName } from './labels.js';
import { SOLD, type SeatStates } from './states.js';
import { Swatch } from './Swatch.js';
import { textsOf } from './texts.js';

interface Props {
  readonly ref: Ref<HTMLDivElement>;
  readonly chart: Chart;
  readonly states: SeatStates;
  readonly seat: number;
  readonly isChosen: boolean;
  readonly lang: Lang;
}

/** What a seat is, beside it, while the mouse or the keyboard is there. Assistive technology hears it from the option. */
export function SeatCard({ ref, chart, states, seat, isChosen, lang }: Props) {
  const code = states.codes[seat] ?? SOLD;
  return (
    <div ref={ref} className="seat-map__card" aria-hidden="true">
      <strong>{placeOf(chart, seat, lang)}</strong>
      <span className="seat-map__card-line">
        <Swatch grade={chart.seats.grade[seat] ?? 0} state={isChosen ? 'chosen' : code} />
        {costOf(chart, seat, lang)}
      </span>
      <span className="seat-map__card-state">{stateName(textsOf(lang), code, isChosen)}</span>
    </div>
  );
}

const EDGE_PX = 8;

/** Above its seat, or below where there is no room, and within the map. */
export function placeCard(card: HTMLElement | null, engine: Engine | null, seat: number): void {
  const around = card?.parentElement;
  if (!card || !engine || !around || seat < 0) return;
  const { x, y, radius } = engine.whereIs(seat);
  const left = Math.min(
    Math.max(EDGE_PX, x - card.offsetWidth / 2),
    around.clientWidth - card.offsetWidth - EDGE_PX,
  );
  const above = y - radius - card.offsetHeight - EDGE_PX;
  const top = above >= EDGE_PX ? above : y + radius + EDGE_PX;
  card.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}
