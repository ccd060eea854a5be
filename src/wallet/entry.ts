import { Type } from 'typebox';
import { iso } from '../kernel/time.js';
import { Amount, closed, Id, Nullable, Timestamp } from '../platform/web/index.js';
import type { EntryRow, EntryType } from './queries.js';

export const EntrySchema = closed({
  id: Id,
  type: Type.Unsafe<EntryType>({ type: 'string', enum: ['CHARGE', 'PAYMENT', 'REFUND', 'FORFEIT'] }),
  amount: Amount,
  balanceAfter: Amount,
  reference: Nullable(Type.String()),
  createdAt: Timestamp,
});

export const toEntry = ({ id, type, amount, balanceAfter, reference, createdAtMs }: EntryRow) => ({
  id,
  type,
  amount,
  balanceAfter,
  reference,
  createdAt: iso(createdAtMs),
});
