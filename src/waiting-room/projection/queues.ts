import { concertEdited } from '../../catalog/index.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Sql } from '../../platform/sql/index.js';
import {
  type AdmittedPlace,
  queueGrew,
  placesAdmitted,
  placesEnded,
  placesSeen,
  policyChanged,
  queueOpened,
  waitingLeft,
} from '../topics.js';
import type { Policy } from '../policy/policy.js';
import { listActive, listLeftWaiting, listPace, listQueues, type PolicyRow } from '../queries.js';
import { type ActivePlace, QueueProjection } from './queue-projection.js';
import { PACE_WINDOW_MS } from './wait-estimate.js';

/** Every concert's line as this process sees it, and who is ACTIVE in any of them. */
export interface Queues {
  /** The room of a concert that is known to exist. */
  of(concertId: string): QueueProjection;
  find(concertId: string): QueueProjection | undefined;
  all(): IterableIterator<QueueProjection>;
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

export function createQueues(sql: Sql): Queues {
  const views = new Map<string, QueueProjection>();
  const activeByUser = new Map<string, readonly ActivePlace[]>();

  const queues: Queues = {
    of(concertId) {
      const queue = views.get(concertId);
      if (!queue) throw new Refusal('CONCERT_NOT_FOUND');
      return queue;
    },
    find: (concertId) => views.get(concertId),
    all: () => views.values(),
    activeOf: (userId) => activeByUser.get(userId) ?? NOBODY,

    async load() {
      const loaded = await readQueues(sql);
      const before = new Map([...views.values()].flatMap((view) => view.lastSeenTimes()));
      views.clear();
      activeByUser.clear();
      for (const { queue, active } of loaded) {
        views.set(queue.concertId, queue);
        for (const place of active) {
          // Who has been here is known to this process before anybody else.
          place.lastSeenAtMs = Math.max(place.lastSeenAtMs, before.get(place.placeId) ?? 0);
          queue.addActive(place);
          keepByUser(place);
        }
      }
    },
  };

  function keepByUser(place: ActivePlace): void {
    activeByUser.set(place.userId, [...queues.activeOf(place.userId), place]);
  }

  function forget(place: ActivePlace): void {
    const others = queues.activeOf(place.userId).filter((other) => other !== place);
    if (others.length > 0) activeByUser.set(place.userId, others);
    else activeByUser.delete(place.userId);
  }

  // From here on the views follow the commits. A process that has just read the rooms may be told again of what it read:
  // none of these changes anything when told twice.
  sql.subscribe(queueOpened, ({ concertId, policy }) => {
    if (!views.has(concertId)) views.set(concertId, new QueueProjection(concertId, policy, 0, 0));
  });
  sql.subscribe(policyChanged, ({ concertId, policy, atMs }) =>
    views.get(concertId)?.changePolicy(policy, atMs),
  );
  // A sale that was over may be on again: whether anybody is let in is asked anew.
  sql.subscribe(concertEdited, ({ id }) => views.get(id)?.stopAdmissionUntil(0));
  sql.subscribe(queueGrew, ({ concertId, lastNumber }) => views.get(concertId)?.growTo(lastNumber));
  sql.subscribe(placesAdmitted, ({ concertId, places }) => {
    const queue = views.get(concertId);
    const news = places.filter(({ number }) => queue?.isActive(number) === false);
    const admitted = news.map((place) => toActive(place, concertId, place.activatedAtMs));
    queue?.admit(admitted);
    admitted.forEach(keepByUser);
  });
  sql.subscribe(placesEnded, ({ concertId, places }) => {
    for (const { number } of places) {
      const place = views.get(concertId)?.removeActive(number);
      if (place) forget(place);
    }
  });
  sql.subscribe(waitingLeft, ({ concertId, number }) => views.get(concertId)?.removeWaiting(number));
  sql.subscribe(placesSeen, ({ concertId, places }) => {
    for (const { number, lastSeenAtMs } of places)
      views.get(concertId)?.recordPersistedLastSeen(number, lastSeenAtMs);
  });
  sql.onFeedGap(queues.load);
  return queues;
}

const toActive = (place: AdmittedPlace, concertId: string, lastSeenAtMs: number): ActivePlace => ({
  ...place,
  concertId,
  lastSeenAtMs,
  persistedLastSeenAtMs: lastSeenAtMs,
});

interface LoadedQueue {
  readonly queue: QueueProjection;
  readonly active: readonly ActivePlace[];
}

/** Reads what a restart must know: the ends of the lines, who left further back, who is ACTIVE. Not the lines. */
async function readQueues(sql: Sql): Promise<LoadedQueue[]> {
  const { reader, isClustered } = sql;
  const nowMs = sql.nowMs();
  const loaded = new Map<string, { readonly queue: QueueProjection; readonly active: ActivePlace[] }>();
  for (const row of await reader.all(listQueues, [])) {
    const queue = new QueueProjection(row.concertId, toPolicy(row), row.lastNumber, row.admittedThrough);
    for (const { number } of await reader.all(listLeftWaiting, [row.concertId, row.admittedThrough])) {
      queue.removeWaiting(number);
    }
    for (const { atMs, count } of await reader.all(listPace, [row.concertId, nowMs - PACE_WINDOW_MS])) {
      queue.pace.admitted(atMs, count);
    }
    loaded.set(row.concertId, { queue, active: [] });
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
    const active = isClustered
      ? toActive(place, concertId, lastSeenAtMs)
      : { ...toActive(place, concertId, nowMs), persistedLastSeenAtMs: 0 };
    loaded.get(concertId)?.active.push(active);
  }
  return [...loaded.values()];
}
