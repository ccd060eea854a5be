import { memo, startTransition, useEffect, useRef, useState } from 'react';
import type { Section } from './chart.js';
import type { ViewProps } from './MapView.js';
import { SeatRow } from './SeatRow.js';
import { AVAILABLE } from './states.js';
import { textsOf } from './texts.js';

const ROWS_AT_ONCE = 12;

interface Props extends ViewProps {
  readonly section: Section;
  readonly onlyFree: boolean;
}

/** The rows of an open section: the first at once, the others soon after, so that opening never waits for all of them. */
export function SectionRows({ section, onlyFree, chart, states, selected, lang, readOnly, onPick }: Props) {
  const [shown, setShown] = useState(ROWS_AT_ONCE);
  useEffect(() => {
    if (shown >= section.rows.length) return undefined;
    const timer = setTimeout(() => {
      startTransition(() => {
        setShown((rows) => rows + ROWS_AT_ONCE);
      });
    }, 0);
    return () => {
      clearTimeout(timer);
    };
  }, [shown, section]);

  // Rows keep the handler they were first given, or every choice would draw thousands of seats anew.
  const pick = useRef(onPick);
  useEffect(() => {
    pick.current = onPick;
  });
  const [pickLatest] = useState(() => (seat: number): void => {
    pick.current(seat);
  });

  const isFree = (seat: number): boolean => states.codes[seat] === AVAILABLE || selected.has(seat);
  const rows = onlyFree ? section.rows.filter((row) => chart.rows[row]?.seats.some(isFree)) : section.rows;
  if (rows.length === 0) return <p className="seat-list__none">{textsOf(lang).noneFree}</p>;
  return (
    <ul className="seat-list__rows">
      {rows.slice(0, shown).map((row) => (
        <RowWhenChanged
          key={row}
          row={row}
          onPick={pickLatest}
          {...{ chart, states, selected, lang, readOnly, onlyFree }}
        />
      ))}
    </ul>
  );
}

/** A row is drawn anew only when one of its own seats has changed. */
const RowWhenChanged = memo(SeatRow, (before, after) => {
  const { chart, row, lang, readOnly, onlyFree, onPick } = after;
  if (before.chart !== chart || before.row !== row || before.lang !== lang) return false;
  if (before.readOnly !== readOnly || before.onlyFree !== onlyFree || before.onPick !== onPick) return false;
  return (chart.rows[row]?.seats ?? []).every(
    (seat) =>
      before.states.codes[seat] === after.states.codes[seat] &&
      before.selected.has(seat) === after.selected.has(seat),
  );
});
