import type { Queues } from './queues.js';
import { countActive } from './stats.js';

export interface Occupancy {
  readonly concertId: string;
  readonly waiting: number;
  readonly active: number;
}

/** How many people there are, by what this process has heard. */
export const createOccupancy = (queues: Queues, nowMs: () => number) => ({
  /** Who waits or is inside at this instant, room by room. */
  occupancy: (): Occupancy[] =>
    [...queues.all()].map((view) => ({
      concertId: view.concertId,
      waiting: view.waiting,
      active: countActive(view, nowMs()),
    })),

  /** All rooms together, for the metrics. */
  totals(): { waiting: number; active: number } {
    let waiting = 0;
    let active = 0;
    for (const queue of queues.all()) {
      waiting += queue.waiting;
      active += queue.activeCount;
    }
    return { waiting, active };
  },
});
