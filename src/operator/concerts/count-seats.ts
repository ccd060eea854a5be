import type { ConcertCache } from '../../catalog/index.js';
import type { SeatInventories } from '../../seating/index.js';

export type CountSeats = (
  concertId: string,
) => Promise<{ seatsTotal: number; seatsHeld: number; seatsSold: number }>;

/** Sums the seat counts of all dates of a concert, as of now. */
export const createCountSeats =
  (concertCache: ConcertCache, inventories: SeatInventories, nowMs: () => number): CountSeats =>
  async (concertId) => {
    const counts = { seatsTotal: 0, seatsHeld: 0, seatsSold: 0 };
    for (const { id } of await concertCache.schedulesOf(concertId)) {
      const { total, held, sold } = (await inventories.of(id)).counts(nowMs());
      counts.seatsTotal += total;
      counts.seatsHeld += held;
      counts.seatsSold += sold;
    }
    return counts;
  };
