import { assertDefined } from '../../kernel/assert.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import type { PlaceEvents } from '../admission/expire-places.js';
import { lockQueue } from '../queries.js';
import { listUnmarkedQueues, markClosed, setMarkedThrough } from './queries.js';

/** Numbers whose rows one transaction marks; it holds the queue's lock meanwhile. */
const MARK_BATCH_MAX = 1000;

export interface Marking {
  /** Marks the rows of one closed queue, batch by batch. */
  markInBackground(concertId: string): void;
  /** Job: continues where a process stopped between two batches. */
  markRemaining(): Promise<void>;
}

/** Writes CLOSED into the rows of places that ended with their sale. No answer depends on it. */
export function createMarking(deps: {
  readonly sql: Sql;
  readonly events: Pick<PlaceEvents, 'ended'>;
  readonly onError: (error: unknown) => void;
}): Marking {
  const { sql, events, onError } = deps;
  const running = new Set<string>();

  /** Returns whether all rows are marked. */
  async function markBatch(tx: Tx, concertId: string): Promise<boolean> {
    const queue = assertDefined(await tx.get(lockQueue, [concertId]), 'no row for this queue');
    const { closedThrough, closedMarkedThrough } = queue;
    const through = Math.min(closedMarkedThrough + MARK_BATCH_MAX, closedThrough);
    if (through === closedMarkedThrough) return true;
    const count = await tx.exec(markClosed, [concertId, closedMarkedThrough, through, tx.nowMs]);
    tx.execDeferred(setMarkedThrough, [concertId, through]);
    tx.afterCommit(() => {
      events.ended('CLOSED', count);
    });
    return through === closedThrough;
  }

  async function markAll(concertId: string): Promise<void> {
    if (running.has(concertId)) return;
    running.add(concertId);
    try {
      while (!(await sql.transaction((tx) => markBatch(tx, concertId), { mutexKey: concertId })));
    } finally {
      running.delete(concertId);
    }
  }

  return {
    markInBackground(concertId) {
      markAll(concertId).catch(onError);
    },
    async markRemaining() {
      for (const { concertId } of await sql.reader.all(listUnmarkedQueues, []))
        await markAll(concertId).catch(onError);
    },
  };
}
