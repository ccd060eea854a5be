import { type Caller, requireScope, scopeOf } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { freeSeats } from '../seating/index.js';
import { cancelReservation, findReservation } from './queries.js';
import { seatIdsOf } from './reservation.js';

export async function releaseHold(tx: Tx, caller: Caller, reservationId: string): Promise<void> {
  const { userId } = caller;
  const cancelled = await tx.get(cancelReservation, [reservationId, userId, tx.nowMs, scopeOf(caller)]);
  if (!cancelled) {
    const found = await tx.get(findReservation, [reservationId]);
    if (found?.userId !== userId) throw new Refusal('RESERVATION_NOT_FOUND');
    requireScope(caller, found.concertId);
    throw new Refusal('RESERVATION_NOT_HELD');
  }
  await freeSeats(tx, seatIdsOf(cancelled), [reservationId]);
  // If waiting for the locks took too long, the hold may have expired: retry.
  tx.assertFreshTime();
}
