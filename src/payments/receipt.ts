import { type Static, Type } from 'typebox';
import { Amount, closed, Id, Timestamp } from '../platform/web/index.js';
import type { PaymentRow } from './queries.js';

export const ReceiptSchema = closed({
  id: Id,
  number: Type.String(),
  reservationId: Id,
  concert: closed({ id: Id, title: Type.String(), venue: Type.String() }),
  schedule: closed({ id: Id, startsAt: Timestamp }),
  seats: Type.Array(closed({ label: Type.String(), grade: Type.String(), price: Amount })),
  amount: Amount,
  currency: Type.String(),
  balanceAfter: Amount,
  paidAt: Timestamp,
});
export type Receipt = Static<typeof ReceiptSchema>;

/** A snapshot: written once, in `pay.ts`, and only ever read back. */
export const receiptOf = ({ receipt }: Pick<PaymentRow, 'receipt'>): Receipt =>
  JSON.parse(receipt) as Receipt;
