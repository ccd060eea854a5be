import { assert, assertDefined } from '../kernel/assert.js';
import { guard } from '../kernel/guard.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { holdsSeats, type LockedSeats, lockSeats, refundSeats, sellSeats } from '../seating/index.js';
import {
  cancelConfirmedReservation,
  confirmReservations,
  lockReservations,
  type ReservationRow,
} from './queries.js';
import { reservationSeatsOf, seatIdsOf, statusAt } from './reservation.js';

/** What payments and refunds do with reservations, inside their transaction. */
export const payableReservations = {
  /** Locks the reservations that exist. */
  async lock(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, ReservationRow>> {
    const rows = await tx.all(lockReservations, [ids]);
    return new Map(rows.map((row) => [row.id, row]));
  },

  lockSeats: (tx: Tx, reservations: readonly ReservationRow[]): Promise<LockedSeats> =>
    lockSeats(tx, reservations.flatMap(seatIdsOf)),

  /** Refuses unless the reservation can be paid at this instant. */
  requireHeld(reservation: ReservationRow, seats: LockedSeats, nowMs: number): void {
    const status = guard('reservation-expiry', statusAt(reservation, nowMs));
    if (status === 'EXPIRED') throw new Refusal('RESERVATION_EXPIRED');
    if (status !== 'HELD') throw new Refusal('RESERVATION_NOT_HELD');
    // The hold expired by the clock of another process, and another reservation has claimed a seat.
    if (!guard('sell-all-seats', holdsSeats(seats, reservationSeatsOf(reservation), nowMs)))
      throw new Refusal('RESERVATION_EXPIRED');
  },

  /** HELD to CONFIRMED, and all their seats to SOLD. */
  confirm(tx: Tx, reservations: readonly ReservationRow[]): void {
    tx.writeBatch(
      confirmReservations,
      reservations.map(({ id }) => ({ id, now: tx.nowMs })),
    );
    sellSeats(tx, reservations.map(reservationSeatsOf));
  },

  /** CONFIRMED to CANCELLED, and all its seats to AVAILABLE. They no longer count towards the user's seat limit. */
  async cancelConfirmed(tx: Tx, reservationId: string): Promise<void> {
    const cancelled = assertDefined(
      await tx.get(cancelConfirmedReservation, [reservationId]),
      'a paid reservation is not CONFIRMED',
    );
    const { scheduleId, seatIds } = reservationSeatsOf(cancelled);
    const freedCount = await refundSeats(tx, { scheduleId, seatIds, reservationId });
    assert(
      guard('refund-frees-seats', freedCount === seatIds.length),
      'a paid reservation does not own its seats',
    );
  },
};
