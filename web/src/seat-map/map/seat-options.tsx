import type { Lang } from '../../i18n/dictionary.js';
import type { Chart } from '../chart/chart.js';
import { fullLabel } from '../labels.js';
import { SOLD, AVAILABLE, type SeatStates } from '../chart/seat-states.js';

export const optionId = (id: string, seat: number): string => `${id}-seat-${seat}`;

interface Props {
  readonly id: string;
  readonly chart: Chart;
  readonly states: SeatStates;
  readonly selected: ReadonlySet<number>;
  readonly cursor: number;
  readonly lang: Lang;
  readonly readOnly: boolean;
}

/** The options of the listbox, for screen readers: the seats of the cursor's row, or of the first row without a cursor. */
export function SeatOptions({ id, chart, states, selected, cursor, lang, readOnly }: Props) {
  const row = chart.rows[chart.seats.row[Math.max(0, cursor)] ?? 0];
  return row?.seats.map((seat) => {
    const code = states.codes[seat] ?? SOLD;
    const isChosen = selected.has(seat);
    return (
      <div
        key={seat}
        id={optionId(id, seat)}
        className="seat-map__unseen"
        role="option"
        aria-selected={isChosen}
        aria-disabled={!readOnly && !isChosen && code !== AVAILABLE}
        aria-label={fullLabel(chart, seat, code, isChosen, lang)}
      />
    );
  });
}
