import type { Sql } from '../platform/sql/index.js';
import { deleteMails, expireMails } from './queries.js';

/** Rows changed per transaction. Small, because other transactions wait for it. */
const BATCH_MAX = 1000;

export function createMailMaintenance(sql: Sql, retentionMs: number) {
  /** Runs batches until one is not full. */
  async function inBatches(batch: () => Promise<number>): Promise<void> {
    while ((await batch()) === BATCH_MAX);
  }

  return {
    expire: () => inBatches(() => sql.transaction((tx) => tx.exec(expireMails, [tx.nowMs, BATCH_MAX]))),
    purge: () =>
      inBatches(() => sql.transaction((tx) => tx.exec(deleteMails, [tx.nowMs - retentionMs, BATCH_MAX]))),
  };
}
