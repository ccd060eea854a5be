import type { Queues } from './queues.js';

export interface Occupancy {
  readonly concertId: string;
  readonly waiting: number;
  readonly active: number;
}

/** Counts of waiting and ACTIVE places, from this process's projections. */
export const createOccupancy = (queues: Queues, nowMs: () => number) => ({
  /** Of one concert, without expired places. */
  occupancyOf(concertId: string): Omit<Occupancy, 'concertId'> {
    const queue = queues.of(concertId);
    return { waiting: queue.waitingAt(nowMs()), active: queue.countActive(nowMs()) };
  },

  /** Per concert, without expired places. */
  occupancy: (): Occupancy[] =>
    [...queues.all()].map((view) => ({
      concertId: view.concertId,
      waiting: view.waitingAt(nowMs()),
      active: view.countActive(nowMs()),
    })),

  /** Over all concerts, for the metrics. */
  totals(): { waiting: number; waitingOpen: number; active: number } {
    const totals = { waiting: 0, waitingOpen: 0, active: 0 };
    for (const queue of queues.all()) {
      const waiting = queue.waitingAt(nowMs());
      totals.waiting += waiting;
      if (queue.isAdmitting) totals.waitingOpen += waiting;
      totals.active += queue.countActive(nowMs());
    }
    return totals;
  },
});
