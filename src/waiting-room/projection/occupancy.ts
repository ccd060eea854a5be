import type { Queues } from './queues.js';
import { countActive } from './stats.js';

export interface Occupancy {
  readonly concertId: string;
  readonly waiting: number;
  readonly active: number;
}

/** Counts of waiting and ACTIVE places, from this process's projections. */
export const createOccupancy = (queues: Queues, nowMs: () => number) => ({
  /** Per concert, without expired places. */
  occupancy: (): Occupancy[] =>
    [...queues.all()].map((view) => ({
      concertId: view.concertId,
      waiting: view.waiting,
      active: countActive(view, nowMs()),
    })),

  /** Over all concerts, for the metrics. */
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
