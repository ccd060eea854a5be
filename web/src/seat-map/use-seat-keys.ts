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

  /** Answers whether the key meant something here. */
  const press = (event: KeyboardEvent): boolean => {
    const pan = event.shiftKey ? PANS[event.key] : undefined;
    if (pan) {
      engine.current?.panBy(pan[0] * PAN_STEP_PX, pan[1] * PAN_STEP_PX);
      return true;
    }
    const move = MOVES[event.key];
    if (move) {
      const wanted =
        event.ctrlKey && move === 'rowStart' ? 'first' : event.ctrlKey && move === 'rowEnd' ? 'last' : move;
      goTo(here < 0 ? begin() : moveFrom(chart, here, wanted));
      return true;
    }
    switch (event.key) {
      case 'Enter':
      case ' ':
        if (here < 0) goTo(begin());
        else if (!readOnly) onPick(here);
        return true;
      case 'n':
      case 'N':
        goTo(nextFree(chart.seats.count, here, event.shiftKey ? -1 : 1, isFree));
        return true;
      case '+':
      case '=':
        engine.current?.zoomBy(ZOOM_STEP);
        return true;
      case '-':
        engine.current?.zoomBy(1 / ZOOM_STEP);
        return true;
      case '0':
        engine.current?.showAll();
        return true;
      default:
        return false;
    }
  };

  return {
    cursor: here,
    ringed: isRinged ? here : -1,
    moveTo: (seat: number): void => {
      setCursor(seat);
      setIsRinged(false);
    },
    onKeyDown: (event: KeyboardEvent): void => {
      // Ctrl with plus, minus or 0 is the browser's own zoom.
      if (event.altKey || event.metaKey || (event.ctrlKey && !MOVES[event.key])) return;
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
