import { assert } from '../kernel/assert.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { holdsExpired } from './topics.js';
import {
  claimAvailableOrExpired,
  claimAvailableSeats,
  expireReservationsSkipLocked,
  lockSeats,
  type ReservationRow,
  type SeatStateRow,
} from './queries.js';

/** What this process has done, for the metrics. */
export interface HoldEvents {
  held(): void;
  expired(count: number): void;
}

/** Claims those of the seats that are free, and answers how many. */
export const claimAvailable = (
  tx: Tx,
  seatIds: readonly string[],
  { id, expiresAtMs }: ReservationRow,
): Promise<number> => tx.exec(claimAvailableSeats, [seatIds, id, expiresAtMs]);

/** Not all of the seats were free: takes over what has run out, or says which are taken. */
export async function claimExpiredHolds(
  tx: Tx,
  seatIds: readonly string[],
  reservation: ReservationRow,
  events: HoldEvents,
): Promise<void> {
  const states = await tx.all(lockSeats, [seatIds]);
  assert(states.length === seatIds.length, 'seats of the inventory are not in the database');
  const others = states.filter((seat) => seat.reservationId !== reservation.id);
  const taken = others.filter((seat) => !isFree(seat, tx.nowMs)).map(({ id }) => id);
  if (taken.length > 0) throw new Refusal('ALREADY_RESERVED_SEAT', { seatIds: taken });

  const ids = others.map(({ id }) => id);
  const claimed = await tx.exec(claimAvailableOrExpired, [
    ids,
    reservation.id,
    reservation.expiresAtMs,
    tx.nowMs,
  ]);
  assert(claimed === ids.length, 'seats that were locked and free could not be claimed');
  // Whoever let a hold run out has lost it now: their reservation ends with the same commit that takes its seat,
  // unless it is being paid this moment: that payment will find the seat gone.
  const before = [...new Set(others.flatMap((seat) => seat.reservationId ?? []))];
  const ended = await tx.all(expireReservationsSkipLocked, [before, tx.nowMs]);
  tx.publish(holdsExpired, ended);
  tx.afterCommit(() => {
    events.expired(ended.length);
  });
}

const isFree = ({ status, heldUntilMs }: SeatStateRow, nowMs: number): boolean =>
  status === 'AVAILABLE' || (status === 'HELD' && heldUntilMs !== null && heldUntilMs <= nowMs);
