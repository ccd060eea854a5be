import { seatsChanged } from '../catalog/index.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { cancelReservation, findReservation, freeSeats } from './queries.js';
import { seatsOf } from './reservation.js';

/** Gives a held reservation's seats back. */
export async function release(tx: Tx, userId: string, reservationId: string): Promise<void> {
  const cancelled = await tx.get(cancelReservation, [reservationId, userId, tx.nowMs]);
  if (!cancelled) {
    const found = await tx.get(findReservation, [reservationId]);
    throw new Refusal(found?.userId === userId ? 'RESERVATION_NOT_HELD' : 'RESERVATION_NOT_FOUND');
  }
  const seatIds = seatsOf(cancelled).map(({ id }) => id);
  // Only those that it still had: where its row was waited for, it may have run out meanwhile, and been taken over.
  const freed = await tx.all(freeSeats, [seatIds, [reservationId]]);
  tx.assertFreshTime();
  tx.publish(seatsChanged, {
    scheduleId: cancelled.scheduleId,
    change: { seatIds: freed.map(({ id }) => id), status: 'AVAILABLE' },
  });
}
