import { concertEdited } from '../catalog/index.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import {
  type AdmittedPlace,
  lineGrew,
  placesAdmitted,
  placesEnded,
  placesSeen,
  policyChanged,
  roomOpened,
  waitingLeft,
} from './changes.js';
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
  activeOf(userId: string): readonly ActivePlace[];
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

  const rooms: Rooms = {
    of(concertId) {
      const room = views.get(concertId);
      if (!room) throw new Refusal('CONCERT_NOT_FOUND');
      return room;
    },
    find: (concertId) => views.get(concertId),
    all: () => views.values(),
    activeOf: (userId) => activeByUser.get(userId) ?? NOBODY,

    async load() {
      const loaded = await loadRooms(sql);
      const before = new Map([...views.values()].flatMap((view) => view.seenTimes()));
      views.clear();
      activeByUser.clear();
      for (const { room, active } of loaded) {
        views.set(room.concertId, room);
        for (const place of active) {
          // Who has been here is known to this process before anybody else.
          place.seenAtMs = Math.max(place.seenAtMs, before.get(place.placeId) ?? 0);
          room.restored(place);
          keepByUser(place);
        }
      }
    },
  };

  function keepByUser(place: ActivePlace): void {
    activeByUser.set(place.userId, [...rooms.activeOf(place.userId), place]);
  }

  function forget(place: ActivePlace): void {
    const others = rooms.activeOf(place.userId).filter((other) => other !== place);
    if (others.length > 0) activeByUser.set(place.userId, others);
    else activeByUser.delete(place.userId);
  }

  // From here on the views follow the commits. A process that has just read the rooms may be told again of what it read:
  // none of these changes anything when told twice.
  sql.subscribe(roomOpened, ({ concertId, policy }) => {
    if (!views.has(concertId)) views.set(concertId, new RoomView(concertId, policy, 0, 0));
  });
  sql.subscribe(policyChanged, ({ concertId, policy, atMs }) =>
    views.get(concertId)?.changePolicy(policy, atMs),
  );
  // A sale that was over may be on again: whether anybody is let in is asked anew.
  sql.subscribe(concertEdited, ({ id }) => views.get(id)?.closeUntil(0));
  sql.subscribe(lineGrew, ({ concertId, lastNumber }) => views.get(concertId)?.joined(lastNumber));
  sql.subscribe(placesAdmitted, ({ concertId, places }) => {
    const room = views.get(concertId);
    const news = places.filter(({ number }) => room?.isActive(number) === false);
    const admitted = news.map((place) => toActive(place, concertId, place.activatedAtMs));
    room?.admitted(admitted);
    admitted.forEach(keepByUser);
  });
  sql.subscribe(placesEnded, ({ concertId, places }) => {
    for (const { number } of places) {
      const place = views.get(concertId)?.ended(number);
      if (place) forget(place);
    }
  });
  sql.subscribe(waitingLeft, ({ concertId, number }) => views.get(concertId)?.leftWaiting(number));
  sql.subscribe(placesSeen, ({ concertId, places }) => {
    for (const { number, seenAtMs } of places) views.get(concertId)?.seen(number, seenAtMs);
  });
  sql.onMissed(rooms.load);
  return rooms;
}

const toActive = (place: AdmittedPlace, concertId: string, seenAtMs: number): ActivePlace => ({
  ...place,
  concertId,
  seenAtMs,
  keptSeenAtMs: seenAtMs,
});

interface LoadedRoom {
  readonly room: RoomView;
  readonly active: readonly ActivePlace[];
}

/** Reads what a restart must know: the ends of the lines, who left further back, who is ACTIVE. Not the lines. */
async function loadRooms(sql: Sql): Promise<LoadedRoom[]> {
  const { reader, isShared } = sql;
  const nowMs = sql.nowMs();
  const loaded = new Map<string, { readonly room: RoomView; readonly active: ActivePlace[] }>();
  for (const row of await reader.all(listRooms, [])) {
    const room = new RoomView(row.concertId, toPolicy(row), row.lastNumber, row.admittedThrough);
    for (const { number } of await reader.all(listLeftWaiting, [row.concertId, row.admittedThrough])) {
      room.leftWaiting(number);
    }
    for (const { atMs, count } of await reader.all(listPace, [row.concertId, nowMs - PACE_WINDOW_MS])) {
      room.pace.admitted(atMs, count);
    }
    loaded.set(row.concertId, { room, active: [] });
  }
  for (const row of await reader.all(listActive, [])) {
    const {
      id: placeId,
      userId,
      concertId,
      number,
      joinedAtMs,
      activatedAtMs,
      expiresAtMs,
      lastSeenAtMs,
    } = row;
    const place = { placeId, userId, number, joinedAtMs, activatedAtMs, expiresAtMs };
    // Nobody could be seen while the only server was down: idling starts anew, the lifetime does not.
    const active = isShared
      ? toActive(place, concertId, lastSeenAtMs)
      : { ...toActive(place, concertId, nowMs), keptSeenAtMs: 0 };
    loaded.get(concertId)?.active.push(active);
  }
  return [...loaded.values()];
}
