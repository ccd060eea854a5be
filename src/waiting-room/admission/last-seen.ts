import type { Sql, Tx } from '../../platform/sql/index.js';
import { placesSeen } from '../topics.js';
import { updateLastSeen } from '../queries.js';
import type { ActivePlace, QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';

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
  readonly onError: (error: unknown) => void;
}): LastSeenTracker {
  const { sql, queues, onError } = deps;
  const flushing = new Set<string>();

  async function flush(queue: QueueProjection, places: readonly ActivePlace[]): Promise<void> {
    if (flushing.has(queue.concertId) || places.length === 0) return;
    flushing.add(queue.concertId);
    try {
      await sql.transaction((tx) => {
        flushLastSeenInTx(tx, queue, places);
        return Promise.resolve();
      });
    } finally {
      flushing.delete(queue.concertId);
    }
  }

  return {
    touchUser(userId, nowMs) {
      for (const place of queues.activeOf(userId)) {
        const queue = queues.of(place.concertId);
        queue.touch(place, nowMs);
        // Another process may be about to expire the place as idle.
        if (sql.isClustered && queue.isFlushOverdue(place))
          flush(queue, queue.dueForFlush(nowMs)).catch(onError);
      }
    },
    async flushDue() {
      for (const queue of queues.all()) await flush(queue, queue.dueForFlush(sql.nowMs()));
    },
    async flushAll() {
      for (const queue of queues.all()) await flush(queue, queue.dueForFlush(Infinity));
    },
  };
}
