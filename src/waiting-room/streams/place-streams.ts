import type { PlaceClaim } from '../../kernel/caller.js';
import type { Stream, StreamHub, StreamReply } from '../../platform/sse/index.js';
import type { QueueToken } from '../places/queue-token-view.js';
import type { Queues } from '../projection/queues.js';

interface Listener {
  readonly stream: Stream;
  readonly claim: PlaceClaim;
  /** What it was told last; 0 once it has been told that the wait is over. */
  lastRank: number;
}

export interface PlaceStreams {
  open(reply: StreamReply, claim: PlaceClaim): Promise<void>;
  /** The place was admitted or has expired: says so with its new state. */
  sendState(placeId: string, event: 'admitted' | 'expired'): Promise<void>;
  /** A hold of the user's in this concert is over: told on every stream they have for it. */
  sendHoldExpired(userId: string, concertId: string, reservation: unknown): void;
  close(placeId: string): void;
  /** Sends everybody waiting their new rank, once a call however often the line moved. */
  flush(): Promise<void>;
}

/** One stream per place; the newest wins. */
const keyOf = (placeId: string): string => `place:${placeId}`;

export function createPlaceStreams(deps: {
  readonly hub: StreamHub;
  readonly queues: Queues;
  readonly viewQueueToken: (claim: PlaceClaim) => QueueToken | Promise<QueueToken>;
}): PlaceStreams {
  const { hub, queues, viewQueueToken } = deps;
  const byPlace = new Map<string, Listener>();
  const byUser = new Map<string, Set<Listener>>();
  /** How far each line had moved when it was last told. */
  const toldMoves = new Map<string, number>();

  function listen(stream: Stream, claim: PlaceClaim, lastRank: number): void {
    const { placeId, userId } = claim;
    const listener = { stream, claim, lastRank };
    byPlace.set(placeId, listener);
    const ofUser = byUser.get(userId) ?? new Set();
    byUser.set(userId, ofUser.add(listener));
    stream.onClose(() => {
      if (byPlace.get(placeId) === listener) byPlace.delete(placeId);
      ofUser.delete(listener);
      if (ofUser.size === 0 && byUser.get(userId) === ofUser) byUser.delete(userId);
    });
  }

  async function tellRank(listener: Listener): Promise<void> {
    const { claim, stream, lastRank } = listener;
    const rank = queues.find(claim.concertId)?.rankOf(claim.number) ?? 0;
    if (lastRank === 0 || rank <= 0 || rank === lastRank) return;
    listener.lastRank = rank;
    stream.send('position', await viewQueueToken(claim));
  }

  /** The rooms whose line has moved since the last time. */
  function moved(): Set<string> {
    const concertIds = new Set<string>();
    for (const { concertId, version } of queues.all()) {
      if (toldMoves.get(concertId) !== version) concertIds.add(concertId);
      toldMoves.set(concertId, version);
    }
    return concertIds;
  }

  return {
    async open(reply, claim) {
      // Asked first: a place that was left is refused as an ordinary answer.
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

    async flush() {
      const concertIds = moved();
      if (concertIds.size === 0) return;
      for (const listener of byPlace.values()) {
        if (concertIds.has(listener.claim.concertId)) await tellRank(listener);
      }
    },
  };
}

/** What a newcomer to the stream is told first: how things stand. */
const OPENING_EVENT = {
  WAITING: 'position',
  ACTIVE: 'admitted',
  EXPIRED: 'expired',
  DONE: 'position',
} as const;
