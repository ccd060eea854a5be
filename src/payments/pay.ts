import { type ConcertCache, saleState } from '../catalog/index.js';
import { assertDefined } from '../kernel/assert.js';
import { type Caller, requireScope } from '../kernel/caller.js';
import { guard } from '../kernel/guard.js';
import { newId, newReceiptNumber } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { iso } from '../kernel/time.js';
import { settleAll } from '../kernel/settle-all.js';
import type { Reader, Tx } from '../platform/sql/index.js';
import { payableReservations, type ReservationRow, seatsOf } from '../reservations/index.js';
import type { Admitted, WaitingRoom } from '../waiting-room/index.js';
import { ledger } from '../wallet/index.js';
import { findPaymentOf, insertPayment } from './queries.js';
import { type Receipt, receiptOf, type Snapshot } from './receipt.js';

export interface Paid {
  readonly receipt: Receipt;
  /** False if it was paid before: the receipt is the first one, and no money moved. */
  readonly isNew: boolean;
}

/** Pays a held reservation: wallet, seats, reservation, receipt and place change in one transaction. */
export const createPay = (deps: {
  readonly concertCache: ConcertCache;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'consumePlace'>;
  readonly requireUser: (userId: string, reader?: Reader) => Promise<unknown>;
  readonly onPaid: (amount: number) => void;
}) => {
  const { concertCache, waitingRoom, requireUser, onPaid } = deps;

  return async (tx: Tx, caller: Caller, reservationId: string): Promise<Paid> => {
    const [reservation, prelockedPlace] = await settleAll([
      payableReservations.lockOwn(tx, reservationId, caller.userId),
      waitingRoom.gate.prelockPlace(tx, caller),
    ]);
    if (!reservation) {
      await requireUser(caller.userId, tx);
      throw new Refusal('RESERVATION_NOT_FOUND');
    }
    requireScope(caller, reservation.concertId);
    if (reservation.status === 'CONFIRMED') {
      const payment = assertDefined(
        await tx.get(findPaymentOf, [reservationId]),
        'a CONFIRMED reservation has no payment',
      );
      return { receipt: receiptOf(payment), isNew: false };
    }
    // Refunded: refused here, before the gate, because the owner needs no ACTIVE place to get this response.
    if (reservation.status === 'CANCELLED' && (await tx.get(findPaymentOf, [reservationId])))
      throw new Refusal('RESERVATION_NOT_HELD');
    // With `consumeOn: RESERVATION` the hold has consumed the place, and paying needs none.
    const admitted =
      reservation.consumeOn === 'PAYMENT'
        ? await waitingRoom.gate.lockActivePlace(tx, caller, reservation.concertId, prelockedPlace)
        : undefined;
    // An admitted fan may finish only while the sale is open. A released reservation is refused as such below.
    if (admitted && reservation.status !== 'CANCELLED')
      await requireOpenSale(reservation.concertId, tx.nowMs);
    payableReservations.requireHeld(reservation, tx.nowMs);
    const receipt = await completePayment(tx, reservation, admitted);
    tx.afterCommit(() => {
      onPaid(receipt.amount);
    });
    return { receipt, isNew: true };
  };

  async function requireOpenSale(concertId: string, nowMs: number): Promise<void> {
    const state = saleState(await concertCache.concert(concertId), nowMs);
    if (guard('pay-before-closing', state) === 'CLOSED') throw new Refusal('SALES_CLOSED');
  }

  async function completePayment(
    tx: Tx,
    reservation: ReservationRow,
    admitted: Admitted | undefined,
  ): Promise<Receipt> {
    const { id: reservationId, userId, concertId, amount, currency } = reservation;
    const id = newId();
    const concert = await concertCache.concert(concertId);
    const schedule = await concertCache.schedule(reservation.scheduleId);
    // Pipelined: one round trip. If the balance is too low, all of it is rolled back.
    const [entry] = await settleAll([
      ledger.debit(tx, userId, amount, id),
      payableReservations.confirm(tx, reservation),
      admitted && waitingRoom.consumePlace(tx, concertId, admitted),
    ]);
    const snapshot: Snapshot = {
      id,
      number: newReceiptNumber(tx.nowMs),
      reservationId,
      concert: { id: concert.id, title: concert.title, venue: concert.venue },
      schedule: { id: schedule.id, startsAt: iso(schedule.startsAtMs) },
      seats: seatsOf(reservation).map(({ label, grade, price }) => ({ label, grade, price })),
      amount,
      currency,
      balanceAfter: entry.balanceAfter,
      paidAt: iso(tx.nowMs),
    };
    tx.execDeferred(insertPayment, [
      id,
      snapshot.number,
      reservationId,
      userId,
      concertId,
      amount,
      JSON.stringify(snapshot),
      tx.nowMs,
    ]);
    return { ...snapshot, refundedAt: null };
  }
};
