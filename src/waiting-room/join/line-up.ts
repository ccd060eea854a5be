import { newId } from '../../kernel/id.js';
import { settleAll } from '../../kernel/settle-all.js';
import type { Tx } from '../../platform/sql/index.js';
import { queueGrew } from '../topics.js';
import { advanceLastNumber, insertPlaces, lockQueue, type NewPlace, type QueueRow } from '../queries.js';

/** The line after some have joined it. */
export interface LinedUp {
  /** As the line was before; undefined when there is no such line. */
  readonly queue: QueueRow | undefined;
  /** In order. Users who have a live place, or do not exist, are not among them. */
  readonly places: readonly NewPlace[];
}

/**
 * Puts people at the end of a line, in this order, unless it closes before their turn. Nobody is let in here. Everything is
 * sent together: while the line is locked, nobody waits for this process. If that is all, it ends with it.
 */
export async function lineUp(
  tx: Tx,
  concertId: string,
  userIds: readonly string[],
  nowMs: number,
  closesAtMs: number | null = null,
  then: 'and end' | 'and go on' = 'and go on',
): Promise<LinedUp> {
  const joiners = userIds.map((userId, turn) => ({ id: newId(), user_id: userId, turn }));
  const sent = [
    tx.get(lockQueue, [concertId]),
    tx.all(insertPlaces, [concertId, joiners, nowMs, closesAtMs ?? Number.MAX_SAFE_INTEGER]),
    tx.publishRows(queueGrew, advanceLastNumber, [concertId]),
  ] as const;
  if (then === 'and end') tx.pipelineCommit();
  const [queue, places] = await settleAll(sent);
  places.sort((a, b) => a.number - b.number);
  return { queue, places };
}
