import { newId } from '../../kernel/id.js';
import { settleAll } from '../../kernel/settle-all.js';
import type { Tx } from '../../platform/sql/index.js';
import { advanceLastNumber, insertPlaces, lockQueue, type NewPlace, type QueueRow } from '../queries.js';
import { queueGrew } from '../topics.js';

export interface Appended {
  /** The queue's row before any user was appended; undefined if the queue does not exist. */
  readonly before: QueueRow | undefined;
  /** The new places by number. Users who do not exist or have a live place get none. */
  readonly places: readonly NewPlace[];
}

/**
 * Appends users to a queue in this order, unless the sale has closed or is sold out. Admits no one. All statements are sent before
 * the first result is awaited, so the queue's row lock is not held while this process is busy. A caller that sends no
 * further statement can call `tx.pipelineCommit()` without waiting for the results.
 */
export async function appendToQueue(
  tx: Tx,
  concertId: string,
  userIds: readonly string[],
  nowMs: number,
): Promise<Appended> {
  const joiners = userIds.map((userId, index) => ({ id: newId(), user_id: userId, position: index }));
  const [before, places] = await settleAll([
    tx.get(lockQueue, [concertId]),
    tx.all(insertPlaces, [concertId, joiners, nowMs]),
    tx.publishRows(queueGrew, advanceLastNumber, [concertId]),
  ]);
  places.sort((a, b) => a.number - b.number);
  return { before, places };
}
