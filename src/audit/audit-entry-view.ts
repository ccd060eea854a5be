import { Type } from 'typebox';
import { iso } from '../kernel/time.js';
import { closed, Id, Timestamp } from '../platform/web/index.js';
import { AUDIT_ACTIONS, type AuditAction, type AuditRow } from './queries.js';

const ActionSchema = Type.Unsafe<AuditAction>({ type: 'string', enum: [...AUDIT_ACTIONS] });

const ActorSchema = closed({ id: Id, email: Type.String() });
const ConcertSchema = closed({ id: Id, title: Type.String() });

export const AuditEntrySchema = closed({
  id: Id,
  at: Timestamp,
  actor: Type.Union([ActorSchema, Type.Null()], {
    description: 'null: the command line. Of a failed sign-in, the account that was tried',
  }),
  concert: Type.Union([ConcertSchema, Type.Null()], {
    description: 'null: the action does not belong to one concert',
  }),
  action: ActionSchema,
  details: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Of a change, the fields that changed, each with `from` and `to`; of a refund, `paymentId` and `amount`; of a search or an export, `list` and `q`; of a sign-in, `client`',
  }),
});

export const toAuditEntry = (row: AuditRow) => ({
  id: row.id,
  at: iso(row.createdAtMs),
  actor: row.actorId === null ? null : { id: row.actorId, email: row.actorEmail ?? '' },
  concert: row.concertId === null ? null : { id: row.concertId, title: row.concertTitle ?? '' },
  action: row.action,
  // Written by `recordAudit`.
  details: JSON.parse(row.details) as Record<string, unknown>,
});
