import { Type } from 'typebox';
import type { Concert } from '../../catalog/index.js';
import { newId } from '../../kernel/id.js';
import { iso, isoOrNull } from '../../kernel/time.js';
import type { Tx } from '../../platform/sql/index.js';
import { closed, Id, Timestamp } from '../../platform/web/index.js';
import { type AuditAction, type AuditRow, insertAuditEntry } from './queries.js';

type Details = Readonly<Record<string, unknown>>;

export interface AuditEntry {
  readonly concertId: string;
  /** The operator's user id; null for the command line. */
  readonly actorId: string | null;
  readonly action: AuditAction;
  readonly details: Details;
}

/** Must run in the transaction of the change itself, so that neither exists without the other. */
export async function recordAction(
  tx: Tx,
  { concertId, actorId, action, details }: AuditEntry,
): Promise<void> {
  await tx.exec(insertAuditEntry, [
    newId(tx.nowMs),
    concertId,
    actorId,
    action,
    JSON.stringify(details),
    tx.nowMs,
  ]);
}

/** Like `recordAction`, but writes no entry if `details` is empty. */
export async function recordChanges(tx: Tx, entry: AuditEntry): Promise<void> {
  if (Object.keys(entry.details).length > 0) await recordAction(tx, entry);
}

/** The fields that differ, each with its old and new value. A field missing in `before` counts as null. */
export function changesBetween(before: Details, after: Details): Details {
  const changed = Object.entries(after).filter(([field, to]) => (before[field] ?? null) !== to);
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: before[field] ?? null, to }]));
}

/** The fields of a concert that an operator can edit, as the API shows them. */
export const editableFields = (concert: Concert): Details => ({
  title: concert.title,
  venue: concert.venue,
  description: concert.description,
  salesOpenAt: isoOrNull(concert.salesOpenAtMs),
  salesCloseAt: isoOrNull(concert.salesCloseAtMs),
});

const ActionSchema = Type.Unsafe<AuditAction>({
  type: 'string',
  enum: ['CONCERT_CREATED', 'CONCERT_EDITED', 'POLICY_CHANGED', 'PAYMENT_REFUNDED', 'CONCERT_DUPLICATED'],
});

const ActorSchema = closed({ id: Id, email: Type.String() });

export const AuditEntrySchema = closed({
  id: Id,
  at: Timestamp,
  actor: Type.Union([ActorSchema, Type.Null()], { description: 'null: the command line' }),
  action: ActionSchema,
  details: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The fields that changed, each with `from` and `to`; of a refund, `paymentId` and `amount`',
  }),
});

export const toAuditEntry = (row: AuditRow) => ({
  id: row.id,
  at: iso(row.createdAtMs),
  actor: row.actorId === null ? null : { id: row.actorId, email: row.actorEmail ?? '' },
  action: row.action,
  // Written by `recordAction`.
  details: JSON.parse(row.details) as Record<string, unknown>,
});
