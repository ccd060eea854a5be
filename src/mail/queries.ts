import { guard } from '../kernel/guard.js';
import { statement } from '../platform/sql/index.js';

export type MailStatus = 'PENDING' | 'SENT' | 'FAILED' | 'EXPIRED' | 'DISCARDED';

export interface MailRow {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  /** Null unless the mail is PENDING. */
  readonly body: string | null;
  readonly status: MailStatus;
  readonly attempts: number;
  readonly expiresAtMs: number;
  readonly createdAtMs: number;
}

const COLUMNS = `id, recipient, subject, body, status, attempts, expires_at AS "expiresAtMs", created_at AS "createdAtMs"`;
/** `attempts >= 0` is always true: only statements that repeat it use the partial indexes. */
const IS_PENDING = `status = 'PENDING' AND attempts >= 0`;

export const insertMail = statement<
  [
    id: string,
    recipient: string,
    subject: string,
    body: string | null,
    status: MailStatus,
    expiresAtMs: number,
    nowMs: number,
  ]
>(
  'insert_mail',
  `INSERT INTO outbox (id, recipient, subject, body, status, attempts, due_at, expires_at, created_at)
   VALUES ($1, $2, $3, $4, $5, 0, $7, $6, $7)`,
);

export const listDueMails = statement<[nowMs: number, limit: number], { readonly id: string }>(
  'list_due_mails',
  `SELECT id FROM outbox WHERE ${IS_PENDING} AND due_at <= $1 AND expires_at > $1 ORDER BY due_at LIMIT $2`,
);

/** Moves `due_at` to the end of the claim: until then no other process sends the mail. */
export const claimMails = statement<[ids: readonly string[], nowMs: number, claimEndsAtMs: number], MailRow>(
  'claim_mails',
  ({ inLockOrder }) => `UPDATE outbox SET attempts = attempts + 1, due_at = $3
   WHERE ${inLockOrder('outbox', '$1')} AND status = 'PENDING' AND expires_at > $2
     AND ${guard('mail-claim', 'due_at <= $2')}
   RETURNING ${COLUMNS}`,
);

/** SENT or FAILED. Deletes the text, because it contains a secret link. */
export const finishMail = statement<[id: string, status: MailStatus]>(
  'finish_mail',
  `UPDATE outbox SET status = $2, body = NULL WHERE id = $1 AND status = 'PENDING'`,
);

/** Only for the claim that failed: if it has ended meanwhile, the mail belongs to another claim. */
export const retryMail = statement<[id: string, attempts: number, dueAtMs: number]>(
  'retry_mail',
  `UPDATE outbox SET due_at = $3 WHERE id = $1 AND attempts = $2 AND status = 'PENDING'`,
);

export const expireMails = statement<[nowMs: number, limit: number]>(
  'expire_mails',
  `UPDATE outbox SET status = 'EXPIRED', body = NULL WHERE id IN (
     SELECT id FROM outbox WHERE ${IS_PENDING} AND expires_at <= $1 ORDER BY expires_at LIMIT $2)
   AND status = 'PENDING'`,
);

export const deleteMails = statement<[beforeMs: number, limit: number]>(
  'delete_mails',
  `DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE created_at < $1 ORDER BY created_at, id LIMIT $2)`,
);

export const listMails = statement<[beforeMs: number, beforeId: string, limit: number], MailRow>(
  'list_mails',
  `SELECT ${COLUMNS} FROM outbox WHERE (created_at, id) < ($1, $2) AND status <> 'DISCARDED'
   ORDER BY created_at DESC, id DESC LIMIT $3`,
);

/** Without the text: it contains a secret link. */
export const listMailsTo = statement<
  [recipient: string, beforeMs: number, beforeId: string, limit: number],
  Omit<MailRow, 'body'>
>(
  'list_mails_to',
  `SELECT id, recipient, subject, status, attempts, expires_at AS "expiresAtMs", created_at AS "createdAtMs"
   FROM outbox WHERE recipient = $1 AND (created_at, id) < ($2, $3) ORDER BY created_at DESC, id DESC LIMIT $4`,
);

export const deleteMailsTo = statement<[recipient: string]>(
  'delete_mails_to',
  `DELETE FROM outbox WHERE recipient = $1`,
);
