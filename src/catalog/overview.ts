import { Refusal } from '../kernel/refusal.js';
import { iso } from '../kernel/time.js';
import { type ConcertCache, saleState } from './concert-cache.js';
import { gradesOf } from '../seating/seat-chart.js';
import type { SeatInventories } from '../seating/seat-inventories.js';

const SALE_STATES = { NOT_OPEN: 'BEFORE', OPEN: 'OPEN', CLOSED: 'CLOSED' } as const;

/** What somebody wants to know of a concert before joining: when, how much, and whether there is anything left. */
export const createOverview =
  (deps: {
    readonly concertCache: ConcertCache;
    readonly inventories: SeatInventories;
    readonly policyOf: (concertId: string) => { readonly maxSeatsPerUser: number };
  }) =>
  async (concertId: string, nowMs: number) => {
    const { concertCache, inventories, policyOf } = deps;
    const concert = await concertCache.concert(concertId);
    const schedules = await concertCache.schedulesOf(concertId);
    if (schedules.length === 0) throw new Refusal('CONCERT_NOT_FOUND');
    const halls = await Promise.all(schedules.map(({ id }) => inventories.of(id)));
    const dates = schedules.map(({ id, startsAtMs }, index) => {
      const { total = 0, sold = 0 } = halls[index]?.counts(nowMs) ?? {};
      return { id, startsAt: iso(startsAtMs), seatsTotal: total, soldOut: sold === total };
    });
    return {
      concertId,
      saleState: SALE_STATES[saleState(concert, nowMs)],
      soldOut: dates.every(({ soldOut }) => soldOut),
      dates,
      grades: gradesOf(halls.flatMap(({ grades }) => grades)),
      maxSeatsPerUser: policyOf(concertId).maxSeatsPerUser,
      serverTime: iso(nowMs),
    };
  };
