import { type Static, Type } from 'typebox';
import { assertDefined } from '../kernel/assert.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { Amount, closed, Id, Timestamp } from '../platform/web/index.js';
import type { PayableReservations } from '../reservations/index.js';
import type { ledger } from '../wallet/index.js';
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
  /** False when it had been given back before: the same answer again, and no money moved. */
  readonly isNew: boolean;
}

/** Money, seats, reservation and the mark on the receipt in one transaction: all of it or none. */
export const createRefund =
  (deps: {
    readonly payableReservations: Pick<PayableReservations, 'undo'>;
    readonly wallet: Pick<typeof ledger, 'refund'>;
  }) =>
  async (tx: Tx, paymentId: string): Promise<Refunded> => {
    const marked = await tx.get(markRefunded, [paymentId, tx.nowMs]);
    const payment = marked ?? (await tx.get(findPayment, [paymentId]));
    if (!payment) throw new Refusal('PAYMENT_NOT_FOUND');
    const { reservationId, amount, currency, concert, ...receipt } = receiptOf(payment);
    if (marked) {
      await deps.payableReservations.undo(tx, reservationId);
      await deps.wallet.refund(tx, payment.userId, amount, paymentId);
    }
    const refundedAt = assertDefined(
      receipt.refundedAt,
      'a payment that could not be marked is not refunded',
    );
    const refund = { paymentId, reservationId, amount, currency, refundedAt };
    return { refund, concertId: concert.id, isNew: marked !== undefined };
  };
