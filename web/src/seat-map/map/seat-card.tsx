import type { Ref } from 'react';
import type { Lang } from '../../i18n/dictionary.js';
import type { Chart } from '../chart/chart.js';
import type { Engine } from './engine.js';
import { seatPrice, seatName, stateName } from '../labels.js';
import { SOLD, type SeatStates } from '../chart/seat-states.js';
import { Swatch } from '../swatch.js';
import { textsOf } from '../texts.js';

interface Props {
  readonly ref: Ref<HTMLDivElement>;
  readonly chart: Chart;
  readonly states: SeatStates;
  readonly seat: number;
  readonly isChosen: boolean;
  readonly lang: Lang;
}

/** A tooltip for the seat under the mouse or the keyboard cursor. Screen readers get the same from the listbox option. */
export function SeatCard({ ref, chart, states, seat, isChosen, lang }: Props) {
  const code = states.codes[seat] ?? SOLD;
  return (
    <div ref={ref} className="seat-map__card" aria-hidden="true">
      <strong>{seatName(chart, seat, lang)}</strong>
      <span className="seat-map__card-line">
        <Swatch grade={chart.seats.grade[seat] ?? 0} state={isChosen ? 'chosen' : code} />
        {seatPrice(chart, seat, lang)}
      </span>
      <span className="seat-map__card-state">{stateName(textsOf(lang), code, isChosen)}</span>
    </div>
  );
}

const EDGE_PX = 8;

/** Puts the card above its seat, or below if there is no room, and keeps it within the map. */
export function placeCard(card: HTMLElement | null, engine: Engine | null, seat: number): void {
  const map = card?.parentElement;
  if (!card || !engine || !map || seat < 0) return;
  const { x, y, radius } = engine.screenPositionOf(seat);
  const left = Math.min(
    Math.max(EDGE_PX, x - card.offsetWidth / 2),
    map.clientWidth - card.offsetWidth - EDGE_PX,
  );
  const above = y - radius - card.offsetHeight - EDGE_PX;
  const top = above >= EDGE_PX ? above : y + radius + EDGE_PX;
  card.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}
