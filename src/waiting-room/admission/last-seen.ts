import { forEachConcurrently } from '../../kernel/for-each-concurrently.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import { placesSeen } from '../topics.js';
import { updateLastSeen } from '../queries.js';
import type { ActivePlace } from '../projection/place-state.js';
import type { QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';

/** Queues that one run works on at the same time. */
const CONCURRENT_QUEUES_MAX = 4;

/** Stores last-seen times and publishes them to the other processes. Runs before places are expired as idle. */
export function flushLastSeenInTx(
  tx: Tx,
  view: QueueProjection,
  places: readonly ActivePlace[] = view.dueForFlush(tx.nowMs),
): void {
  if (places.length === 0) return;
  // In order of id: two processes that flush the same places must not deadlock.
  const rows = places
    .map(({ placeId, lastSeenAtMs }) => ({ id: placeId, seen: lastSeenAtMs }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  tx.execDeferred(updateLastSeen, [rows]);
  const seen = places.map(({ number, lastSeenAtMs }) => ({ number, lastSeenAtMs }));
  tx.publish(placesSeen, { concertId: view.concertId, places: seen });
}

export interface LastSeenTracker {
  /** Records a request of this user in memory: their places are not idle. */
  touchUser(userId: string, nowMs: number): void;
  /** Stores what is due (`QueueProjection.dueForFlush`). */
  flushDue(): Promise<void>;
  /** Stores everything, before this process stops. */
  flushAll(): Promise<void>;
}

export function createLastSeen(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly onError: (error: unknown, concertId: string) => void;
}): LastSeenTracker {
  const { sql, queues, onError } = deps;
  /** Queues with a flush in flight, and whether an urgent one must follow it. */
  const flushing = new Map<string, 'once' | 'again'>();

  /** Stores what is due until then. A failure is reported; the places stay due. */
  async function flush(queue: QueueProjection, untilMs: number): Promise<void> {
    const { concertId } = queue;
    const places = queue.dueForFlush(untilMs);
    if (places.length === 0 || flushing.has(concertId)) return;
    flushing.set(concertId, 'once');
    try {
      await sql.transaction((tx) => {
        flushLastSeenInTx(tx, queue, places);
        return Promise.resolve();
      });
    } catch (error) {
      onError(error, concertId);
    }
    const mustRepeat = flushing.get(concertId) === 'again';
    flushing.delete(concertId);
    if (mustRepeat) await flush(queue, sql.nowMs());
  }

  function flushUrgently(queue: QueueProjection, nowMs: number): void {
    if (flushing.has(queue.concertId)) flushing.set(queue.concertId, 'again');
    else void flush(queue, nowMs);
  }

  const flushEach = (untilMs: number): Promise<void> =>
    forEachConcurrently([...queues.all()], CONCURRENT_QUEUES_MAX, (queue) => flush(queue, untilMs));

  return {
    touchUser(userId, nowMs) {
      for (const place of queues.activeOf(userId)) {
        const queue = queues.of(place.concertId);
        queue.touch(place, nowMs);
        // Another process may be about to expire the place.
        if (sql.isClustered && queue.isFlushOverdue(place)) flushUrgently(queue, nowMs);
      }
    },
    flushDue: () => flushEach(sql.nowMs()),
    flushAll: () => flushEach(Infinity),
  };
}
