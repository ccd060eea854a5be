import { useEffect, useState } from 'react';
import { toast } from '../app/toasts.js';
import { useText } from '../i18n/index.js';
import type { Chart, SeatStates } from '../seat-map/index.js';

const AVAILABLE = 0;

export interface Selection {
  readonly selected: ReadonlySet<number>;
  readonly amount: number;
  readonly toggle: (seat: number) => void;
  readonly clear: () => void;
}

/** The seats a fan has chosen and nobody else has taken meanwhile. */
export function useSelection(
  chart: Chart,
  states: SeatStates | undefined,
  limit: number,
  isHolding: boolean,
): Selection {
  const { seats: text } = useText();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const taken = states ? [...chosen].filter((seat) => states.codes[seat] !== AVAILABLE) : [];
  // While they are being held, our own seats show as taken before the answer has come, or after it was lost.
  const hasLost = taken.length > 0 && !isHolding;
  if (hasLost) setChosen(new Set([...chosen].filter((seat) => !taken.includes(seat))));
  const [lostCount, setLostCount] = useState(0);
  if (hasLost) setLostCount(lostCount + 1);
  useEffect(() => {
    if (lostCount > 0) toast(text.lost, 'bad');
    // Said once for each loss, not again in another language.
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
