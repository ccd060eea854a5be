import { assertDefined } from '../../kernel/assert.js';
import { MINUTE_MS } from '../../kernel/time.js';
import type { Reader } from '../../platform/sql/index.js';
import { countAdmittedSince, countEnded, findJoinTime } from '../queries.js';
import type { QueueProjection } from './queue-projection.js';

export interface QueueStats {
  readonly waiting: number;
  readonly active: number;
  readonly done: number;
  readonly expired: number;
  readonly left: number;
  readonly closed: number;
  readonly admittedLastMinute: number;
  readonly joinedLastMinute: number;
}

export async function readStats(reader: Reader, view: QueueProjection, nowMs: number): Promise<QueueStats> {
  const { concertId } = view;
  const ended = assertDefined(await reader.get(countEnded, [concertId]), 'a queue without a row');
  const admitted = assertDefined(
    await reader.get(countAdmittedSince, [concertId, nowMs - MINUTE_MS]),
    'a count',
  );
  return {
    waiting: view.waitingAt(nowMs),
    active: view.countActive(nowMs),
    done: ended.done,
    // Includes places that have expired but are not yet marked.
    expired: ended.expired + view.countExpired(nowMs),
    left: ended.left,
    closed: ended.closed + view.closingAt(nowMs),
    admittedLastMinute: admitted.count,
    joinedLastMinute: await countJoinedSince(reader, view, nowMs - MINUTE_MS),
  };
}

/** Numbers follow the join time, so a binary search finds the first number of the last minute without an index. */
async function countJoinedSince(reader: Reader, view: QueueProjection, sinceMs: number): Promise<number> {
  const { concertId, lastNumber } = view;
  let before = 0;
  let after = lastNumber;
  while (before < after) {
    const middle = Math.ceil((before + after) / 2);
    const place = await reader.get(findJoinTime, [concertId, middle]);
    if (place !== undefined && place.joinedAtMs > sinceMs) after = place.number - 1;
    else before = middle;
  }
  return lastNumber - before;
}
