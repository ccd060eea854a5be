import type { ConcertCache } from '../catalog/index.js';
import type { PlaceClaim } from '../kernel/caller.js';
import type { Jwt } from '../platform/jwt/index.js';
import type { Reader, Sql } from '../platform/sql/index.js';
import type { StreamHub } from '../platform/sse/index.js';
import { createAdmission } from './admission/admit.js';
import { createPolicies } from './policy/change-policy.js';
import { createClosing } from './closing/close-queue.js';
import { createMarking } from './closing/mark-closed.js';
import { policyChanged } from './topics.js';
import { createOccupancy } from './projection/occupancy.js';
import { createPlaceView, createQueueTokenView } from './places/queue-token-view.js';
import type { PlaceEvents } from './admission/expire-places.js';
import { createFindDenial } from './places/find-denial.js';
import { createGate } from './places/gate.js';
import { createJoin } from './join/join.js';
import { createLastSeen } from './admission/last-seen.js';
import { createLeave } from './places/leave-queue.js';
import { createPlaceStreams } from './streams/place-streams.js';
import { sendChanges } from './streams/send-changes.js';
import type { Policy } from './policy/policy.js';
import { createPoll } from './places/poll.js';
import { createQueueTokens } from './places/queue-tokens.js';
import { createQueues } from './projection/queues.js';
import { type WaitingRoomRouteDeps, waitingRoomRoutes } from './routes.js';
import { readStats, type QueueStats } from './projection/stats.js';
import { createMaintenance } from './admission/maintenance.js';
import { createRevocablePlaces } from './places/revocable-places.js';
import { createConsumePlaces } from './places/consume-places.js';

export { listPlacesOf } from './queries.js';
export type { Occupancy } from './projection/occupancy.js';
export type { Admitted, LockedPlaces } from './places/gate.js';
export type { ConsumedPlace } from './places/consume-places.js';
export { appendToQueue } from './join/append-to-queue.js';
export { parsePolicyPatch, offlinePolicy } from './policy/offline-policy.js';
export { type PolicyChange } from './policy/change-policy.js';
export {
  checkNewPolicy,
  type Policy,
  type PolicyPatch,
  PolicyPatchSchema,
  PolicySchema,
} from './policy/policy.js';

/**
 * The waiting room of each concert: fans join its queue, poll their rank, are admitted as the policy allows, and leave,
 * expire or are consumed by their booking.
 *
 * A place is WAITING → ACTIVE → DONE | EXPIRED | LEFT, or WAITING → LEFT | CLOSED. Invariants: numbers have no gap and
 * follow the order of commits; places are admitted by number; a user has one live place per concert; never more are
 * ACTIVE than the policy allows; no place waits once the sale has closed. Transactions under the queue's row lock enforce
 * them. The projection answers polls; it never decides.
 *
 * join/ assigns numbers, admission/ admits and expires, closing/ ends waiting places when the sale ends, projection/ is
 * the queue in memory, places/ is what the owner of a place can do, policy/ the rules, streams/ the event streams.
 */
export function createWaitingRoom(deps: {
  readonly sql: Sql;
  readonly jwt: Jwt;
  readonly hub: StreamHub;
  readonly concertCache: ConcertCache;
  readonly requireUser: (userId: string, reader?: Reader) => Promise<unknown>;
  /** Whether the tokens of an account with this version of its credentials were revoked. */
  readonly isRevoked: (token: Pick<PlaceClaim, 'userId' | 'credentialVersion'>) => boolean;
  /** Whether the account was erased. */
  readonly isErased: (userId: string) => boolean;
  readonly events: PlaceEvents;
  /** How long an ended place can still be polled. */
  readonly endedRetentionMs: number;
  /** A place ended, in this or another process. */
  readonly onPlaceEnded: (placeId: string) => void;
  /** A background task failed, for one concert or for a stream. */
  readonly onError: (error: unknown, concertId?: string) => void;
}) {
  const { sql, concertCache, events, onError, endedRetentionMs } = deps;
  const queues = createQueues(sql, endedRetentionMs);
  const shared = { sql, queues, events, onError, endedRetentionMs };
  const tokens = createQueueTokens(deps.jwt);
  const viewPlace = createPlaceView({ sql, queues });
  const viewQueueToken = createQueueTokenView(viewPlace);
  const streams = createPlaceStreams({ hub: deps.hub, queues, viewQueueToken, onError });
  const admission = createAdmission(shared);

  /** Admits now instead of with the next run of the job `admit-waiting`. */
  function fillFreeSlots(concertId: string): void {
    const queue = queues.of(concertId);
    if (queue.canAdmit(sql.nowMs())) void admission.admit(concertId);
  }

  const { leave, leaveAll } = createLeave({
    sql,
    queues,
    onLeft: (concertId) => {
      events.ended('LEFT', 1);
      fillFreeSlots(concertId);
    },
  });
  const policies = createPolicies({ sql, queues, expireInTx: admission.expireInTx, onError });
  const consumePlaces = createConsumePlaces({
    onConsumed: (concertId, count) => {
      events.ended('DONE', count);
      fillFreeSlots(concertId);
    },
  });
  const lastSeen = createLastSeen(shared);
  const closeSeatStream = deps.onPlaceEnded;
  const revocable = createRevocablePlaces({ ...deps, queues, tokens, streams, closeSeatStream });
  const { findPlace } = revocable;
  const polls = createPoll({ ...shared, admission, findPlace, lastSeen, viewQueueToken });
  const maintenance = createMaintenance({ ...shared, admission });
  const marking = createMarking(shared);
  const closing = createClosing({ ...shared, marking });

  sql.subscribe(policyChanged, ({ concertId }) => {
    fillFreeSlots(concertId);
  });
  sendChanges({ sql, streams, onPlaceEnded: deps.onPlaceEnded, onError });

  return {
    gate: createGate({ sql, queues, requireUser: deps.requireUser }),
    consumePlaces,
    leaveAll,
    streams,
    maintenance,
    closing,
    markClosedPlaces: marking.markRemaining,
    openQueue: policies.openQueue,
    copyQueue: policies.copyQueue,
    changePolicy: policies.changePolicy,
    refreshPolicies: policies.refresh,
    load: queues.load,
    ...revocable,
    findDenial: createFindDenial({ ...shared, requireUser: deps.requireUser }),
    pollFastPath: { path: '/queue-tokens/me', answer: polls.pollFromMemory },
    touchUser: lastSeen.touchUser,
    flushLastSeen: lastSeen.flushDue,
    flushAllLastSeen: lastSeen.flushAll,
    policyOf: (concertId: string): Policy => queues.of(concertId).policy,
    hasClosed: (concertId: string): boolean => queues.of(concertId).hasClosed(sql.nowMs()),
    statsOf: (concertId: string): Promise<QueueStats> =>
      readStats(sql.desk, queues.of(concertId), sql.nowMs()),
    ...createOccupancy(queues, () => sql.nowMs()),
    routes: (routeDeps: Pick<WaitingRoomRouteDeps, 'identify' | 'limit' | 'userQueue'>) =>
      waitingRoomRoutes({
        streams,
        poll: polls.poll,
        leave,
        join: createJoin({ ...shared, concertCache, admission, tokens, viewPlace }),
        ...routeDeps,
      }),
  };
}

export type WaitingRoom = ReturnType<typeof createWaitingRoom>;
