import { saleState, type ConcertCache } from '../../catalog/index.js';
import { assertDefined } from '../../kernel/assert.js';
import { guard } from '../../kernel/guard.js';
import { SECOND_MS } from '../../kernel/time.js';
import { settleAll } from '../../kernel/settle-all.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import { placesAdmitted } from '../topics.js';
import { createExpiry, idleSinceMs, type PlaceEvents } from './expire-places.js';
import { flushLastSeenInTx } from './last-seen.js';
import {
  admitNext,
  countActive,
  countAdmittedSince,
  lockQueue,
  type QueueRow,
  setAdmittedThrough,
} from '../queries.js';
import type { QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';

/** Places admitted by one transaction; the next one admits more, so that others do not wait long for the lock. */
const ADMIT_BATCH_MAX = 1000;
/** A closed sale may be reopened. It is checked again after this time, not at every poll. */
const CLOSED_SALE_RECHECK_MS = 1000;

export interface Admission {
  /** Expires places and admits as many as the policy allows. Any process may call it at any time with the same result. */
  admit(concertId: string): Promise<void>;
  /** The same inside a transaction that holds the queue's lock. Returns how many were admitted. */
  admitInTx(tx: Tx, view: QueueProjection, queue: QueueRow): Promise<number>;
  /** Marks all expired places, by the current policy. */
  expireInTx(tx: Tx, view: QueueProjection): Promise<void>;
}

export function createAdmission(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly concertCache: ConcertCache;
  readonly events: PlaceEvents;
}): Admission {
  const { sql, queues, concertCache, events } = deps;
  const { expireBatch, expireInTx } = createExpiry(events);
  /** Admissions in flight by concert, shared by concurrent callers. */
  const running = new Map<string, Promise<void>>();

  async function admitInTx(tx: Tx, view: QueueProjection, queue: QueueRow): Promise<number> {
    const { concertId, admittedThrough, activeSeconds } = queue;
    const nowMs = queueTime(queue, tx.nowMs);
    flushLastSeenInTx(tx, view);
    // One round trip: others wait for the queue's lock meanwhile.
    const [, count] = await settleAll([expireBatch(tx, view), countFreeSlots(tx, view, queue)]);
    if (count <= 0) return 0;
    const expiresAtMs = nowMs + activeSeconds * SECOND_MS;
    const rows = await tx.all(admitNext, [concertId, admittedThrough, count, nowMs, expiresAtMs]);
    if (rows.length === 0) return 0;
    const places = rows
      .map(({ id, userId, number, joinedAtMs }) => ({
        placeId: id,
        userId,
        number,
        joinedAtMs,
        activatedAtMs: nowMs,
        expiresAtMs,
      }))
      .sort((a, b) => a.number - b.number);
    const { number } = assertDefined(places.at(-1), 'an admission without a place');
    tx.execDeferred(setAdmittedThrough, [concertId, number, nowMs, places.length]);
    tx.publish(placesAdmitted, { concertId, places });
    tx.afterCommit(() => {
      events.admitted(places.length);
    });
    return places.length;
  }

  async function admitBatch(concertId: string): Promise<boolean> {
    const view = queues.of(concertId);
    const { salesOpenAtMs, salesCloseAtMs } = await concertCache.concert(concertId);
    const work = sql.transaction(
      async (tx) => {
        running.delete(concertId);
        const queue = assertDefined(
          await tx.get(guard('admission-lock', lockQueue), [concertId]),
          'no row for this queue',
        );
        if (saleState({ salesOpenAtMs, salesCloseAtMs }, tx.nowMs) !== 'CLOSED')
          return admitInTx(tx, view, queue);
        // A closed sale admits no one.
        await expireInTx(tx, view);
        tx.afterCommit(() => {
          view.stopAdmissionUntil(tx.nowMs + CLOSED_SALE_RECHECK_MS);
        });
        return 0;
      },
      { mutexKey: concertId },
    );
    return (await work) === ADMIT_BATCH_MAX;
  }

  return {
    admitInTx,
    expireInTx,
    admit(concertId) {
      const shared = running.get(concertId);
      if (shared) return shared;
      const run = (async () => {
        while (await admitBatch(concertId));
        // Another process may have admitted the same places while this one waited for the lock.
        await sql.waitForChanges();
      })().finally(() => {
        if (running.get(concertId) === run) running.delete(concertId);
      });
      running.set(concertId, run);
      return run;
    },
  };
}

/** A queue's time never decreases, although the clocks of processes may differ slightly. */
const queueTime = ({ movedAtMs }: QueueRow, nowMs: number): number => Math.max(movedAtMs, nowMs);

/** How many may be admitted now, limited by `maxActive` and by the rate. */
async function countFreeSlots(tx: Tx, view: QueueProjection, queue: QueueRow): Promise<number> {
  const { concertId, maxActive, admitCount, admitEverySeconds, paused } = queue;
  if (paused === 1) return 0;
  let count = ADMIT_BATCH_MAX;
  if (maxActive !== null) {
    const active = await tx.get(countActive, [concertId, tx.nowMs, idleSinceMs(view, tx.nowMs)]);
    count = Math.min(count, maxActive - assertDefined(active, 'a count').count);
  }
  if (count > 0 && admitCount !== null && admitEverySeconds !== null) {
    // A sliding window: two full batches can never meet at a boundary.
    const everyMs = admitEverySeconds * SECOND_MS;
    const recent = assertDefined(
      await tx.get(countAdmittedSince, [concertId, tx.nowMs - everyMs]),
      'a count',
    );
    count = Math.min(count, admitCount - recent.count);
    const freeAtMs = (recent.oldestMs ?? tx.nowMs) + everyMs;
    if (count <= 0) {
      tx.afterCommit(() => {
        view.stopAdmissionUntil(freeAtMs);
      });
    }
  }
  return count;
}
