import { guard } from '../kernel/guard.js';
import { seatsChanged } from '../catalog/index.js';
import { assert, assertDefined } from '../kernel/assert.js';
import { Refusal } from '../kernel/refusal.js';
import { settleAll } from '../kernel/settle-all.js';
import type { Tx } from '../platform/sql/index.js';
import {
  confirmReservation,
  lockReservation,
  type ReservationRow,
  sellSeats,
  cancelConfirmedReservation,
  refundSeats,
} from './queries.js';
import { seatsOf, statusAt } from './reservation.js';

/** What paying and giving back need of a reservation, inside their transaction. */
export interface PayableReservations {
  /** The user's own reservation, locked; anybody else's does not exist. */
  find(tx: Tx, reservationId: string, userId: string): Promise<ReservationRow | undefined>;
  /** Refuses unless it can still be paid at this instant. */
  requireHeld(reservation: ReservationRow, nowMs: number): void;
  /** The seats become SOLD and the reservation CONFIRMED, if all of them are still held by it. */
  confirm(tx: Tx, reservation: ReservationRow): Promise<void>;
  /** A paid reservation becomes CANCELLED and its seats AVAILABLE; the user may have as many others again. */
  undo(tx: Tx, reservationId: string): Promise<void>;
}

export const payableReservations: PayableReservations = {
  async find(tx, reservationId, userId) {
    const reservation = await tx.get(lockReservation, [reservationId]);
    return reservation?.userId === userId ? reservation : undefined;
  },

  requireHeld(reservation, nowMs) {
    const status = guard('reservation-expiry', statusAt(reservation, nowMs));
    if (status === 'EXPIRED') throw new Refusal('RESERVATION_EXPIRED');
    if (status !== 'HELD') throw new Refusal('RESERVATION_NOT_HELD');
  },

  async confirm(tx, reservation) {
    const seatIds = seatsOf(reservation).map(({ id }) => id);
    const [confirmed, sold] = await settleAll([
      tx.exec(confirmReservation, [reservation.id, tx.nowMs]),
      tx.exec(sellSeats, [seatIds, reservation.id, tx.nowMs]),
    ]);
    assert(
      guard('confirm-once', confirmed === 1),
      'a reservation that was locked and held could not be confirmed',
    );
    // It ran out while this was under way, and somebody has taken a seat over.
    if (guard('sell-all-seats', sold < seatIds.length)) throw new Refusal('RESERVATION_EXPIRED');
    tx.publish(seatsChanged, { scheduleId: reservation.scheduleId, change: { seatIds, status: 'SOLD' } });
  },

  async undo(tx, reservationId) {
    const undone = assertDefined(
      await tx.get(cancelConfirmedReservation, [reservationId]),
      'a paid reservation is not confirmed',
    );
    const seatIds = seatsOf(undone).map(({ id }) => id);
    const freed = await tx.exec(refundSeats, [seatIds, reservationId]);
    assert(
      guard('refund-frees-seats', freed === seatIds.length),
      'a paid reservation does not own its seats',
    );
    tx.publish(seatsChanged, { scheduleId: undone.scheduleId, change: { seatIds, status: 'AVAILABLE' } });
  },
};
