import { assertDefined } from '../../kernel/assert.js';
import { guard } from '../../kernel/guard.js';
import { SECOND_MS } from '../../kernel/time.js';
import { settleAll } from '../../kernel/settle-all.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import { placesAdmitted } from '../topics.js';
import { findSoldOut } from '../closing/queries.js';
import { createExpiry, type PlaceEvents } from './expire-places.js';
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

export interface Admission {
  /**
   * Expires places and admits as many as the policy allows. Any process may call it at any time with the same result. A
   * failure is reported, not returned: nothing depends on when places are admitted.
   */
  admit(concertId: string): Promise<void>;
  /** The admission that is running in this process, if any. */
  running(concertId: string): Promise<void> | undefined;
  /** The same inside a transaction that holds the queue's lock. Returns how many were admitted. */
  admitInTx(tx: Tx, view: QueueProjection, queue: QueueRow): Promise<number>;
  /** Marks all expired places, by the current policy. */
  expireInTx(tx: Tx, view: QueueProjection): Promise<void>;
}

export function createAdmission(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly events: PlaceEvents;
  readonly onError: (error: unknown, concertId: string) => void;
}): Admission {
  const { sql, queues, events, onError } = deps;
  const { expireBatch, expireInTx } = createExpiry(events);
  /** By concert: the admission that is running, and the one that starts after it. */
  const runs = new Map<string, Run>();

  async function admitInTx(tx: Tx, view: QueueProjection, queue: QueueRow): Promise<number> {
    const { concertId, admittedThrough, closedThrough, activeSeconds } = queue;
    const nowMs = queueTime(queue, tx.nowMs);
    flushLastSeenInTx(tx, view);
    // One round trip: others wait for the queue's lock meanwhile.
    const [, count, isSoldOut] = await settleAll([
      expireBatch(tx, view),
      countFreeSlots(tx, view, queue),
      closesSoldOut(tx, queue),
    ]);
    if (count <= 0 || isSoldOut) return 0;
    const expiresAtMs = nowMs + activeSeconds * SECOND_MS;
    const afterNumber = Math.max(admittedThrough, guard('admission-skips-closed', closedThrough));
    const rows = await tx.all(admitNext, [concertId, afterNumber, count, nowMs, expiresAtMs]);
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

  /** Admits and expires, or only expires once the sale has closed. Returns whether there may be more. */
  function admitBatch(concertId: string, onLocked: () => void): Promise<boolean> {
    const view = queues.of(concertId);
    return sql.transaction(
      async (tx) => {
        const queue = assertDefined(
          await tx.get(guard('admission-lock', lockQueue), [concertId]),
          'no row for this queue',
        );
        onLocked();
        if (tx.nowMs < guard('admission-before-closing', queue.closesAtMs))
          return (await admitInTx(tx, view, queue)) === ADMIT_BATCH_MAX;
        flushLastSeenInTx(tx, view);
        return expireBatch(tx, view);
      },
      { mutexKey: concertId },
    );
  }

  async function admitAll(concertId: string, onLocked: () => void): Promise<void> {
    while (await admitBatch(concertId, onLocked));
    // Another process may have admitted the same places while this one waited for the lock.
    await sql.waitForChanges();
  }

  function start(concertId: string): Promise<void> {
    const run: Run = { isLocked: false, done: Promise.resolve(), next: undefined };
    runs.set(concertId, run);
    run.done = admitAll(concertId, () => {
      run.isLocked = true;
    })
      .catch((error: unknown) => {
        onError(error, concertId);
      })
      .finally(() => {
        if (!run.next) runs.delete(concertId);
      });
    return run.done;
  }

  return {
    admitInTx,
    expireInTx,
    running: (concertId) => runs.get(concertId)?.done,
    admit(concertId) {
      const run = runs.get(concertId);
      if (!run) return start(concertId);
      if (!run.isLocked) return run.done;
      // The running admission may have read the queue before the caller's reason to admit.
      run.next ??= run.done.then(() => start(concertId));
      return run.next;
    },
  };
}

interface Run {
  /** Whether it holds the queue's lock, or has held it: what happens from then on may be too late for it. */
  isLocked: boolean;
  done: Promise<void>;
  next: Promise<void> | undefined;
}

/**
 * The payment that sells the last seat also frees its buyer's slot. Nobody gets that slot: those who wait are about to be
 * closed.
 */
async function closesSoldOut(tx: Tx, { concertId, closeWhenSoldOut }: QueueRow): Promise<boolean> {
  if (closeWhenSoldOut === 0) return false;
  const { soldOut } = assertDefined(
    await tx.get(findSoldOut, [concertId, tx.nowMs]),
    'a condition has a row',
  );
  return soldOut === 1;
}

/** A queue's time never decreases, although the clocks of processes may differ slightly. */
const queueTime = ({ movedAtMs }: QueueRow, nowMs: number): number => Math.max(movedAtMs, nowMs);

/** How many may be admitted now, limited by `maxActive` and by the rate. */
async function countFreeSlots(tx: Tx, view: QueueProjection, queue: QueueRow): Promise<number> {
  const { concertId, maxActive, admitCount, admitEverySeconds, paused } = queue;
  if (paused === 1) return 0;
  let count = ADMIT_BATCH_MAX;
  if (maxActive !== null) {
    const { idleSinceMs, notShownUpSinceMs } = view.limitsAt(tx.nowMs);
    const active = await tx.get(countActive, [concertId, tx.nowMs, idleSinceMs, notShownUpSinceMs]);
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
        view.stopAdmissionByRate(queue, freeAtMs);
      });
    }
  }
  return count;
}
