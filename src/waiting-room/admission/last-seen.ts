import type { Sql, Tx } from '../../platform/sql/index.js';
import { placesSeen } from '../topics.js';
import { updateLastSeen } from '../queries.js';
import type { ActivePlace, QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';

/** Requests are noted in memory; before idleness is judged, the database is told, and through it the other processes. */
export function flushLastSeenInTx(
  tx: Tx,
  view: QueueProjection,
  places: readonly ActivePlace[] = view.dueForFlush(tx.nowMs),
): void {
  if (places.length === 0) return;
  // In order of id: processes that tell of the same people at once must not wait for each other.
  const rows = places
    .map(({ placeId, lastSeenAtMs }) => ({ id: placeId, seen: lastSeenAtMs }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  tx.execDeferred(updateLastSeen, [rows]);
  const seen = places.map(({ number, lastSeenAtMs }) => ({ number, lastSeenAtMs }));
  tx.publish(placesSeen, { concertId: view.concertId, places: seen });
}

export interface LastSeenTracker {
  /** Notes that someone is here: whatever they asked for, their places are not idle. */
  touchUser(userId: string, nowMs: number): void;
  /** Tells the other processes who has been here since the last time. */
  flushDue(): Promise<void>;
  /** The same of everybody: to be called when this process will not be there to tell later. */
  flushAll(): Promise<void>;
}

export function createLastSeen(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly onError: (error: unknown) => void;
}): LastSeenTracker {
  const { sql, queues, onError } = deps;
  const telling = new Set<string>();

  async function tell(queue: QueueProjection, places: readonly ActivePlace[]): Promise<void> {
    if (telling.has(queue.concertId) || places.length === 0) return;
    telling.add(queue.concertId);
    try {
      await sql.transaction((tx) => {
        flushLastSeenInTx(tx, queue, places);
        return Promise.resolve();
      });
    } finally {
      telling.delete(queue.concertId);
    }
  }

  return {
    touchUser(userId, nowMs) {
      for (const place of queues.activeOf(userId)) {
        const queue = queues.of(place.concertId);
        queue.touch(place, nowMs);
        // Who comes back late is told of at once: another process may be about to find them idle.
        if (sql.isClustered && queue.isFlushOverdue(place))
          tell(queue, queue.dueForFlush(nowMs)).catch(onError);
      }
    },
    async flushDue() {
      for (const queue of queues.all()) await tell(queue, queue.dueForFlush(sql.nowMs()));
    },
    async flushAll() {
      for (const queue of queues.all()) await tell(queue, queue.dueForFlush(Infinity));
    },
  };
}
