import type { Sql } from '../../platform/sql/index.js';
import { deleteExpiredTokens } from './queries.js';

/** Rows deleted per transaction. Small, because other transactions wait for it. */
const BATCH_MAX = 1000;

/** Job: deletes expired tokens, used or not, in batches. */
export async function purgeMailedTokens(sql: Sql): Promise<void> {
  let deleted = BATCH_MAX;
  while (deleted === BATCH_MAX)
    deleted = await sql.transaction((tx) => tx.exec(deleteExpiredTokens, [tx.nowMs, BATCH_MAX]));
}
