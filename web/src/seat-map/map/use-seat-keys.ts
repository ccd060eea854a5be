import { type FocusEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import type { Chart } from '../chart/chart.js';
import type { Engine } from './engine.js';
import { type Move, moveFrom, nextFree } from '../chart/seat-navigation.js';
import { AVAILABLE, type SeatStates } from '../chart/seat-states.js';

interface SeatKeysOptions {
  readonly chart: Chart;
  readonly states: SeatStates;
  readonly selected: ReadonlySet<number>;
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
/** With Ctrl. Its plus, minus and 0 are left to the browser's zoom. */
const FAR_MOVES: Readonly<Record<string, Move>> = { Home: 'first', End: 'last' };
const PANS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const PAN_STEP_PX = 80;
const ZOOM_STEP = 1.5;

/** The keyboard cursor of the seat map. Its ring is shown only while the keyboard is used. */
export function useSeatKeys({ chart, states, selected, engine, onPick }: SeatKeysOptions) {
  const [cursor, setCursor] = useState(-1);
  const [isRinged, setIsRinged] = useState(false);

  const goTo = (seat: number): void => {
    setCursor(seat);
    setIsRinged(true);
    engine.current?.reveal(seat);
  };
  const isFree = (seat: number): boolean => states.codes[seat] === AVAILABLE;
  /** Where the cursor starts: at the first chosen seat, else at the first free one. */
  const firstSeat = (): number =>
    selected.values().next().value ?? Math.max(0, states.codes.indexOf(AVAILABLE));
  const here = cursor >= 0 && cursor < chart.seats.count ? cursor : -1;

  const pick = (): void => {
    if (here < 0) goTo(firstSeat());
    else onPick(here);
  };

  const actions: Readonly<Record<string, () => void>> = {
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

  /** Returns whether the key was handled. */
  const press = (event: KeyboardEvent): boolean => {
    const pan = event.shiftKey ? PANS[event.key] : undefined;
    const move = event.ctrlKey ? FAR_MOVES[event.key] : MOVES[event.key];
    const other = event.ctrlKey ? undefined : actions[event.key];
    if (pan) engine.current?.panBy(pan[0] * PAN_STEP_PX, pan[1] * PAN_STEP_PX);
    else if (move) goTo(here < 0 ? firstSeat() : moveFrom(chart, here, move));
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
      if (event.currentTarget.matches(':focus-visible')) goTo(here < 0 ? firstSeat() : here);
    },
    onBlur: (): void => {
      setIsRinged(false);
    },
  };
}
