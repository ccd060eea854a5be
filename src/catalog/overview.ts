import { Refusal } from '../kernel/refusal.js';
import { iso } from '../kernel/time.js';
import type { SeatCounting } from '../seating/index.js';
import { type ConcertCache, saleState } from './concert-cache.js';
import type { Notice } from './notice.js';

const SALE_STATES = { NOT_OPEN: 'BEFORE', OPEN: 'OPEN', CLOSED: 'CLOSED' } as const;

/**
 * What a fan wants to know before joining the queue: dates, prices and whether seats are left. Anybody may ask, so it must
 * never load the seats.
 */
export const createOverview =
  (deps: {
    readonly concertCache: ConcertCache;
    readonly seating: { readonly counts: Pick<SeatCounting, 'isSoldOut'> };
    readonly policyOf: (concertId: string) => {
      readonly maxSeatsPerUser: number;
      readonly notice: Notice | null;
    };
  }) =>
  async (concertId: string, nowMs: number) => {
    const { concertCache, seating, policyOf } = deps;
    const concert = await concertCache.publishedConcert(concertId);
    const schedules = await concertCache.schedulesOf(concertId);
    if (schedules.length === 0) throw new Refusal('CONCERT_NOT_FOUND');
    const dates = await Promise.all(
      schedules.map(async ({ id, startsAtMs, seatsTotal }) => ({
        id,
        startsAt: iso(startsAtMs),
        seatsTotal,
        soldOut: await seating.counts.isSoldOut(id),
      })),
    );
    const { maxSeatsPerUser, notice } = policyOf(concertId);
    return {
      concertId,
      saleState: SALE_STATES[saleState(concert, nowMs)],
      soldOut: isSoldOut(dates, nowMs),
      dates,
      grades: [...(await concertCache.gradesOf(concertId))],
      maxSeatsPerUser,
      notice,
      serverTime: iso(nowMs),
    };
  };

/** No seat is left on a date to come. A concert whose dates have all begun is sold out if all of them were. */
function isSoldOut(dates: readonly { startsAt: string; soldOut: boolean }[], nowMs: number): boolean {
  const toCome = dates.filter(({ startsAt }) => Date.parse(startsAt) > nowMs);
  return (toCome.length > 0 ? toCome : dates).every(({ soldOut }) => soldOut);
}
