import { type FocusEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import type { Chart } from './chart.js';
import type { Engine } from './engine.js';
import { type Move, moveFrom, nextFree } from './keyboard.js';
import { AVAILABLE, type SeatStates } from './states.js';

interface SeatKeys {
  readonly chart: Chart;
  readonly states: SeatStates;
  readonly selected: ReadonlySet<number>;
  readonly readOnly: boolean;
  readonly engine: RefObject<Engine | null>;
  readonly onPick: (seat: number) => void;
}

const MOVES: Readonly<Record<string, Move>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'rowStart',
  End: 'rowEnd',
  PageUp: 'previousSection',
  PageDown: 'nextSection',
};
/** With Ctrl, whose plus, minus and 0 are left to the browser's own zoom. */
const FAR_MOVES: Readonly<Record<string, Move>> = { Home: 'first', End: 'last' };
const PANS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const PAN_STEP_PX = 80;
const ZOOM_STEP = 1.5;

/** The cursor that goes from seat to seat by keys. It is ringed only while keys are what is used. */
export function useSeatKeys({ chart, states, selected, readOnly, engine, onPick }: SeatKeys) {
  const [cursor, setCursor] = useState(-1);
  const [isRinged, setIsRinged] = useState(false);

  const goTo = (seat: number): void => {
    setCursor(seat);
    setIsRinged(true);
    engine.current?.reveal(seat);
  };
  const isFree = (seat: number): boolean => states.codes[seat] === AVAILABLE;
  /** Where to begin: at one's own first seat, else at the first that is free. */
  const begin = (): number => selected.values().next().value ?? Math.max(0, states.codes.indexOf(AVAILABLE));
  const here = cursor >= 0 && cursor < chart.seats.count ? cursor : -1;

  const pick = (): void => {
    if (here < 0) goTo(begin());
    else if (!readOnly) onPick(here);
  };

  const others: Readonly<Record<string, () => void>> = {
    Enter: pick,
    ' ': pick,
    n: () => {
      goTo(nextFree(chart.seats.count, here, 1, isFree));
    },
    N: () => {
      goTo(nextFree(chart.seats.count, here, -1, isFree));
    },
    '+': () => engine.current?.zoomBy(ZOOM_STEP),
    '=': () => engine.current?.zoomBy(ZOOM_STEP),
    '-': () => engine.current?.zoomBy(1 / ZOOM_STEP),
    '0': () => engine.current?.showAll(),
  };

  /** Answers whether the key meant something here. */
  const press = (event: KeyboardEvent): boolean => {
    const pan = event.shiftKey ? PANS[event.key] : undefined;
    const move = event.ctrlKey ? FAR_MOVES[event.key] : MOVES[event.key];
    const other = event.ctrlKey ? undefined : others[event.key];
    if (pan) engine.current?.panBy(pan[0] * PAN_STEP_PX, pan[1] * PAN_STEP_PX);
    else if (move) goTo(here < 0 ? begin() : moveFrom(chart, here, move));
    else other?.();
    return pan !== undefined || move !== undefined || other !== undefined;
  };

  return {
    cursor: here,
    ringed: isRinged ? here : -1,
    moveTo: (seat: number): void => {
      setCursor(seat);
      setIsRinged(false);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      if (event.altKey || event.metaKey) return;
      if (press(event)) event.preventDefault();
    },
    onFocus: (event: FocusEvent<HTMLElement>): void => {
      if (event.currentTarget.matches(':focus-visible')) goTo(here < 0 ? begin() : here);
    },
    onBlur: (): void => {
      setIsRinged(false);
    },
  };
}
