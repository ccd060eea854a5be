import { assertDefined } from '../../kernel/assert.js';
import { forEachConcurrently } from '../../kernel/for-each-concurrently.js';
import { Refusal } from '../../kernel/refusal.js';
import { skipRunning } from '../../kernel/skip-running.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import type { Queues } from '../projection/queues.js';
import { lockQueue, type QueueRow } from '../queries.js';
import { queueClosed, soldOutChanged } from '../topics.js';
import type { Marking } from './mark-closed.js';
import { closeWaiting, findSoldOut, listNewlySoldOut, setClosesAt, setSoldOut } from './queries.js';

/** Queues that one run works on at the same time. */
const CONCURRENT_QUEUES_MAX = 4;

/**
 * Closing a queue: when the sale closes or sells out, every WAITING place ends as CLOSED.
 *
 * One small transaction under the queue's row lock decides: it moves `closed_through` to the last number. From then on no
 * answer and no admission treats a place up to that number as waiting. The rows are marked afterwards, in batches.
 * From the time the sale closes, the projection answers CLOSED even before that transaction has run.
 */
export interface Closing {
  /** Ends the waiting places if the sale has closed or is sold out. Any process may call it at any time. */
  close(concertId: string): Promise<void>;
  /** The same inside a transaction that changed something it depends on. Locks the queue. */
  closeInTx(tx: Tx, concertId: string): Promise<void>;
  /** Locks the queue, for a transaction that locks other rows before it calls `closeInTx`. */
  lock(tx: Tx, concertId: string): Promise<unknown>;
  /** Stores a new end of the sale and closes the queue if that has passed. Runs after `closeInTx` by the old one. */
  moveClosing(tx: Tx, concertId: string, closesAtMs: number): Promise<void>;
  /** Job: closes every queue that is due. A sale that has ended costs one comparison. */
  closeDue(): Promise<void>;
  /** Job: finds sales that sold out without a notice, for example because a date has begun. */
  closeSoldOut(): Promise<void>;
}

export function createClosing(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly marking: Pick<Marking, 'markInBackground'>;
  readonly onError: (error: unknown, concertId: string) => void;
}): Closing {
  const { sql, queues, marking, onError } = deps;

  async function lock(tx: Tx, concertId: string): Promise<QueueRow> {
    const queue = await tx.get(lockQueue, [concertId]);
    if (!queue) throw new Refusal('CONCERT_NOT_FOUND');
    return queue;
  }

  async function closeIfDue(tx: Tx, queue: QueueRow): Promise<void> {
    const { concertId, closesAtMs, closeWhenSoldOut } = queue;
    const { soldOut } = assertDefined(
      await tx.get(findSoldOut, [concertId, tx.nowMs]),
      'a condition has a row',
    );
    if (soldOut !== queue.soldOut) {
      tx.execDeferred(setSoldOut, [concertId, soldOut]);
      tx.publish(soldOutChanged, { concertId, soldOut: soldOut === 1 });
    }
    if (closesAtMs > tx.nowMs && (soldOut === 0 || closeWhenSoldOut === 0)) return;
    const closed = await tx.get(closeWaiting, [concertId]);
    if (!closed) return;
    tx.publish(queueClosed, { concertId, ...closed, atMs: tx.nowMs });
    tx.afterCommit(() => {
      marking.markInBackground(concertId);
    });
  }

  const closeInTx = async (tx: Tx, concertId: string): Promise<void> =>
    closeIfDue(tx, await lock(tx, concertId));

  const close = (concertId: string): Promise<void> =>
    sql.transaction((tx) => closeInTx(tx, concertId), { mutexKey: concertId });

  /** A later run skips a queue whose row is locked; a queue that fails does not keep the others from closing. */
  const closeInJob = skipRunning((concertId) =>
    close(concertId).catch((error: unknown) => {
      onError(error, concertId);
    }),
  );

  const closeAll = (due: readonly { readonly concertId: string }[]): Promise<void> =>
    forEachConcurrently(due, CONCURRENT_QUEUES_MAX, ({ concertId }) => closeInJob(concertId));

  return {
    close,
    lock,
    closeInTx,

    async moveClosing(tx, concertId, closesAtMs) {
      await tx.exec(setClosesAt, [concertId, closesAtMs]);
      await closeInTx(tx, concertId);
    },

    async closeDue() {
      const nowMs = sql.nowMs();
      await closeAll([...queues.all()].filter((queue) => queue.isClosingDue(nowMs)));
    },

    async closeSoldOut() {
      await closeAll(await sql.reader.all(listNewlySoldOut, [sql.nowMs()]));
    },
  };
}
