import { memo, startTransition, useEffect, useRef, useState } from 'react';
import type { Section } from '../chart/chart.js';
import type { ViewProps } from '../map/map-view.js';
import { SeatRow } from './seat-row.js';
import { AVAILABLE } from '../chart/seat-states.js';
import { textsOf } from '../texts.js';

const ROWS_PER_CHUNK = 12;

interface Props extends ViewProps {
  readonly section: Section;
  readonly onlyFree: boolean;
}

/** The rows of an open section, rendered in chunks so that a large section opens without delay. */
export function SectionRows({ section, onlyFree, chart, states, selected, lang, readOnly, onPick }: Props) {
  const [shown, setShown] = useState(ROWS_PER_CHUNK);
  useEffect(() => {
    if (shown >= section.rows.length) return undefined;
    const timer = setTimeout(() => {
      startTransition(() => {
        setShown((rows) => rows + ROWS_PER_CHUNK);
      });
    }, 0);
    return () => {
      clearTimeout(timer);
    };
  }, [shown, section]);

  // A stable handler: with a new one, every choice would re-render thousands of seats.
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
        <MemoizedSeatRow
          key={row}
          row={row}
          onPick={pickLatest}
          {...{ chart, states, selected, lang, readOnly, onlyFree }}
        />
      ))}
    </ul>
  );
}

/** Re-renders only if one of the row's own seats has changed. */
const MemoizedSeatRow = memo(SeatRow, (before, after) => {
  const { chart, row, lang, readOnly, onlyFree, onPick } = after;
  if (before.chart !== chart || before.row !== row || before.lang !== lang) return false;
  if (before.readOnly !== readOnly || before.onlyFree !== onlyFree || before.onPick !== onPick) return false;
  return (chart.rows[row]?.seats ?? []).every(
    (seat) =>
      before.states.codes[seat] === after.states.codes[seat] &&
      before.selected.has(seat) === after.selected.has(seat),
  );
});
