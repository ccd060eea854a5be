import type { Sql, Tx } from '../platform/sql/index.js';
import { placesSeen } from './changes.js';
import { keepSeen } from './queries.js';
import type { ActivePlace, RoomView } from './room-view.js';
import type { Rooms } from './rooms.js';

/** Requests are noted in memory; before idleness is judged, the database is told, and through it the other processes. */
export function keepSeenOf(
  tx: Tx,
  view: RoomView,
  places: readonly ActivePlace[] = view.unkept(tx.nowMs),
): void {
  if (places.length === 0) return;
  // In order of id: processes that tell of the same people at once must not wait for each other.
  const rows = places
    .map(({ placeId, seenAtMs }) => ({ id: placeId, seen: seenAtMs }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  tx.write(keepSeen, [rows]);
  const seen = places.map(({ number, seenAtMs }) => ({ number, seenAtMs }));
  tx.announce(placesSeen, { concertId: view.concertId, places: seen });
}

export interface KeepSeen {
  /** Notes that someone is here: whatever they asked for, their places are not idle. */
  touchUser(userId: string, nowMs: number): void;
  /** Tells the other processes who has been here since the last time. */
  tellAll(): Promise<void>;
  /** The same of everybody: to be called when this process will not be there to tell later. */
  tellLast(): Promise<void>;
}

export function createKeepSeen(deps: {
  readonly sql: Sql;
  readonly rooms: Rooms;
  readonly onError: (error: unknown) => void;
}): KeepSeen {
  const { sql, rooms, onError } = deps;
  const telling = new Set<string>();

  async function tell(room: RoomView, places: readonly ActivePlace[]): Promise<void> {
    if (telling.has(room.concertId) || places.length === 0) return;
    telling.add(room.concertId);
    try {
      await sql.transaction((tx) => {
        keepSeenOf(tx, room, places);
        return Promise.resolve();
      });
    } finally {
      telling.delete(room.concertId);
    }
  }

  return {
    touchUser(userId, nowMs) {
      for (const place of rooms.activeOf(userId)) {
        const room = rooms.of(place.concertId);
        room.touch(place, nowMs);
        // Who comes back late is told of at once: another process may be about to find them idle.
        if (sql.isShared && room.isLongUnkept(place)) tell(room, room.unkept(nowMs)).catch(onError);
      }
    },
    async tellAll() {
      for (const room of rooms.all()) await tell(room, room.unkept(sql.nowMs()));
    },
    async tellLast() {
      for (const room of rooms.all()) await tell(room, room.unkept(Infinity));
    },
  };
}
