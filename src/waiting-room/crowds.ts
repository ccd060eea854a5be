import type { Rooms } from './rooms.js';
import { countActive } from './stats.js';

export interface Crowd {
  readonly concertId: string;
  readonly waiting: number;
  readonly active: number;
}

/** How many people there are, by what this process has heard. */
export const createCrowds = (rooms: Rooms, nowMs: () => number) => ({
  /** Who waits or is inside at this instant, room by room. */
  crowds: (): Crowd[] =>
    [...rooms.all()].map((view) => ({
      concertId: view.concertId,
      waiting: view.waiting,
      active: countActive(view, nowMs()),
    })),

  /** All rooms together, for the metrics. */
  totals(): { waiting: number; active: number } {
    let waiting = 0;
    let active = 0;
    for (const room of rooms.all()) {
      waiting += room.waiting;
      active += room.activeCount;
    }
    return { waiting, active };
  },
});
