import { guard } from '../../kernel/guard.js';
import { batchStatement, type Sql, statement, type Tx } from '../../platform/sql/index.js';
import { HOUR_MS } from '../../kernel/time.js';

/** How long a client can repeat a request and get the stored response. */
export const KEY_RETENTION_MS = 24 * HOUR_MS;
/** Keys deleted per transaction. Small, because other transactions wait for it. */
const PURGE_BATCH_MAX = 1000;

export interface StoredResponse {
  readonly requestHash: string;
  readonly status: number;
  readonly body: string;
}

export const findStoredResponse = statement<[userId: string, key: string], StoredResponse>(
  'find_stored_response',
  () => `SELECT request_hash AS "requestHash", status AS "status", body AS "body"
   FROM idempotency_keys WHERE user_id = $1 AND ${guard('idempotency-lookup', 'key = $2')}`,
);

/** Writes no row if the key exists already or the user does not exist. */
export const storeResponses = batchStatement(
  'store_responses',
  {
    user_id: 'text',
    key: 'text',
    request_hash: 'text',
    status: 'bigint',
    body: 'text',
    created_at: 'bigint',
  },
  ({ row, andFrom }) => `INSERT INTO idempotency_keys (user_id, key, request_hash, status, body, created_at)
   SELECT u.id, ${row.key}, ${row.request_hash}, ${row.status}, ${row.body}, ${row.created_at}
   FROM users u${andFrom} WHERE u.id = ${row.user_id} AND u.erased_at IS NULL
   ON CONFLICT (user_id, key) ${guard('idempotency-insert', 'DO NOTHING')}`,
);

const deleteStoredResponses = statement<[beforeMs: number, limit: number]>(
  'delete_stored_responses',
  `DELETE FROM idempotency_keys WHERE (user_id, key) IN (
     SELECT user_id, key FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2)`,
);

/** Deletes up to `limit` keys stored before `olderThanMs`, oldest first, and returns whether more may be left. */
export async function purgeIdempotencyKeys(
  sql: Sql,
  olderThanMs = sql.nowMs() - KEY_RETENTION_MS,
  limit = PURGE_BATCH_MAX,
): Promise<boolean> {
  const deleted = await sql.transaction((tx) => tx.exec(deleteStoredResponses, [olderThanMs, limit]));
  return deleted === limit;
}

const deleteStoredResponsesOf = statement<[userId: string]>(
  'delete_stored_responses_of',
  `DELETE FROM idempotency_keys WHERE user_id = $1`,
);

/** In one statement: rate limits and the retention bound how many keys a user has. */
export async function eraseStoredResponses(tx: Tx, userId: string): Promise<void> {
  await tx.exec(deleteStoredResponsesOf, [userId]);
}
