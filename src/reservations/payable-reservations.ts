import { assert, assertDefined } from '../kernel/assert.js';
import { guard } from '../kernel/guard.js';
import { Refusal } from '../kernel/refusal.js';
import { settleAll } from '../kernel/settle-all.js';
import type { Tx } from '../platform/sql/index.js';
import { refundSeats, sellSeats } from '../seating/index.js';
import {
  cancelConfirmedReservation,
  confirmReservation,
  lockReservation,
  type ReservationRow,
} from './queries.js';
import { seatIdsOf, statusAt } from './reservation.js';

/** What payments and refunds do with a reservation, inside their transaction. */
export const payableReservations = {
  /** Locks the reservation. Undefined if it does not exist or belongs to another user. */
  async lockOwn(tx: Tx, reservationId: string, userId: string): Promise<ReservationRow | undefined> {
    const reservation = await tx.get(lockReservation, [reservationId]);
    return reservation?.userId === userId ? reservation : undefined;
  },

  /** Refuses unless the reservation can be paid at this instant. */
  requireHeld(reservation: ReservationRow, nowMs: number): void {
    const status = guard('reservation-expiry', statusAt(reservation, nowMs));
    if (status === 'EXPIRED') throw new Refusal('RESERVATION_EXPIRED');
    if (status !== 'HELD') throw new Refusal('RESERVATION_NOT_HELD');
  },

  /** HELD to CONFIRMED, and all its seats to SOLD. Refuses if one of them is no longer held by it. */
  async confirm(tx: Tx, reservation: ReservationRow): Promise<void> {
    const { id: reservationId, scheduleId } = reservation;
    const seatIds = seatIdsOf(reservation);
    const [confirmedCount, soldCount] = await settleAll([
      tx.exec(confirmReservation, [reservationId, tx.nowMs]),
      sellSeats(tx, { scheduleId, seatIds, reservationId }),
    ]);
    assert(guard('confirm-once', confirmedCount === 1), 'a locked HELD reservation could not be confirmed');
    // The hold expired meanwhile and another reservation has claimed a seat.
    if (guard('sell-all-seats', soldCount < seatIds.length)) throw new Refusal('RESERVATION_EXPIRED');
  },

  /** CONFIRMED to CANCELLED, and all its seats to AVAILABLE. They no longer count towards the user's seat limit. */
  async cancelConfirmed(tx: Tx, reservationId: string): Promise<void> {
    const cancelled = assertDefined(
      await tx.get(cancelConfirmedReservation, [reservationId]),
      'a paid reservation is not CONFIRMED',
    );
    const seatIds = seatIdsOf(cancelled);
    const freedCount = await refundSeats(tx, { scheduleId: cancelled.scheduleId, seatIds, reservationId });
    assert(
      guard('refund-frees-seats', freedCount === seatIds.length),
      'a paid reservation does not own its seats',
    );
  },
};
