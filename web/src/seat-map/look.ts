import { AVAILABLE, HELD, MINE } from './chart/seat-states.js';

/** How a seat looks, in the list and in the legend; `data-look` in the styles. */
export type Look = 'free' | 'chosen' | 'mine' | 'held' | 'sold';

export function lookOf(code: number, isChosen: boolean): Look {
  if (isChosen) return 'chosen';
  if (code === AVAILABLE) return 'free';
  if (code === MINE) return 'mine';
  return code === HELD ? 'held' : 'sold';
}
