import { type Static, Type } from 'typebox';
import { assertDefined } from '../kernel/assert.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { Amount, closed, Id, Timestamp } from '../platform/web/index.js';
import { payableReservations } from '../reservations/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { ledger } from '../wallet/index.js';
import { findPayment, markRefunded } from './queries.js';
import { receiptOf } from './receipt.js';

export const RefundSchema = closed({
  paymentId: Id,
  reservationId: Id,
  amount: Amount,
  currency: Type.String(),
  refundedAt: Timestamp,
});

export interface Refunded {
  readonly refund: Static<typeof RefundSchema>;
  readonly concertId: string;
  /** False if it was refunded before: the answer is the first one, and no money moved. */
  readonly isNew: boolean;
}

/** Refunds a payment: wallet, seats, reservation and receipt change in one transaction. */
export const createRefund =
  ({ closing }: Pick<WaitingRoom, 'closing'>) =>
  async (tx: Tx, paymentId: string): Promise<Refunded> => {
    const marked = await tx.get(markRefunded, [paymentId, tx.nowMs]);
    const payment = marked ?? (await tx.get(findPayment, [paymentId]));
    if (!payment) throw new Refusal('PAYMENT_NOT_FOUND');
    const { reservationId, amount, currency, concert, ...receipt } = receiptOf(payment);
    if (marked) {
      // Locks in the order of all transactions: queue, reservation, wallet, seats.
      await closing.lock(tx, concert.id);
      await payableReservations.lock(tx, [reservationId]);
      const wallets = await ledger.lock(tx, [payment.userId]);
      await payableReservations.cancelConfirmed(tx, reservationId);
      ledger.write(tx, [ledger.refund(wallets.get(payment.userId), amount, paymentId, tx.nowMs)]);
      // The sale is no longer sold out.
      await closing.closeInTx(tx, concert.id);
    }
    const refundedAt = assertDefined(
      receipt.refundedAt,
      'a payment that could not be marked as refunded has no refund time',
    );
    const refund = { paymentId, reservationId, amount, currency, refundedAt };
    return { refund, concertId: concert.id, isNew: marked !== undefined };
  };
