import { Refusal } from '../../kernel/refusal.js';
import type { Reader } from '../../platform/sql/index.js';
import { findSeat } from '../../seating/index.js';
import { findPaymentOfReservation, findReservationOfSeat } from './queries.js';
import { paymentItem, reservationItem } from './sales-lists.js';

/** A seat with the reservation and the payment it belongs to now. `record` is called before personal data are read. */
export async function findSeatOwner(
  { reader, nowMs }: { readonly reader: Reader; readonly nowMs: number },
  scheduleId: string,
  seatId: string,
  record: (label: string) => Promise<void>,
) {
  const found = await reader.get(findSeat, [seatId]);
  if (found?.scheduleId !== scheduleId) throw new Refusal('SEAT_NOT_FOUND');
  const { scheduleId: _, reservationId, heldUntilMs, ...seat } = found;
  const hasExpired = heldUntilMs !== null && heldUntilMs <= nowMs;
  if (reservationId === null || hasExpired)
    return { ...seat, status: 'AVAILABLE' as const, reservation: null, payment: null };
  await record(seat.label);
  const reservation = await reader.get(findReservationOfSeat, [reservationId]);
  const payment = await reader.get(findPaymentOfReservation, [reservationId]);
  return {
    ...seat,
    reservation: reservation ? reservationItem(reservation, nowMs) : null,
    payment: payment ? paymentItem(payment) : null,
  };
}
