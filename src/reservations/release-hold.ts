import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { freeSeats } from '../seating/index.js';
import { cancelReservation, findReservation } from './queries.js';
import { seatIdsOf } from './reservation.js';

export async function releaseHold(tx: Tx, userId: string, reservationId: string): Promise<void> {
  const cancelled = await tx.get(cancelReservation, [reservationId, userId, tx.nowMs]);
  if (!cancelled) {
    const found = await tx.get(findReservation, [reservationId]);
    throw new Refusal(found?.userId === userId ? 'RESERVATION_NOT_HELD' : 'RESERVATION_NOT_FOUND');
  }
  await freeSeats(tx, seatIdsOf(cancelled), [reservationId]);
  // If waiting for the locks took too long, the hold may have expired: retry.
  tx.assertFreshTime();
}
