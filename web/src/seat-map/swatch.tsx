import { CHOSEN_MARK, HELD_MARK, SOLD_MARK, colourOf, shapeOf } from './paint/seat-shapes.js';
import { HELD, SOLD } from './chart/seat-states.js';

interface Props {
  readonly grade: number;
  readonly state: number | 'chosen';
}

/** A seat as drawn on the map, used next to text. */
export function Swatch({ grade, state }: Props) {
  const look = state === 'chosen' ? 'chosen' : state === SOLD ? 'sold' : state === HELD ? 'held' : 'free';
  const mark = { chosen: CHOSEN_MARK, sold: SOLD_MARK, held: HELD_MARK, free: undefined }[look];
  return (
    <svg
      className="seat-swatch"
      data-look={look}
      data-colour={colourOf(grade)}
      viewBox="-1.5 -1.5 3 3"
      aria-hidden="true"
    >
      {look !== 'sold' && <path className="seat-swatch__shape" d={shapeOf(grade)} />}
      {mark && <path className="seat-swatch__mark" d={mark} />}
    </svg>
  );
}
