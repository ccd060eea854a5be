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

/** The queue token that the API returns. WAITING and ACTIVE places come from memory, ended ones from the database. */
export const createQueueTokenView =
  ({ sql, queues }: { readonly sql: Sql; readonly queues: Queues }) =>
  (claim: PlaceClaim): QueueToken | Promise<QueueToken> => {
    const queue = queues.find(claim.concertId);
    // The token was issued by another database, for example before a restore.
    if (!queue) throw denied('NOT_ACTIVE');
    const nowMs = sql.nowMs();
    const state = queue.stateOf(claim.placeId, claim.number, nowMs);
    switch (state.status) {
      case 'WAITING':
        return waiting(claim, queue, state.rank, nowMs);
      case 'ACTIVE':
      case 'EXPIRED':
        return admitted(claim, queue, state.place, state.status);
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
  const pollMs = noLaterThanIdle(POLL_ACTIVE_MS, queue.policy.idleSeconds);
  return notWaiting(claim, status, place.activatedAtMs, place.expiresAtMs, pollMs);
}

async function ended(sql: Sql, claim: PlaceClaim): Promise<QueueToken> {
  const place = await sql.reader.get(findPlace, [claim.placeId]);
  // Purged: it ended long ago.
  if (!place) throw denied('EXPIRED');
  switch (place.status) {
    case 'LEFT':
      throw denied('LEFT');
    case 'DONE':
    case 'EXPIRED':
      return notWaiting(claim, place.status, place.activatedAtMs, place.expiresAtMs, POLL_ENDED_MS);
    case 'WAITING':
    case 'ACTIVE':
      // The number belongs to another place: the token was issued by another database.
      throw denied('NOT_ACTIVE');
  }
}

const notWaiting = (
  claim: PlaceClaim,
  status: 'ACTIVE' | 'DONE' | 'EXPIRED',
  activatedAtMs: number | null,
  expiresAtMs: number | null,
  pollMs: number,
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
  pollAfterMs: jittered(pollMs, Math.random()),
});
