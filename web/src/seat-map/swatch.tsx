import { CHOSEN_MARK, HELD_MARK, SOLD_MARK, colourOf, shapeOf } from './paint/seat-shapes.js';
import { type Look, lookOf } from './look.js';

interface Props {
  readonly grade: number;
  readonly state: number | 'chosen';
}

const MARKS: Readonly<Record<Look, string | undefined>> = {
  free: undefined,
  chosen: CHOSEN_MARK,
  mine: CHOSEN_MARK,
  held: HELD_MARK,
  sold: SOLD_MARK,
};

/** A seat as drawn on the map, used next to text. */
export function Swatch({ grade, state }: Props) {
  const look = state === 'chosen' ? state : lookOf(state, false);
  const mark = MARKS[look];
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
