import { useState } from 'react';
import type { Lang } from '../i18n/dictionary.js';
import type { Chart } from './chart.js';
import { placeOf } from './labels.js';
import { AVAILABLE, type SeatStates } from './states.js';
import { textsOf } from './texts.js';

interface Choice {
  readonly chart: Chart;
  readonly states: SeatStates;
  readonly selected: ReadonlySet<number>;
  readonly limit: number;
  readonly lang: Lang;
  readonly onToggle: (seat: number) => void;
}

export interface Said {
  readonly text: string;
  readonly isRefusal: boolean;
  /** Tells two sayings of the same text apart, or the second would not be heard. */
  readonly count: number;
}

/** Chooses a seat or lets it go, within the limit, and says what happened or why not. */
export function useChoice({ chart, states, selected, limit, lang, onToggle }: Choice) {
  const [said, setSaid] = useState<Said>({ text: '', isRefusal: false, count: 0 });
  const say = (text: string, isRefusal: boolean): void => {
    setSaid(({ count }) => ({ text, isRefusal, count: count + 1 }));
  };

  const toggle = (seat: number): void => {
    const texts = textsOf(lang);
    const place = placeOf(chart, seat, lang);
    const isChosen = selected.has(seat);
    if (!isChosen && states.codes[seat] !== AVAILABLE) {
      say(texts.taken(place), true);
      return;
    }
    if (!isChosen && selected.size >= limit) {
      say(texts.limitReached(limit), true);
      return;
    }
    onToggle(seat);
    if (isChosen) say(texts.nowLeft(place, selected.size - 1, limit), false);
    else say(texts.nowChosen(place, selected.size + 1, limit), false);
  };
  return { said, toggle };
}
