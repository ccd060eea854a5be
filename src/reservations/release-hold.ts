import { type AccessCaller, type Caller, requireScope } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import type { BatchedWrite } from '../platform/web/index.js';
import type { Tx } from '../platform/sql/index.js';
import { holdsSeats, type LockedSeats, lockSeats, releaseSeats } from '../seating/index.js';
import { cancelReservations, listHoldsOf, lockReservations, type ReservationRow } from './queries.js';
import { reservationSeatsOf, seatIdsOf, statusAt } from './reservation.js';

export interface Release {
  readonly caller: Caller;
  readonly reservationId: string;
}

interface Locked {
  readonly reservations: ReadonlyMap<string, ReservationRow>;
  readonly seats: LockedSeats;
}

/** Releases a hold before it expires. Its seats are available at once. */
export const releaseHold = {
  name: 'release',

  async lock(tx, releases) {
    const ids = releases.map(({ reservationId }) => reservationId);
    const rows = await tx.all(lockReservations, [ids]);
    const held = rows.filter(({ status }) => status === 'HELD');
    return {
      reservations: new Map(rows.map((row) => [row.id, row])),
      seats: await lockSeats(tx, held.flatMap(seatIdsOf)),
    };
  },

  decide(tx, { reservations, seats }, { caller, reservationId }) {
    const reservation = reservations.get(reservationId);
    if (reservation?.userId !== caller.userId) throw new Refusal('RESERVATION_NOT_FOUND');
    requireScope(caller, reservation.concertId);
    const isHeld = statusAt(reservation, tx.nowMs) === 'HELD';
    if (!isHeld || !holdsSeats(seats, reservationSeatsOf(reservation), tx.nowMs))
      throw new Refusal('RESERVATION_NOT_HELD');
    return { answer: { status: 204, body: null }, change: reservation };
  },

  write(tx, released) {
    tx.writeBatch(
      cancelReservations,
      released.map(({ id }) => ({ id, now: tx.nowMs })),
    );
    releaseSeats(tx, released.map(reservationSeatsOf));
  },
} satisfies BatchedWrite<Release, Locked, ReservationRow>;

/** Releases everything that a user holds, in the transaction that erases the account. */
export async function releaseHolds(tx: Tx, caller: AccessCaller): Promise<void> {
  const holds = await tx.all(listHoldsOf, [caller.userId, tx.nowMs]);
  const locked = await releaseHold.lock(
    tx,
    holds.map(({ id }) => ({ caller, reservationId: id })),
  );
  const held = [...locked.reservations.values()].filter(
    (reservation) =>
      statusAt(reservation, tx.nowMs) === 'HELD' &&
      holdsSeats(locked.seats, reservationSeatsOf(reservation), tx.nowMs),
  );
  releaseHold.write(tx, held);
}
