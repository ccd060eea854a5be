import { type Static, Type } from 'typebox';
import { TimeZone } from '../catalog/index.js';
import { isoOrNull } from '../kernel/time.js';
import { Amount, closed, Id, Nullable, Timestamp } from '../platform/web/index.js';
import { BookedSeatSchema } from '../reservations/index.js';
import type { PaymentRow } from './queries.js';

const SnapshotSchema = closed({
  id: Id,
  number: Type.String(),
  reservationId: Id,
  concert: closed({ id: Id, title: Type.String(), venue: Type.String(), timeZone: TimeZone }),
  schedule: closed({ id: Id, startsAt: Timestamp }),
  seats: Type.Array(BookedSeatSchema),
  amount: Amount,
  currency: Type.String(),
  balanceAfter: Amount,
  paidAt: Timestamp,
});
/** Written once by `pay.ts`; never changes. */
export type Snapshot = Static<typeof SnapshotSchema>;

/** Adds the time of the refund, which is stored in its own column, to the snapshot. */
export const ReceiptSchema = closed({ ...SnapshotSchema.properties, refundedAt: Nullable(Timestamp) });
export type Receipt = Static<typeof ReceiptSchema>;

export const receiptOf = ({
  receipt,
  refundedAtMs,
}: Pick<PaymentRow, 'receipt' | 'refundedAtMs'>): Receipt => ({
  ...(JSON.parse(receipt) as Snapshot),
  refundedAt: isoOrNull(refundedAtMs),
});
