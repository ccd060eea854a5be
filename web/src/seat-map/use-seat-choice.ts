import { useState } from 'react';
import type { Lang } from '../i18n/dictionary.js';
import type { Chart } from './chart/chart.js';
import { seatName } from './labels.js';
import { AVAILABLE, type SeatStates } from './chart/seat-states.js';
import { textsOf } from './texts.js';

interface ChoiceOptions {
  readonly chart: Chart;
  readonly states: SeatStates;
  readonly selected: ReadonlySet<number>;
  readonly limit: number;
  readonly lang: Lang;
  readonly onToggle: (seat: number) => void;
}

export interface Announcement {
  readonly text: string;
  readonly isRefusal: boolean;
  /** Changes with every announcement: screen readers would ignore a repeated text otherwise. */
  readonly count: number;
}

/** Chooses or deselects a seat within the limit, and announces the result or the reason of a refusal. */
export function useSeatChoice({ chart, states, selected, limit, lang, onToggle }: ChoiceOptions) {
  const [announcement, setSaid] = useState<Announcement>({ text: '', isRefusal: false, count: 0 });
  const announce = (text: string, isRefusal: boolean): void => {
    setSaid(({ count }) => ({ text, isRefusal, count: count + 1 }));
  };

  const toggle = (seat: number): void => {
    const texts = textsOf(lang);
    const place = seatName(chart, seat, lang);
    const isChosen = selected.has(seat);
    if (!isChosen && states.codes[seat] !== AVAILABLE) {
      announce(texts.taken(place), true);
      return;
    }
    if (!isChosen && selected.size >= limit) {
      announce(texts.limitReached(limit), true);
      return;
    }
    onToggle(seat);
    if (isChosen) announce(texts.nowDeselected(place, selected.size - 1, limit), false);
    else announce(texts.nowChosen(place, selected.size + 1, limit), false);
  };
  return { announcement, toggle };
}
