import type { KeyboardEvent } from 'react';
import { seatWords } from '../../i18n/seat-words.js';
import type { ViewProps } from '../map/map-view.js';
import { fullLabel, gradeAndPrice } from '../labels.js';
import { lookOf } from '../look.js';
import { colourOf } from '../paint/seat-shapes.js';
import { AVAILABLE, SOLD } from '../chart/seat-states.js';
import { Swatch } from '../swatch.js';

export interface SeatRowProps extends ViewProps {
  readonly row: number;
  readonly onlyFree: boolean;
}

/** One row of the list. Tab moves between rows, the arrow keys between seats. */
export function SeatRow({ chart, row, states, selected, lang, readOnly, onlyFree, onPick }: SeatRowProps) {
  const { name = '', seats = [] } = chart.rows[row] ?? {};
  const rowName = seatWords(lang).row(name);
  const canPick = (seat: number): boolean => selected.has(seat) || states.codes[seat] === AVAILABLE;
  const shown = onlyFree ? seats.filter(canPick) : seats;
  const grades = [...new Set(seats.map((seat) => chart.seats.grade[seat] ?? 0))];
  const tabStop = shown.find(canPick) ?? shown[0];
  return (
    <li className="seat-list__row">
      <div className="seat-list__row-head">
        <span className="seat-list__row-name">{rowName}</span>
        {grades.map((grade) => (
          <span key={grade} className="seat-list__grade">
            <Swatch grade={grade} state={AVAILABLE} />
            {gradeAndPrice(chart, grade, lang)}
          </span>
        ))}
      </div>
      <div className="seat-list__seats" role="group" aria-label={rowName} onKeyDown={moveFocus}>
        {shown.map((seat) => {
          const code = states.codes[seat] ?? SOLD;
          const isChosen = selected.has(seat);
          return (
            <button
              key={seat}
              type="button"
              className="seat-list__seat"
              data-look={lookOf(code, isChosen)}
              data-colour={colourOf(chart.seats.grade[seat] ?? 0)}
              {...(!readOnly && { role: 'checkbox', 'aria-checked': isChosen })}
              aria-disabled={!readOnly && !canPick(seat)}
              aria-label={fullLabel(chart, seat, code, isChosen, lang)}
              tabIndex={seat === tabStop ? 0 : -1}
              onClick={() => onPick(seat)}
            >
              {grades.length > 1 && <Swatch grade={chart.seats.grade[seat] ?? 0} state={AVAILABLE} />}
              {chart.seats.number[seat]}
            </button>
          );
        })}
      </div>
    </li>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const seats = [...event.currentTarget.querySelectorAll('button')];
  const here = seats.findIndex((seat) => seat === document.activeElement);
  const next = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: seats.length - 1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  seats[next]?.focus();
}
