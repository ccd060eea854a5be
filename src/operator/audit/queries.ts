import { statement } from '../../platform/sql/index.js';

export type AuditAction =
  'CONCERT_CREATED' | 'CONCERT_EDITED' | 'POLICY_CHANGED' | 'PAYMENT_REFUNDED' | 'CONCERT_DUPLICATED';

export interface AuditRow {
  id: string;
  actorId: string | null;
  actorEmail: string | null;
  action: AuditAction;
  /** JSON. */
  details: string;
  createdAtMs: number;
}

export const insertAuditEntry = statement<
  [id: string, concertId: string, actorId: string | null, action: AuditAction, details: string, nowMs: number]
>(
  'insert_audit_entry',
  `INSERT INTO audit_entries (id, concert_id, actor_id, action, details, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
);

export const listAuditEntries = statement<
  [concertId: string, beforeMs: number, beforeId: string, limit: number],
  AuditRow
>(
  'list_audit_entries',
  `SELECT a.id, a.actor_id AS "actorId", u.email AS "actorEmail", a.action, a.details, a.created_at AS "createdAtMs"
   FROM audit_entries a LEFT JOIN users u ON u.id = a.actor_id
   WHERE a.concert_id = $1 AND (a.created_at, a.id) < ($2, $3) ORDER BY a.created_at DESC, a.id DESC LIMIT $4`,
);
