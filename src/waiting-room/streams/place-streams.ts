import type { PlaceClaim } from '../../kernel/caller.js';
import type { Stream, StreamHub, StreamReply } from '../../platform/sse/index.js';
import type { QueueToken } from '../places/queue-token-view.js';
import type { Policy } from '../policy/policy.js';
import type { Queues } from '../projection/queues.js';

interface Listener {
  readonly stream: Stream;
  readonly claim: PlaceClaim;
  /** The last rank sent; 0 once the place no longer waits. */
  lastRank: number;
  /** The policy when it was sent: it decides the estimate, the notice and whether admission is paused. */
  lastPolicy: Policy | undefined;
}

export interface PlaceStreams {
  open(reply: StreamReply, claim: PlaceClaim): Promise<void>;
  /** Sends the new state of a place that was admitted or has expired. */
  sendState(placeId: string, event: 'admitted' | 'expired'): Promise<void>;
  /** Sends `hold-expired` to every stream of the user for this concert. */
  sendHoldExpired(userId: string, concertId: string, reservation: unknown): void;
  close(placeId: string): void;
  /** Closes every stream of a user, whose tokens were revoked. */
  closeOf(userId: string): void;
  /** Sends waiting fans their new rank, a new policy's effect, or that the sale has closed, in concerts that changed since the last call. */
  flush(): Promise<void>;
}

/** One stream per place: a new stream replaces the old one. */
const keyOf = (placeId: string): string => `place:${placeId}`;

export function createPlaceStreams(deps: {
  readonly hub: StreamHub;
  readonly queues: Queues;
  readonly viewQueueToken: (claim: PlaceClaim) => QueueToken | Promise<QueueToken>;
  readonly onError: (error: unknown, concertId: string) => void;
}): PlaceStreams {
  const { hub, queues, viewQueueToken, onError } = deps;
  const byPlace = new Map<string, Listener>();
  const byUser = new Map<string, Set<Listener>>();
  /** The projection version of the last flush, by concert. */
  const flushedVersions = new Map<string, number>();

  function listen(stream: Stream, claim: PlaceClaim, lastRank: number): void {
    const { placeId, userId } = claim;
    const listener = { stream, claim, lastRank, lastPolicy: queues.find(claim.concertId)?.policy };
    byPlace.set(placeId, listener);
    const ofUser = byUser.get(userId) ?? new Set();
    byUser.set(userId, ofUser.add(listener));
    stream.onClose(() => {
      if (byPlace.get(placeId) === listener) byPlace.delete(placeId);
      ofUser.delete(listener);
      if (ofUser.size === 0 && byUser.get(userId) === ofUser) byUser.delete(userId);
    });
  }

  async function sendRank(listener: Listener): Promise<void> {
    const { claim, stream, lastRank, lastPolicy } = listener;
    const queue = queues.find(claim.concertId);
    if (!queue || lastRank === 0) return;
    const rank = Math.max(0, queue.rankOf(claim.number));
    const isUnchanged = rank === lastRank && queue.policy === lastPolicy;
    if (isUnchanged || (rank === 0 && !queue.isClosed(claim.number))) return;
    listener.lastPolicy = queue.policy;
    const token = await viewQueueToken(claim);
    listener.lastRank = token.rank;
    stream.send(token.status === 'CLOSED' ? 'closed' : 'position', token);
  }

  /** Concerts whose ranks changed since the last flush. */
  function takeChangedConcerts(): Set<string> {
    const concertIds = new Set<string>();
    for (const { concertId, version } of queues.all()) {
      if (flushedVersions.get(concertId) !== version) concertIds.add(concertId);
      flushedVersions.set(concertId, version);
    }
    return concertIds;
  }

  return {
    async open(reply, claim) {
      // Before the stream opens: a refusal must be an ordinary response.
      const token = await viewQueueToken(claim);
      const stream = hub.open(reply, { key: keyOf(claim.placeId) });
      listen(stream, claim, token.rank);
      stream.send(OPENING_EVENT[token.status], token);
    },

    async sendState(placeId, event) {
      const listener = byPlace.get(placeId);
      if (!listener) return;
      listener.lastRank = 0;
      listener.stream.send(event, await viewQueueToken(listener.claim));
    },

    sendHoldExpired(userId, concertId, reservation) {
      for (const { claim, stream } of byUser.get(userId) ?? []) {
        if (claim.concertId === concertId) stream.send('hold-expired', reservation);
      }
    },

    close(placeId) {
      byPlace.get(placeId)?.stream.close();
    },

    closeOf(userId) {
      for (const { stream } of byUser.get(userId) ?? []) stream.close();
    },

    async flush() {
      const concertIds = takeChangedConcerts();
      if (concertIds.size === 0) return;
      for (const listener of byPlace.values()) {
        const { concertId } = listener.claim;
        if (!concertIds.has(concertId)) continue;
        // A stream that fails does not keep the others from their ranks.
        await sendRank(listener).catch((error: unknown) => {
          onError(error, concertId);
        });
      }
    },
  };
}

/** The first event of a stream, by the state of the place. */
const OPENING_EVENT = {
  WAITING: 'position',
  ACTIVE: 'admitted',
  EXPIRED: 'expired',
  DONE: 'position',
  CLOSED: 'closed',
} as const;
