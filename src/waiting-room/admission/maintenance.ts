import { assertDefined } from '../../kernel/assert.js';
import { forEachConcurrently } from '../../kernel/for-each-concurrently.js';
import { skipRunning } from '../../kernel/skip-running.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import type { Admission } from './admit.js';
import { addPurgedCounts, deleteEndedPlaces, listPurgeableQueues } from './purge-queries.js';
import { lockQueue, type PlaceStatus } from '../queries.js';
import type { Queues } from '../projection/queues.js';

/** Places that one transaction deletes; it holds the queue's lock meanwhile. */
const PURGE_BATCH_MAX = 1000;
/** Queues that one run works on at the same time. */
const CONCURRENT_QUEUES_MAX = 4;

export function createMaintenance(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly admission: Admission;
  /** How long an ended place can still be polled. */
  readonly endedRetentionMs: number;
  readonly onError: (error: unknown, concertId: string) => void;
}) {
  const { sql, queues, admission, endedRetentionMs, onError } = deps;
  /** A later run skips a queue whose row is locked. */
  const admit = skipRunning((concertId) => admission.admit(concertId));

  /** Returns whether there may be more. */
  async function purgeBatch(tx: Tx, concertId: string): Promise<boolean> {
    const queue = assertDefined(await tx.get(lockQueue, [concertId]), 'no row for this queue');
    // A higher number that left while waiting is still needed to compute the ranks of the numbers behind it.
    const decidedThrough = Math.max(queue.admittedThrough, queue.closedThrough);
    const beforeMs = tx.nowMs - endedRetentionMs;
    const deleted = await tx.all(deleteEndedPlaces, [concertId, beforeMs, decidedThrough, PURGE_BATCH_MAX]);
    if (deleted.length === 0) return false;
    const count = (status: PlaceStatus): number => deleted.filter((place) => place.status === status).length;
    const counts = [count('DONE'), count('EXPIRED'), count('LEFT'), count('CLOSED')] as const;
    await tx.exec(addPurgedCounts, [concertId, ...counts]);
    return deleted.length === PURGE_BATCH_MAX;
  }

  return {
    /** Admits and expires where something is due. A queue with nothing due costs no transaction. */
    admitDue(): Promise<void> {
      const nowMs = sql.nowMs();
      const due = [...queues.all()].filter((queue) => queue.hasExpired(nowMs) || queue.canAdmit(nowMs));
      return forEachConcurrently(due, CONCURRENT_QUEUES_MAX, ({ concertId }) => admit(concertId));
    },

    /**
     * Deletes places that ended long ago, a batch per queue, and keeps their counts. A queue without such places costs no
     * transaction. Returns whether more are left.
     */
    async purgeEnded(): Promise<boolean> {
      const found = await sql.reader.all(listPurgeableQueues, [sql.nowMs() - endedRetentionMs]);
      let isMoreLeft = false;
      await forEachConcurrently(found, CONCURRENT_QUEUES_MAX, async ({ concertId }) => {
        try {
          if (await sql.transaction((tx) => purgeBatch(tx, concertId), { mutexKey: concertId }))
            isMoreLeft = true;
        } catch (error) {
          // A queue that fails does not keep the others from being purged.
          onError(error, concertId);
        }
      });
      return isMoreLeft;
    },
  };
}
