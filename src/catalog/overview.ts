import { Refusal } from '../kernel/refusal.js';
import { iso } from '../kernel/time.js';
import { gradesOf, type SeatInventories } from '../seating/index.js';
import { type ConcertCache, saleState } from './concert-cache.js';

const SALE_STATES = { NOT_OPEN: 'BEFORE', OPEN: 'OPEN', CLOSED: 'CLOSED' } as const;

/** What a fan wants to know before joining the queue: dates, prices and whether seats are left. */
export const createOverview =
  (deps: {
    readonly concertCache: ConcertCache;
    readonly seating: { readonly inventories: SeatInventories };
    readonly policyOf: (concertId: string) => { readonly maxSeatsPerUser: number };
  }) =>
  async (concertId: string, nowMs: number) => {
    const { concertCache, seating, policyOf } = deps;
    const concert = await concertCache.concert(concertId);
    const schedules = await concertCache.schedulesOf(concertId);
    if (schedules.length === 0) throw new Refusal('CONCERT_NOT_FOUND');
    const inventories = await Promise.all(schedules.map(({ id }) => seating.inventories.of(id)));
    const dates = schedules.map(({ id, startsAtMs }, index) => {
      const { total = 0, sold = 0 } = inventories[index]?.counts(nowMs) ?? {};
      return { id, startsAt: iso(startsAtMs), seatsTotal: total, soldOut: sold === total };
    });
    return {
      concertId,
      saleState: SALE_STATES[saleState(concert, nowMs)],
      soldOut: dates.every(({ soldOut }) => soldOut),
      dates,
      grades: gradesOf(inventories.flatMap(({ grades }) => grades)),
      maxSeatsPerUser: policyOf(concertId).maxSeatsPerUser,
      serverTime: iso(nowMs),
    };
  };
