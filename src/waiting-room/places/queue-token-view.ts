import type { PlaceClaim } from '../../kernel/caller.js';
import { denied } from '../../kernel/refusal.js';
import { isoOrNull } from '../../kernel/time.js';
import type { Sql } from '../../platform/sql/index.js';
import { findPlace } from '../queries.js';
import type { ActivePlace, QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';
import { estimateWaitSeconds, jittered, noLaterThanIdle, pollAfterMs } from '../projection/wait-estimate.js';

export interface QueueToken {
  readonly token: string;
  readonly concertId: string;
  readonly status: 'WAITING' | 'ACTIVE' | 'DONE' | 'EXPIRED';
  readonly rank: number;
  readonly ahead: number;
  readonly joinedAt: string;
  readonly activatedAt: string | null;
  readonly expiresAt: string | null;
  readonly estimatedWaitSeconds: number | null;
  readonly pollAfterMs: number;
}

const POLL_ACTIVE_MS = 10_000;
const POLL_ENDED_MS = 60_000;

/** Says how a place stands. Waiting and active places are answered from memory, ended ones from the database. */
export const createQueueTokenView =
  ({ sql, queues }: { readonly sql: Sql; readonly queues: Queues }) =>
  (claim: PlaceClaim): QueueToken | Promise<QueueToken> => {
    const queue = queues.find(claim.concertId);
    // A token of a database that is no more (restored from an older copy, say): that place was never joined here.
    if (!queue) throw denied('NOT_ACTIVE');
    const nowMs = sql.nowMs();
    const standing = queue.stateOf(claim.placeId, claim.number, nowMs);
    switch (standing.status) {
      case 'WAITING':
        return waiting(claim, queue, standing.rank, nowMs);
      case 'ACTIVE':
      case 'EXPIRED':
        return admitted(claim, queue, standing.place, standing.status);
      case 'LEFT':
        throw denied('LEFT');
      case 'UNKNOWN':
        throw denied('NOT_ACTIVE');
      case 'ENDED':
        return ended(sql, claim);
    }
  };

function waiting(claim: PlaceClaim, queue: QueueProjection, rank: number, nowMs: number): QueueToken {
  const estimatedWaitSeconds = queue.isAdmissionOff
    ? null
    : estimateWaitSeconds(rank, queue.pace.perSecond(nowMs));
  return {
    token: claim.token,
    concertId: claim.concertId,
    status: 'WAITING',
    rank,
    ahead: rank - 1,
    joinedAt: claim.joinedAt,
    activatedAt: null,
    expiresAt: null,
    estimatedWaitSeconds,
    pollAfterMs: pollAfterMs(rank, estimatedWaitSeconds, queue.policy.idleSeconds, Math.random()),
  };
}

function admitted(
  claim: PlaceClaim,
  queue: QueueProjection,
  place: ActivePlace,
  status: 'ACTIVE' | 'EXPIRED',
): QueueToken {
  const calmMs = noLaterThanIdle(POLL_ACTIVE_MS, queue.policy.idleSeconds);
  return notWaiting(claim, status, place.activatedAtMs, place.expiresAtMs, calmMs);
}

async function ended(sql: Sql, claim: PlaceClaim): Promise<QueueToken> {
  const place = await sql.reader.get(findPlace, [claim.placeId]);
  // Ended so long ago that it has been tidied away.
  if (!place) throw denied('EXPIRED');
  switch (place.status) {
    case 'LEFT':
      throw denied('LEFT');
    case 'DONE':
    case 'EXPIRED':
      return notWaiting(claim, place.status, place.activatedAtMs, place.expiresAtMs, POLL_ENDED_MS);
    case 'WAITING':
    case 'ACTIVE':
      // Only when the number belongs to another place: a token of a database that is no more.
      throw denied('NOT_ACTIVE');
  }
}

const notWaiting = (
  claim: PlaceClaim,
  status: 'ACTIVE' | 'DONE' | 'EXPIRED',
  activatedAtMs: number | null,
  expiresAtMs: number | null,
  calmMs: number,
): QueueToken => ({
  token: claim.token,
  concertId: claim.concertId,
  status,
  rank: 0,
  ahead: 0,
  joinedAt: claim.joinedAt,
  activatedAt: isoOrNull(activatedAtMs),
  expiresAt: isoOrNull(expiresAtMs),
  estimatedWaitSeconds: status === 'ACTIVE' ? 0 : null,
  pollAfterMs: jittered(calmMs, Math.random()),
});
