import type { PlaceClaim } from '../../kernel/caller.js';
import { waitAtMost } from '../../kernel/wait-at-most.js';
import type { Sql } from '../../platform/sql/index.js';
import type { Admission } from '../admission/admit.js';
import type { LastSeenTracker } from '../admission/last-seen.js';
import type { QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';
import type { QueueToken } from './queue-token-view.js';

/** How long a poll waits for an admission. */
const ADMISSION_WAIT_MAX_MS = 50;
/** So many fans behind those whom the free slots are for wait as well, because their ranks are about to change. */
const NEAR_RANKS = 100;
/** Polls that do not wait start an admission this often at most: under load almost every poll finds a free slot. */
const ADMISSION_EVERY_MS = 100;

export interface Poll {
  /** The state of a place. If a slot is free, admits first. Never waits long, and never fails, because of a lock. */
  poll(claim: PlaceClaim): QueueToken | Promise<QueueToken>;
  /** The same for a queue token, from memory. Undefined if it needs the database, an admission or a refusal. */
  pollFromMemory(token: string): QueueToken | undefined;
}

/**
 * A poll answers from memory. If a slot is free, it also starts an admission. Only fans close to the front, who may get
 * the slot, wait for it, and only while admissions are fast: if one takes longer than a poll may wait (the queue's row is
 * locked, or thousands are admitted), no poll waits until it has ended.
 */
export function createPoll(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly admission: Admission;
  /** The place of a queue token; undefined if it is forged or revoked. */
  readonly findPlace: (token: string) => PlaceClaim | undefined;
  readonly lastSeen: Pick<LastSeenTracker, 'touchUser'>;
  readonly viewQueueToken: (claim: PlaceClaim) => QueueToken | Promise<QueueToken>;
  /** How long an ended place can still be polled. */
  readonly endedRetentionMs: number;
}): Poll {
  const { sql, queues, admission, findPlace, lastSeen, viewQueueToken, endedRetentionMs } = deps;
  /** Concerts with an admission that a poll has given up waiting for. */
  const slow = new Set<string>();
  /** When polls may next start an admission that they do not wait for, by concert. */
  const nextStartMs = new Map<string, number>();

  /** A slot is free, and this fan may get it or move up. */
  const isNextInLine = (queue: QueueProjection, { number }: PlaceClaim, nowMs: number): boolean => {
    const rank = queue.rankOf(number);
    return rank > 0 && queue.canAdmit(nowMs) && rank <= queue.freeSlots(nowMs) + NEAR_RANKS;
  };

  async function admitThenView(queue: QueueProjection, claim: PlaceClaim): Promise<QueueToken> {
    const { concertId } = queue;
    const admitted = admitNextInLine(queue, claim);
    if (!(await waitAtMost(ADMISSION_WAIT_MAX_MS, admitted))) {
      slow.add(concertId);
      void admitted.then(() => slow.delete(concertId));
    }
    return viewQueueToken(claim);
  }

  async function admitNextInLine(queue: QueueProjection, claim: PlaceClaim): Promise<void> {
    // It may have read the queue before the slot was free.
    await admission.running(queue.concertId);
    if (isNextInLine(queue, claim, sql.nowMs())) await admission.admit(queue.concertId);
  }

  const mustWait = (queue: QueueProjection, claim: PlaceClaim, nowMs: number): boolean =>
    !slow.has(queue.concertId) && isNextInLine(queue, claim, nowMs);

  /** The token of a place that ended longer ago serves no more; the route refuses it. */
  const isRemembered = (queue: QueueProjection, { number }: PlaceClaim, nowMs: number): boolean =>
    nowMs < queue.closedAtMs(number) + endedRetentionMs;

  function startAdmission(concertId: string, nowMs: number): void {
    if (nowMs < (nextStartMs.get(concertId) ?? 0)) return;
    nextStartMs.set(concertId, nowMs + ADMISSION_EVERY_MS);
    void admission.admit(concertId);
  }

  return {
    poll(claim) {
      const queue = queues.find(claim.concertId);
      const nowMs = sql.nowMs();
      if (!queue?.canAdmit(nowMs)) return viewQueueToken(claim);
      if (mustWait(queue, claim, nowMs)) return admitThenView(queue, claim);
      startAdmission(claim.concertId, nowMs);
      return viewQueueToken(claim);
    },

    pollFromMemory(token) {
      const claim = findPlace(token);
      const queue = claim && queues.find(claim.concertId);
      const nowMs = sql.nowMs();
      if (!queue || nowMs >= claim.expiresAtMs) return undefined;
      const { status } = queue.stateOf(claim.placeId, claim.number, nowMs);
      const isKnown = status === 'CLOSED' && isRemembered(queue, claim, nowMs);
      if (status !== 'WAITING' && status !== 'ACTIVE' && !isKnown) return undefined;
      if (queue.canAdmit(nowMs)) {
        if (mustWait(queue, claim, nowMs)) return undefined;
        startAdmission(claim.concertId, nowMs);
      }
      lastSeen.touchUser(claim.userId, nowMs);
      const view = viewQueueToken(claim);
      return view instanceof Promise ? undefined : view;
    },
  };
}
