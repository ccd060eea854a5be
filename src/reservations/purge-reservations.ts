import type { Sql, Tx } from '../platform/sql/index.js';
import { addPurgedReservations, deleteEndedReservations, listEndedReservations } from './queries.js';

const PURGE_BATCH_MAX = 500;

/**
 * Deletes reservations that expired or were released long ago, and keeps their counts. Refunded ones have a payment and
 * are kept. Each call looks at one batch and returns whether more are left; after the last one it starts again.
 */
export function createPurgeReservations(deps: { readonly sql: Sql; readonly retentionMs: number }) {
  const { sql, retentionMs } = deps;
  const start = { expiresAtMs: 0, id: '' };
  /** Where the last batch ended: the next one need not look at the refunded reservations before it again. */
  let position = start;

  async function deleteBatch(tx: Tx, ids: readonly string[]): Promise<void> {
    const deleted = await tx.all(deleteEndedReservations, [ids]);
    for (const concertId of new Set(deleted.map((row) => row.concertId))) {
      const ofConcert = deleted.filter((row) => row.concertId === concertId);
      const expired = ofConcert.filter(({ status }) => status === 'EXPIRED').length;
      await tx.exec(addPurgedReservations, [concertId, expired, ofConcert.length - expired]);
    }
  }

  return async (): Promise<boolean> => {
    const beforeMs = sql.nowMs() - retentionMs;
    const { expiresAtMs, id } = position;
    const batch = await sql.reader.all(listEndedReservations, [beforeMs, expiresAtMs, id, PURGE_BATCH_MAX]);
    if (batch.length > 0)
      await sql.transaction((tx) =>
        deleteBatch(
          tx,
          batch.map((row) => row.id),
        ),
      );
    const isLast = batch.length < PURGE_BATCH_MAX;
    position = isLast ? start : (batch.at(-1) ?? start);
    return !isLast;
  };
}
