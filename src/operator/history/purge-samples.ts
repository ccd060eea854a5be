import { DAY_MS, HOUR_MS } from '../../kernel/time.js';
import type { Sql } from '../../platform/sql/index.js';
import { condenseToMinutes, condenseToTenMinutes, deleteReportedSamples } from './queries.js';

/** Until then every sample is kept, later one per minute. */
const FINE_MS = 2 * HOUR_MS;
/** From then on one sample per ten minutes is kept. */
const MINUTES_MS = 2 * DAY_MS;
const PURGE_BATCH_MAX = 1000;

/**
 * Thins out old samples, so that the history of a long sale stays complete and small, and deletes those of sales that
 * have their report. Each call deletes one batch of each kind and returns whether more may be left.
 */
export async function purgeSamples(sql: Sql, retentionMs: number): Promise<boolean> {
  const deleted = await sql.transaction(async (tx) => [
    await tx.exec(condenseToMinutes, [tx.nowMs - FINE_MS, PURGE_BATCH_MAX]),
    await tx.exec(condenseToTenMinutes, [tx.nowMs - MINUTES_MS, PURGE_BATCH_MAX]),
    await tx.exec(deleteReportedSamples, [tx.nowMs - retentionMs, PURGE_BATCH_MAX]),
  ]);
  return deleted.includes(PURGE_BATCH_MAX);
}
