import { HOUR_MS } from '../../kernel/time.js';
import type { Sql } from '../../platform/sql/index.js';
import type { Admission } from './admit.js';
import { addPurgedCounts, deleteEndedPlaces, lockQueue } from '../queries.js';
import type { Queues } from '../projection/queues.js';

/** How long an ended place can still be asked about. */
const ENDED_RETENTION_MS = 2 * HOUR_MS;
const PURGE_BATCH_MAX = 1000;

export function createMaintenance(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly admission: Admission;
}) {
  const { sql, queues, admission } = deps;

  return {
    /** Lets in and expires where something is due; rooms where nothing is cost nothing. */
    async admitDue(): Promise<void> {
      for (const queue of queues.all()) {
        const nowMs = sql.nowMs();
        if (queue.hasExpired(nowMs) || queue.canAdmit(nowMs)) await admission.admit(queue.concertId);
      }
    },

    /** Deletes places that ended long ago, keeping their count. */
    async purgeEnded(): Promise<void> {
      for (const { concertId } of queues.all()) {
        await sql.transaction(async (tx) => {
          const queue = await tx.get(lockQueue, [concertId]);
          if (!queue) return;
          // A number further back than the line has been admitted still counts for the ranks behind it.
          const before = tx.nowMs - ENDED_RETENTION_MS;
          const gone = await tx.all(deleteEndedPlaces, [
            concertId,
            before,
            queue.admittedThrough,
            PURGE_BATCH_MAX,
          ]);
          if (gone.length === 0) return;
          const count = (status: string): number => gone.filter((place) => place.status === status).length;
          await tx.exec(addPurgedCounts, [concertId, count('DONE'), count('EXPIRED'), count('LEFT')]);
        }, concertId);
      }
    },
  };
}
