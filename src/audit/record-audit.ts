import { newId } from '../kernel/id.js';
import { MINUTE_MS } from '../kernel/time.js';
import type { Tx } from '../platform/sql/index.js';
import { type AuditAction, insertAuditEntry, insertFailedSignIn } from './queries.js';

/** Per operator account and minute. Password guessing cannot flood the log, whatever the rate limits are. */
const FAILED_SIGN_INS_PER_MINUTE_MAX = 10;

export type AuditDetails = Readonly<Record<string, unknown>>;

export interface AuditEntry {
  /** Absent: the action does not belong to one concert. */
  readonly concertId?: string;
  /** The user id of the account that acted; null for the command line. */
  readonly actorId: string | null;
  readonly action: AuditAction;
  /** Never contains a password or a token. */
  readonly details: AuditDetails;
}

/** Must run in the transaction of the action itself, so that neither exists without the other. */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { concertId = null, actorId, action, details } = entry;
  await tx.exec(insertAuditEntry, [
    newId(tx.nowMs),
    concertId,
    actorId,
    action,
    JSON.stringify(details),
    tx.nowMs,
  ]);
}

/** Like `recordAudit`, but writes no entry if `details` is empty. */
export async function recordChanges(tx: Tx, entry: AuditEntry): Promise<void> {
  if (Object.keys(entry.details).length > 0) await recordAudit(tx, entry);
}

/** The fields that differ, each with its old and new value. A field missing in `before` counts as null. */
export function changesBetween(before: AuditDetails, after: AuditDetails): AuditDetails {
  const changed = Object.entries(after).filter(([field, to]) => !isSame(before[field] ?? null, to));
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: before[field] ?? null, to }]));
}

/** Values are JSON: a text for each language is an object. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Records a wrong password for an operator's address; for other addresses it writes nothing. The same statement runs for
 * every address, so that the response time does not reveal which ones are operators.
 */
export async function recordFailedSignIn(
  tx: Tx,
  { emailKey, details }: { readonly emailKey: string; readonly details: AuditDetails },
): Promise<void> {
  await tx.exec(insertFailedSignIn, [
    newId(tx.nowMs),
    emailKey,
    JSON.stringify(details),
    tx.nowMs,
    tx.nowMs - MINUTE_MS,
    FAILED_SIGN_INS_PER_MINUTE_MAX,
  ]);
}
