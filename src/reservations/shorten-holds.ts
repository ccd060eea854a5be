import type { Tx } from '../platform/sql/index.js';
import { shortenSeatHolds } from '../seating/index.js';
import { shortenHolds } from './queries.js';
import { seatIdsOf } from './reservation.js';

/**
 * The sale closes earlier: holds whose payment needs the place expire with it, and their seats are free from then on. The
 * job `expire-holds` tells the fans. A reservation that is being paid meanwhile keeps its time if the payment succeeds.
 */
export async function endHoldsWithSale(tx: Tx, concertId: string, closesAtMs: number): Promise<void> {
  const shortened = await tx.all(shortenHolds, [concertId, closesAtMs]);
  if (shortened.length === 0) return;
  await shortenSeatHolds(tx, {
    seatIds: shortened.flatMap(seatIdsOf),
    reservationIds: shortened.map(({ id }) => id),
    untilMs: closesAtMs,
  });
}
