import { Refusal } from '../kernel/refusal.js';
import type { Reader, Sql } from '../platform/sql/index.js';
import type { Policy } from './policy.js';
import { listActive, listLeftWaiting, listPace, listRooms, type PolicyRow } from './queries.js';
import { type ActivePlace, RoomView } from './room-view.js';
import { PACE_WINDOW_MS } from './wait-estimate.js';

/** Every concert's line as this process sees it, and who is ACTIVE in any of them. */
export interface Rooms {
  /** The room of a concert that is known to exist. */
  of(concertId: string): RoomView;
  find(concertId: string): RoomView | undefined;
  all(): IterableIterator<RoomView>;
  opened(room: RoomView): void;
  activeOf(userId: string): readonly ActivePlace[];
  admitted(room: RoomView, places: readonly ActivePlace[]): void;
  /** Read back at the start: admitted before, so it says nothing about the pace of the line. */
  restored(room: RoomView, place: ActivePlace): void;
  ended(room: RoomView, number: number): void;
  /** Someone is here: whatever they asked for, their places are not idle. */
  touchUser(userId: string, nowMs: number): void;
  load(): Promise<void>;
}

export const toPolicy = (row: PolicyRow): Policy => ({
  maxActive: row.maxActive,
  admitCount: row.admitCount,
  admitEverySeconds: row.admitEverySeconds,
  activeSeconds: row.activeSeconds,
  idleSeconds: row.idleSeconds,
  consumeOn: row.consumeOn,
  holdSeconds: row.holdSeconds,
  maxSeatsPerUser: row.maxSeatsPerUser,
  paused: row.paused === 1,
});

const NOBODY: readonly ActivePlace[] = [];

export function createRooms(sql: Sql): Rooms {
  const views = new Map<string, RoomView>();
  const activeByUser = new Map<string, readonly ActivePlace[]>();

  function keepByUser(place: ActivePlace): void {
    activeByUser.set(place.userId, [...(activeByUser.get(place.userId) ?? NOBODY), place]);
  }

  const rooms: Rooms = {
    of(concertId) {
      const room = views.get(concertId);
      if (!room) throw new Refusal('CONCERT_NOT_FOUND');
      return room;
    },
    find: (concertId) => views.get(concertId),
    all: () => views.values(),
    opened(room) {
      views.set(room.concertId, room);
    },
    activeOf: (userId) => activeByUser.get(userId) ?? NOBODY,

    admitted(room, places) {
      room.admitted(places);
      places.forEach(keepByUser);
    },

    restored(room, place) {
      room.restored(place);
      keepByUser(place);
    },

    ended(room, number) {
      const place = room.ended(number);
      if (!place) return;
      const others = rooms.activeOf(place.userId).filter((other) => other !== place);
      if (others.length > 0) activeByUser.set(place.userId, others);
      else activeByUser.delete(place.userId);
    },

    touchUser(userId, nowMs) {
      for (const place of rooms.activeOf(userId)) rooms.of(place.concertId).touch(place, nowMs);
    },

    load: () => loadRooms(sql.reader, sql.nowMs(), rooms),
  };
  return rooms;
}

/** Reads what a restart must know: the ends of the lines, who left further back, who is ACTIVE. Not the lines. */
async function loadRooms(reader: Reader, nowMs: number, rooms: Rooms): Promise<void> {
  for (const row of await reader.all(listRooms, [])) {
    const room = new RoomView(row.concertId, toPolicy(row), row.lastNumber, row.admittedThrough);
    rooms.opened(room);
    for (const { number } of await reader.all(listLeftWaiting, [row.concertId, row.admittedThrough])) {
      room.leftWaiting(number);
    }
    for (const { atMs, count } of await reader.all(listPace, [row.concertId, nowMs - PACE_WINDOW_MS])) {
      room.pace.admitted(atMs, count);
    }
  }
  for (const row of await reader.all(listActive, [])) {
    const { id: placeId, userId, concertId, number, joinedAtMs, activatedAtMs, expiresAtMs } = row;
    // Nobody could be seen while the server was down: idling starts anew, the lifetime does not.
    const seen = { seenAtMs: nowMs, keptSeenAtMs: 0 };
    const place = { placeId, userId, concertId, number, joinedAtMs, activatedAtMs, expiresAtMs, ...seen };
    rooms.restored(rooms.of(concertId), place);
  }
}
