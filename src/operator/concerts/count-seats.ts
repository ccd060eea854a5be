import type { ConcertCache } from '../../catalog/index.js';
import type { SeatCounting } from '../../seating/index.js';

export type CountSeats = (
  concertId: string,
) => Promise<{ seatsTotal: number; seatsHeld: number; seatsSold: number }>;

/** Sums the seat counts of all dates of a concert, as of now. */
export const createCountSeats =
  (concertCache: ConcertCache, counts: Pick<SeatCounting, 'of'>): CountSeats =>
  async (concertId) => {
    const sums = { seatsTotal: 0, seatsHeld: 0, seatsSold: 0 };
    for (const date of await concertCache.schedulesOf(concertId)) {
      const { total, held, sold } = await counts.of(date);
      sums.seatsTotal += total;
      sums.seatsHeld += held;
      sums.seatsSold += sold;
    }
    return sums;
  };
