import type { ReactNode } from 'react';
import { useFormat, useLang, useText } from '../../i18n/index.js';
import { type Chart, seatName } from '../../seat-map/index.js';
import { Button } from '../../ui/index.js';
import type { Selection } from './use-selection.js';

interface Props {
  readonly chart: Chart;
  readonly selection: Selection;
  readonly limit: number;
  readonly busy: boolean;
  readonly onHold: () => void;
  /** Another way to choose, shown until a seat is chosen. */
  readonly children: ReactNode;
}

/** The chosen seats with their total, and the button that holds them. */
export function ChosenSeats({ chart, selection, limit, busy, onHold, children }: Props) {
  const { seats: text } = useText();
  const format = useFormat();
  const lang = useLang();
  const { selected, amount } = selection;
  return (
    <div className="chosen" data-empty={selected.size === 0}>
      <div className="chosen-text">
        <p className="chosen-count" role="status">
          {selected.size === 0 ? text.noneChosen : text.chosen(selected.size, limit)}
        </p>
        {selected.size > 0 && (
          <ul className="chosen-list">
            {[...selected].map((seat) => {
              const label = seatName(chart, seat, lang);
              return (
                <li key={seat}>
                  <button
                    type="button"
                    className="chip"
                    aria-label={text.deselect(label)}
                    onClick={() => selection.toggle(seat)}
                  >
                    {label} <span aria-hidden="true">×</span>
                  </button>
                </li>
              );
            })}
          </ul>
        )}
      </div>
      <div className="chosen-pay">
        {selected.size === 0 && children}
        {selected.size > 0 && (
          <p className="chosen-sum">
            <span className="soft small">{text.total}</span>{' '}
            <strong>{format.money(amount, chart.currency)}</strong>
          </p>
        )}
        <Button className="button-large" disabled={selected.size === 0} busy={busy} onClick={onHold}>
          {text.hold}
        </Button>
      </div>
    </div>
  );
}
