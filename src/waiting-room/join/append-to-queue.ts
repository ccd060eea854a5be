import { newId } from '../../kernel/id.js';
import { settleAll } from '../../kernel/settle-all.js';
import type { Tx } from '../../platform/sql/index.js';
import { advanceLastNumber, insertPlaces, lockQueue, type NewPlace, type QueueRow } from '../queries.js';
import { queueGrew } from '../topics.js';

export interface Appended {
  /** The queue's row before anybody was appended; undefined when there is no such queue. */
  readonly before: QueueRow | undefined;
  /** The new places by number. Users who do not exist or have a live place get none. */
  readonly places: readonly NewPlace[];
}

/**
 * Appends users to a queue in this order, unless the sale closes first. Admits nobody. All statements are sent before the
 * first answer is awaited, so the queue's row lock is not held while this process is busy. A caller that has nothing to
 * add may call `tx.pipelineCommit()` right away.
 */
export async function appendToQueue(
  tx: Tx,
  concertId: string,
  userIds: readonly string[],
  nowMs: number,
  closesAtMs: number | null = null,
): Promise<Appended> {
  const joiners = userIds.map((userId, index) => ({ id: newId(), user_id: userId, position: index }));
  const [before, places] = await settleAll([
    tx.get(lockQueue, [concertId]),
    tx.all(insertPlaces, [concertId, joiners, nowMs, closesAtMs ?? Number.MAX_SAFE_INTEGER]),
    tx.publishRows(queueGrew, advanceLastNumber, [concertId]),
  ]);
  places.sort((a, b) => a.number - b.number);
  return { before, places };
}
