import type { ConcertCache } from '../catalog/index.js';
import { assertDefined } from '../kernel/assert.js';
import type { Caller } from '../kernel/caller.js';
import { newId, newReceiptNumber } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { iso } from '../kernel/time.js';
import { settleAll } from '../kernel/settle-all.js';
import type { Reader, Tx } from '../platform/sql/index.js';
import { type ReservationRow, seatsOf, type PayableReservations } from '../reservations/index.js';
import type { Admitted, WaitingRoom } from '../waiting-room/index.js';
import type { ledger } from '../wallet/index.js';
import { findPaymentOf, insertPayment } from './queries.js';
import { type Receipt, receiptOf, type Snapshot } from './receipt.js';

export interface Paid {
  readonly receipt: Receipt;
  /** False when it had been paid before: the same receipt again, and no money moved. */
  readonly isNew: boolean;
}

/** Money, seats, reservation, receipt and place in one transaction: all of it or none. */
export const createPay = (deps: {
  readonly concertCache: ConcertCache;
  readonly payableReservations: PayableReservations;
  readonly wallet: typeof ledger;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'consumePlace'>;
  readonly requireUser: (userId: string, reader?: Reader) => Promise<unknown>;
  readonly onPaid: (amount: number) => void;
}) => {
  const { concertCache, payableReservations, wallet, waitingRoom, requireUser, onPaid } = deps;

  return async (tx: Tx, caller: Caller, reservationId: string): Promise<Paid> => {
    const [reservation, ahead] = await settleAll([
      payableReservations.find(tx, reservationId, caller.userId),
      waitingRoom.gate.prelockPlace(tx, caller),
    ]);
    if (!reservation) {
      await requireUser(caller.userId, tx);
      throw new Refusal('RESERVATION_NOT_FOUND');
    }
    if (reservation.status === 'CONFIRMED') {
      const payment = assertDefined(
        await tx.get(findPaymentOf, [reservationId]),
        'a confirmed reservation without a payment',
      );
      return { receipt: receiptOf(payment), isNew: false };
    }
    // Given back: said to its owner whatever has become of the place, like a receipt.
    if (reservation.status === 'CANCELLED' && (await tx.get(findPaymentOf, [reservationId])))
      throw new Refusal('RESERVATION_NOT_HELD');
    // Where reserving used the place up, paying needs none.
    const usesPlace = reservation.consumeOn === 'PAYMENT';
    const admitted = usesPlace
      ? await waitingRoom.gate.lockActivePlace(tx, caller, reservation.concertId, ahead)
      : undefined;
    payableReservations.requireHeld(reservation, tx.nowMs);
    const receipt = await settle(tx, reservation, admitted);
    tx.afterCommit(() => {
      onPaid(receipt.amount);
    });
    return { receipt, isNew: true };
  };

  async function settle(
    tx: Tx,
    reservation: ReservationRow,
    admitted: Admitted | undefined,
  ): Promise<Receipt> {
    const { id: reservationId, userId, concertId, amount, currency } = reservation;
    const id = newId();
    const concert = await concertCache.concert(concertId);
    const schedule = await concertCache.schedule(reservation.scheduleId);
    // Sent together: only the answers are waited for. Money that is missing undoes all of it.
    const [entry] = await settleAll([
      wallet.debit(tx, userId, amount, id),
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
    const text = JSON.stringify(snapshot);
    tx.execDeferred(insertPayment, [
      id,
      snapshot.number,
      reservationId,
      userId,
      concertId,
      amount,
      text,
      tx.nowMs,
    ]);
    return { ...snapshot, refundedAt: null };
  }
};
