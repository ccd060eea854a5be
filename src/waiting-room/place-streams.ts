import type { PlaceClaim } from '../kernel/caller.js';
import type { Stream, StreamHub, StreamReply } from '../platform/sse/index.js';
import type { QueueToken } from './describe.js';
import type { Rooms } from './rooms.js';

interface Listener {
  readonly stream: Stream;
  readonly claim: PlaceClaim;
  lastRank: number;
}

export interface PlaceStreams {
  open(reply: StreamReply, claim: PlaceClaim): Promise<void>;
  /** Tells whoever holds this user's stream for this concert, if anybody does. */
  tell(userId: string, concertId: string, event: 'hold-expired', data: unknown): void;
  /** The place was admitted or has expired: says so with its new state. */
  tellStanding(userId: string, concertId: string, event: 'admitted' | 'expired'): Promise<void>;
  close(userId: string, concertId: string): void;
  /** Sends everybody waiting their new rank, once a call however often the line moved. */
  flush(): Promise<void>;
}

/** One stream per place, and a user has at most one live place a concert. */
const keyOf = (userId: string, concertId: string): string => `place:${concertId}:${userId}`;

export function createPlaceStreams(deps: {
  readonly hub: StreamHub;
  readonly rooms: Rooms;
  readonly describe: (claim: PlaceClaim) => QueueToken | Promise<QueueToken>;
}): PlaceStreams {
  const { hub, rooms, describe } = deps;
  const byConcert = new Map<string, { moves: number; readonly listeners: Map<string, Listener> }>();

  const find = (userId: string, concertId: string): Listener | undefined =>
    byConcert.get(concertId)?.listeners.get(keyOf(userId, concertId));

  function listen(stream: Stream, claim: PlaceClaim, lastRank: number): void {
    const { concertId } = claim;
    const key = keyOf(claim.userId, concertId);
    const room = byConcert.get(concertId) ?? { moves: 0, listeners: new Map<string, Listener>() };
    byConcert.set(concertId, room);
    const listener = { stream, claim, lastRank };
    room.listeners.set(key, listener);
    stream.onClose(() => {
      if (room.listeners.get(key) === listener) room.listeners.delete(key);
    });
  }

  return {
    async open(reply, claim) {
      // Asked first: a place that was left is refused as an ordinary answer.
      const token = await describe(claim);
      const stream = hub.open(reply, { key: keyOf(claim.userId, claim.concertId) });
      listen(stream, claim, token.rank);
      stream.send(OPENING_EVENT[token.status], token);
    },

    tell(userId, concertId, event, data) {
      find(userId, concertId)?.stream.send(event, data);
    },

    async tellStanding(userId, concertId, event) {
      const listener = find(userId, concertId);
      if (!listener) return;
      listener.lastRank = 0;
      listener.stream.send(event, await describe(listener.claim));
    },

    close(userId, concertId) {
      find(userId, concertId)?.stream.close();
    },

    async flush() {
      for (const [concertId, room] of byConcert) {
        const moves = rooms.find(concertId)?.moves ?? 0;
        if (moves === room.moves) continue;
        room.moves = moves;
        for (const listener of room.listeners.values()) await tellRank(listener);
      }
    },
  };

  async function tellRank(listener: Listener): Promise<void> {
    const { claim, stream } = listener;
    const rank = rooms.find(claim.concertId)?.rankOf(claim.number) ?? 0;
    if (listener.lastRank === 0 || rank <= 0 || rank === listener.lastRank) return;
    listener.lastRank = rank;
    stream.send('position', await describe(claim));
  }
}

/** What a newcomer to the stream is told first: how things stand. */
const OPENING_EVENT = {
  WAITING: 'position',
  ACTIVE: 'admitted',
  EXPIRED: 'expired',
  DONE: 'position',
} as const;
