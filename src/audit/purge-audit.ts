import type { Sql } from '../platform/sql/index.js';
import { deleteAuditEntries } from './queries.js';

const PURGE_BATCH_MAX = 1000;

/** Deletes a batch of entries whose retention has passed, and returns whether more may be left. */
export async function purgeAudit(sql: Sql, retentionMs: number): Promise<boolean> {
  const deleted = await sql.transaction((tx) =>
    tx.exec(deleteAuditEntries, [tx.nowMs - retentionMs, PURGE_BATCH_MAX]),
  );
  return deleted === PURGE_BATCH_MAX;
}
