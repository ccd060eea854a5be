import type { Notice } from '../../catalog/index.js';
import type { Place, PlaceClaim } from '../../kernel/caller.js';
import { denied } from '../../kernel/refusal.js';
import { isoOrNull } from '../../kernel/time.js';
import type { Sql } from '../../platform/sql/index.js';
import { findPlace } from '../queries.js';
import type { ActivePlace } from '../projection/place-state.js';
import type { QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';
import { jittered, pollAfterMs, withinLimits } from '../projection/wait-estimate.js';

export interface QueueToken {
  readonly token: string;
  readonly concertId: string;
  readonly status: 'WAITING' | 'ACTIVE' | 'DONE' | 'EXPIRED' | 'CLOSED';
  readonly rank: number;
  readonly ahead: number;
  readonly joinedAt: string;
  readonly activatedAt: string | null;
  readonly expiresAt: string | null;
  readonly estimatedWaitSeconds: number | null;
  readonly pollAfterMs: number;
  /** While WAITING: whether admission is paused, and the promoter's message to waiting fans. */
  readonly paused: boolean;
  readonly notice: Notice | null;
}

/** A queue token without the token itself. */
export type PlaceView = Omit<QueueToken, 'token'>;

const POLL_ACTIVE_MS = 10_000;
const POLL_ENDED_MS = 60_000;

/** The queue token that the API returns to the owner of this token. */
export const createQueueTokenView =
  (viewPlace: (place: Place) => PlaceView | Promise<PlaceView>) =>
  (claim: PlaceClaim): QueueToken | Promise<QueueToken> => {
    const { token } = claim;
    const view = viewPlace(claim);
    return view instanceof Promise ? view.then((ended) => ({ token, ...ended })) : { token, ...view };
  };

/** WAITING, ACTIVE and CLOSED places come from memory, others from the database. */
export const createPlaceView =
  ({ sql, queues }: { readonly sql: Sql; readonly queues: Queues }) =>
  (claim: Place): PlaceView | Promise<PlaceView> => {
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
      case 'CLOSED':
        return closed(claim);
      case 'LEFT':
        throw denied('LEFT');
      case 'UNKNOWN':
        throw denied('NOT_ACTIVE');
      case 'ENDED':
        return ended(sql, queue, claim);
    }
  };

function waiting(claim: Place, queue: QueueProjection, rank: number, nowMs: number): PlaceView {
  const estimatedWaitSeconds = queue.estimateWaitSeconds(rank, nowMs);
  return {
    concertId: claim.concertId,
    status: 'WAITING',
    rank,
    ahead: rank - 1,
    joinedAt: claim.joinedAt,
    activatedAt: null,
    expiresAt: null,
    estimatedWaitSeconds,
    pollAfterMs: pollAfterMs(rank, estimatedWaitSeconds, queue.policy, Math.random()),
    paused: queue.policy.paused,
    notice: queue.policy.notice,
  };
}

function admitted(
  claim: Place,
  queue: QueueProjection,
  place: ActivePlace,
  status: 'ACTIVE' | 'EXPIRED',
): PlaceView {
  const pollMs = withinLimits(POLL_ACTIVE_MS, queue.policy);
  return notWaiting(claim, status, place.activatedAtMs, place.expiresAtMs, pollMs);
}

const closed = (claim: Place): PlaceView => notWaiting(claim, 'CLOSED', null, null, POLL_ENDED_MS);

async function ended(sql: Sql, queue: QueueProjection, claim: Place): Promise<PlaceView> {
  const place = await sql.reader.get(findPlace, [claim.placeId]);
  // Purged: it ended long ago.
  if (!place) throw denied('EXPIRED');
  switch (place.status) {
    case 'LEFT':
      throw denied('LEFT');
    case 'DONE':
    case 'EXPIRED':
      return notWaiting(claim, place.status, place.activatedAtMs, place.expiresAtMs, POLL_ENDED_MS);
    case 'CLOSED':
      return closed(claim);
    case 'WAITING':
      // The sale closed and was reopened, and the row is not marked yet.
      if (queue.isClosed(claim.number)) return closed(claim);
      throw denied('NOT_ACTIVE');
    case 'ACTIVE':
      // The number belongs to another place: the token was issued by another database.
      throw denied('NOT_ACTIVE');
  }
}

const notWaiting = (
  claim: Place,
  status: 'ACTIVE' | 'DONE' | 'EXPIRED' | 'CLOSED',
  activatedAtMs: number | null,
  expiresAtMs: number | null,
  pollMs: number,
): PlaceView => ({
  concertId: claim.concertId,
  status,
  rank: 0,
  ahead: 0,
  joinedAt: claim.joinedAt,
  activatedAt: isoOrNull(activatedAtMs),
  expiresAt: isoOrNull(expiresAtMs),
  estimatedWaitSeconds: status === 'ACTIVE' ? 0 : null,
  pollAfterMs: jittered(pollMs, Math.random()),
  paused: false,
  notice: null,
});
