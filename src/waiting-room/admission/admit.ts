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

/** People let in by one transaction: more are let in by the next, so that nobody else waits long. */
const ADMIT_BATCH_MAX = 1000;
/** A sale that is over may be prolonged: looked at again this often, not at every poll. */
const CLOSED_SALE_RECHECK_MS = 1000;

export interface Admission {
  /** Expires what has run out and lets in whom the policy allows; any caller, any time, the same result. */
  admit(concertId: string): Promise<void>;
  /** The same inside a transaction that already holds the room's row; answers how many were let in. */
  admitInTx(tx: Tx, view: QueueProjection, queue: QueueRow): Promise<number>;
  /** Marks all that has run out as EXPIRED, by the policy as it is. */
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
  /** Asked for and not begun: whoever asks again meanwhile shares it. */
  const awaited = new Map<string, Promise<void>>();

  async function admitInTx(tx: Tx, view: QueueProjection, queue: QueueRow): Promise<number> {
    const { concertId, admittedThrough, activeSeconds } = queue;
    const nowMs = queueTime(queue, tx.nowMs);
    flushLastSeenInTx(tx, view);
    // Sent together: while the line is locked, every answer that is waited for keeps others from it.
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
    const { number } = assertDefined(places.at(-1), 'somebody was admitted');
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
    const work = sql.transaction(async (tx) => {
      awaited.delete(concertId);
      const queue = assertDefined(
        await tx.get(guard('admission-lock', lockQueue), [concertId]),
        'a queue without a row',
      );
      if (saleState({ salesOpenAtMs, salesCloseAtMs }, tx.nowMs) !== 'CLOSED')
        return admitInTx(tx, view, queue);
      // Nobody is let into a sale that is over: there is nothing left to do inside.
      await expireInTx(tx, view);
      tx.afterCommit(() => {
        view.stopAdmissionUntil(tx.nowMs + CLOSED_SALE_RECHECK_MS);
      });
      return 0;
    }, concertId);
    return (await work) === ADMIT_BATCH_MAX;
  }

  return {
    admitInTx,
    expireInTx,
    admit(concertId) {
      const shared = awaited.get(concertId);
      if (shared) return shared;
      const run = (async () => {
        while (await admitBatch(concertId));
        // It may have waited for another process that let in the same people.
        await sql.waitForChanges();
      })().finally(() => {
        if (awaited.get(concertId) === run) awaited.delete(concertId);
      });
      awaited.set(concertId, run);
      return run;
    },
  };
}

/** A line's own time never goes back, though the clocks of those who move it may differ by a little. */
const queueTime = ({ movedAtMs }: QueueRow, nowMs: number): number => Math.max(movedAtMs, nowMs);

/** How many may be let in now: as many as are missing to `maxActive`, and not more than the period's portion. */
async function countFreeSlots(tx: Tx, view: QueueProjection, queue: QueueRow): Promise<number> {
  const { concertId, maxActive, admitCount, admitEverySeconds, paused } = queue;
  if (paused === 1) return 0;
  let count = ADMIT_BATCH_MAX;
  if (maxActive !== null) {
    const active = await tx.get(countActive, [concertId, tx.nowMs, idleSinceMs(view, tx.nowMs)]);
    count = Math.min(count, maxActive - assertDefined(active, 'a count').count);
  }
  if (count > 0 && admitCount !== null && admitEverySeconds !== null) {
    // Any stretch of this length, not a calendar of them: two portions can never meet at a boundary.
    const everyMs = admitEverySeconds * SECOND_MS;
    const lately = assertDefined(
      await tx.get(countAdmittedSince, [concertId, tx.nowMs - everyMs]),
      'a count',
    );
    count = Math.min(count, admitCount - lately.count);
    const freeAtMs = (lately.oldestMs ?? tx.nowMs) + everyMs;
    if (count <= 0) {
      tx.afterCommit(() => {
        view.stopAdmissionUntil(freeAtMs);
      });
    }
  }
  return count;
}
