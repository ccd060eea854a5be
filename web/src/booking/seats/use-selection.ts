import { useEffect, useState } from 'react';
import { toast } from '../../app/toasts.js';
import { useText } from '../../i18n/index.js';
import type { Chart, SeatStates } from '../../seat-map/index.js';

const AVAILABLE = 0;

export interface Selection {
  readonly selected: ReadonlySet<number>;
  readonly amount: number;
  readonly toggle: (seat: number) => void;
  readonly clear: () => void;
}

/** The chosen seats. A seat that someone else takes is removed, with a toast. */
export function useSelection(
  chart: Chart,
  states: SeatStates | undefined,
  limit: number,
  isHolding: boolean,
): Selection {
  const { seats: text } = useText();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const taken = states ? [...chosen].filter((seat) => states.codes[seat] !== AVAILABLE) : [];
  // During a hold request our own seats already show as held: that is not a loss.
  const hasLost = taken.length > 0 && !isHolding;
  if (hasLost) setChosen(new Set([...chosen].filter((seat) => !taken.includes(seat))));
  const [lostCount, setLostCount] = useState(0);
  if (hasLost) setLostCount(lostCount + 1);
  useEffect(() => {
    if (lostCount > 0) toast(text.lost, 'bad');
    // One toast per loss: `text` is left out so that switching the language does not repeat it.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [lostCount]);

  const toggle = (seat: number): void =>
    setChosen((old) => {
      const next = new Set(old);
      if (!next.delete(seat) && next.size < limit) next.add(seat);
      return next;
    });
  const priceOf = (seat: number): number => chart.grades[chart.seats.grade[seat] ?? 0]?.price ?? 0;
  return {
    selected: chosen,
    amount: [...chosen].reduce((sum, seat) => sum + priceOf(seat), 0),
    toggle,
    clear: () => setChosen(new Set()),
  };
}
