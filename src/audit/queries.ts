import { statement } from '../platform/sql/index.js';

/** Every action of the audit log; the schema's CHECK repeats the list. */
export const AUDIT_ACTIONS = [
  'CONCERT_CREATED',
  'CONCERT_EDITED',
  'POLICY_CHANGED',
  'PAYMENT_REFUNDED',
  'CONCERT_DUPLICATED',
  'CONCERT_PUBLISHED',
  'SALES_SEARCHED',
  'SALES_EXPORTED',
  'OPERATOR_SIGNED_IN',
  'OPERATOR_SIGN_IN_FAILED',
  'OPERATOR_INVITED',
  'OPERATOR_ADDED',
  'OPERATOR_REMOVED',
  'PERSONAL_DATA_EXPORTED',
  'ACCOUNT_ERASED',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditRow {
  id: string;
  concertId: string | null;
  concertTitle: string | null;
  actorId: string | null;
  actorEmail: string | null;
  action: AuditAction;
  /** JSON. */
  details: string;
  createdAtMs: number;
}

export const insertAuditEntry = statement<
  [
    id: string,
    concertId: string | null,
    actorId: string | null,
    action: AuditAction,
    details: string,
    nowMs: number,
  ]
>(
  'insert_audit_entry',
  `INSERT INTO audit_entries (id, concert_id, actor_id, action, details, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
);

/** Writes no row if the address is not an operator's, or if the account has `failuresMax` entries since `sinceMs`. */
export const insertFailedSignIn = statement<
  [id: string, emailKey: string, details: string, nowMs: number, sinceMs: number, failuresMax: number]
>(
  'insert_failed_sign_in',
  `INSERT INTO audit_entries (id, concert_id, actor_id, action, details, created_at)
   SELECT CAST($1 AS TEXT), NULL, u.id, 'OPERATOR_SIGN_IN_FAILED', CAST($3 AS TEXT), CAST($4 AS BIGINT)
   FROM users u WHERE u.email_key = $2 AND u.role = 'OPERATOR'
   AND (SELECT count(*) FROM audit_entries a WHERE a.actor_id = u.id AND a.created_at > $5
     AND a.action = 'OPERATOR_SIGN_IN_FAILED') < $6`,
);

const ENTRIES = `SELECT a.id, a.concert_id AS "concertId", c.title AS "concertTitle", a.actor_id AS "actorId",
     u.email AS "actorEmail", a.action, a.details, a.created_at AS "createdAtMs"
   FROM audit_entries a LEFT JOIN users u ON u.id = a.actor_id LEFT JOIN concerts c ON c.id = a.concert_id`;

const NEWEST_FIRST = `ORDER BY a.created_at DESC, a.id DESC`;

export const listAuditEntriesOfConcert = statement<
  [concertId: string, beforeMs: number, beforeId: string, limit: number],
  AuditRow
>(
  'list_audit_entries_of_concert',
  `${ENTRIES} WHERE a.concert_id = $1 AND (a.created_at, a.id) < ($2, $3) ${NEWEST_FIRST} LIMIT $4`,
);

export const listAuditEntries = statement<[beforeMs: number, beforeId: string, limit: number], AuditRow>(
  'list_audit_entries',
  `${ENTRIES} WHERE (a.created_at, a.id) < ($1, $2) ${NEWEST_FIRST} LIMIT $3`,
);

/** What one account did. */
export const listAuditEntriesOfActor = statement<
  [actorId: string, beforeMs: number, beforeId: string, limit: number],
  AuditRow
>(
  'list_audit_entries_of_actor',
  `${ENTRIES} WHERE a.actor_id = $1 AND (a.created_at, a.id) < ($2, $3) ${NEWEST_FIRST} LIMIT $4`,
);

export const deleteAuditEntries = statement<[beforeMs: number, limit: number]>(
  'delete_audit_entries',
  (dialect) =>
    `DELETE FROM audit_entries WHERE id ${dialect.inQuery(
      'SELECT id FROM audit_entries WHERE created_at < $1 ORDER BY created_at, id LIMIT $2',
    )}`,
);
