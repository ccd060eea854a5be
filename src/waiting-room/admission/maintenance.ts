import { HOUR_MS } from '../../kernel/time.js';
import type { Sql } from '../../platform/sql/index.js';
import type { Admission } from './admit.js';
import { addPurgedCounts, deleteEndedPlaces, lockQueue } from '../queries.js';
import type { Queues } from '../projection/queues.js';

/** How long an ended place can still be polled; the API promises at least one hour. */
const ENDED_RETENTION_MS = 2 * HOUR_MS;
const PURGE_BATCH_MAX = 1000;

export function createMaintenance(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly admission: Admission;
}) {
  const { sql, queues, admission } = deps;

  return {
    /** Admits and expires where something is due. A queue with nothing due costs no transaction. */
    async admitDue(): Promise<void> {
      for (const queue of queues.all()) {
        const nowMs = sql.nowMs();
        if (queue.hasExpired(nowMs) || queue.canAdmit(nowMs)) await admission.admit(queue.concertId);
      }
    },

    /** Deletes places that ended long ago and keeps their counts. */
    async purgeEnded(): Promise<void> {
      for (const { concertId } of queues.all()) {
        await sql.transaction(
          async (tx) => {
            const queue = await tx.get(lockQueue, [concertId]);
            if (!queue) return;
            // A number above `admittedThrough` that left is still needed to compute the ranks of higher numbers.
            const before = tx.nowMs - ENDED_RETENTION_MS;
            const deleted = await tx.all(deleteEndedPlaces, [
              concertId,
              before,
              queue.admittedThrough,
              PURGE_BATCH_MAX,
            ]);
            if (deleted.length === 0) return;
            const count = (status: string): number =>
              deleted.filter((place) => place.status === status).length;
            await tx.exec(addPurgedCounts, [concertId, count('DONE'), count('EXPIRED'), count('LEFT')]);
          },
          { mutexKey: concertId },
        );
      }
    },
  };
}
