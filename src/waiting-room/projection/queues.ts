import { concertEdited, noticeFromJson, saleClosesAtMs } from '../../catalog/index.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Reader, Sql } from '../../platform/sql/index.js';
import {
  type AdmittedPlace,
  queueGrew,
  placesAdmitted,
  placesEnded,
  placesSeen,
  policyChanged,
  queueClosed,
  queueOpened,
  soldOutChanged,
  waitingLeft,
} from '../topics.js';
import type { Policy } from '../policy/policy.js';
import {
  listActive,
  listLeftWaiting,
  listPace,
  listQueues,
  type PolicyRow,
  type QueueRow,
} from '../queries.js';
import type { ActivePlace } from './place-state.js';
import type { QueueProgress } from './queue-progress.js';
import { QueueProjection } from './queue-projection.js';
import { PACE_WINDOW_MS } from './wait-estimate.js';

/** The queue projections of all concerts, and the ACTIVE places by user. */
export interface Queues {
  /** Refuses with CONCERT_NOT_FOUND. */
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
  showUpSeconds: row.showUpSeconds,
  consumeOn: row.consumeOn,
  holdSeconds: row.holdSeconds,
  maxSeatsPerUser: row.maxSeatsPerUser,
  paused: row.paused === 1,
  closeWhenSoldOut: row.closeWhenSoldOut === 1,
  notice: noticeFromJson(row.notice),
});

const NO_PLACES: readonly ActivePlace[] = [];

export function createQueues(sql: Sql, endedRetentionMs: number): Queues {
  const projections = new Map<string, QueueProjection>();
  const activeByUser = new Map<string, readonly ActivePlace[]>();

  const queues: Queues = {
    of(concertId) {
      const queue = projections.get(concertId);
      if (!queue) throw new Refusal('CONCERT_NOT_FOUND');
      return queue;
    },
    find: (concertId) => projections.get(concertId),
    all: () => projections.values(),
    activeOf: (userId) => activeByUser.get(userId) ?? NO_PLACES,

    async load() {
      const loaded = await readQueues(sql, endedRetentionMs);
      const before = new Map([...projections.values()].flatMap((view) => view.lastSeenTimes()));
      projections.clear();
      activeByUser.clear();
      for (const { queue, active } of loaded) {
        projections.set(queue.concertId, queue);
        for (const place of active) {
          // This process may know later requests than the database.
          place.lastSeenAtMs = Math.max(place.lastSeenAtMs, before.get(place.placeId) ?? 0);
          queue.addActive(place);
          indexByUser(place);
        }
      }
    },
  };

  function indexByUser(place: ActivePlace): void {
    activeByUser.set(place.userId, [...queues.activeOf(place.userId), place]);
  }

  function removeFromIndex(place: ActivePlace): void {
    const others = queues.activeOf(place.userId).filter((other) => other !== place);
    if (others.length > 0) activeByUser.set(place.userId, others);
    else activeByUser.delete(place.userId);
  }

  // A change may arrive that the projection was already loaded with, so applying one twice changes nothing.
  sql.subscribe(queueOpened, ({ concertId, policy, closesAtMs }) => {
    if (projections.has(concertId)) return;
    const progress = { lastNumber: 0, admittedThrough: 0, closedThrough: 0, soldOut: false, closesAtMs };
    projections.set(concertId, new QueueProjection(concertId, policy, progress));
  });
  sql.subscribe(policyChanged, ({ concertId, policy, atMs }) =>
    projections.get(concertId)?.changePolicy(policy, atMs),
  );
  sql.subscribe(concertEdited, (concert) =>
    projections.get(concert.id)?.moveClosing(saleClosesAtMs(concert)),
  );
  sql.subscribe(queueClosed, ({ concertId, closedThrough, atMs }) =>
    projections.get(concertId)?.closeThrough(closedThrough, atMs),
  );
  sql.subscribe(soldOutChanged, ({ concertId, soldOut }) => projections.get(concertId)?.setSoldOut(soldOut));
  sql.subscribe(queueGrew, ({ concertId, lastNumber }) => projections.get(concertId)?.growTo(lastNumber));
  sql.subscribe(placesAdmitted, ({ concertId, places }) => {
    const queue = projections.get(concertId);
    const added = places.filter(({ number }) => queue?.isActive(number) === false);
    const admitted = added.map((place) => toActive(place, concertId, place.activatedAtMs));
    queue?.admit(admitted);
    admitted.forEach(indexByUser);
  });
  sql.subscribe(placesEnded, ({ concertId, places }) => {
    for (const { number } of places) {
      const place = projections.get(concertId)?.removeActive(number);
      if (place) removeFromIndex(place);
    }
  });
  sql.subscribe(waitingLeft, ({ concertId, number }) => projections.get(concertId)?.removeWaiting(number));
  sql.subscribe(placesSeen, ({ concertId, places }) => {
    for (const { number, lastSeenAtMs } of places)
      projections.get(concertId)?.recordPersistedLastSeen(number, lastSeenAtMs);
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

export const toProgress = ({ soldOut, ...row }: QueueRow): QueueProgress => ({
  ...row,
  soldOut: soldOut === 1,
});

/** What ranks and estimates need. */
async function readWaiting(
  reader: Reader,
  queue: QueueProjection,
  { concertId, admittedThrough, closesAtMs }: QueueRow,
  nowMs: number,
): Promise<void> {
  for (const { number } of await reader.all(listLeftWaiting, [concertId, admittedThrough]))
    queue.removeWaiting(number);
  if (closesAtMs <= nowMs) return;
  for (const { atMs, count } of await reader.all(listPace, [concertId, nowMs - PACE_WINDOW_MS]))
    queue.pace.admitted(atMs, count);
}

/** Reads each queue's last number, the numbers that left and the ACTIVE places, but not the waiting places. */
async function readQueues(sql: Sql, endedRetentionMs: number): Promise<LoadedQueue[]> {
  const { reader, isClustered } = sql;
  const nowMs = sql.nowMs();
  const loaded = new Map<string, { readonly queue: QueueProjection; readonly active: ActivePlace[] }>();
  for (const row of await reader.all(listQueues, [])) {
    // The only server was down, so no request could be seen: limits start again, except the lifetime.
    const limitsFrom = isClustered ? row : { idleFromMs: nowMs, showUpFromMs: nowMs };
    const queue = new QueueProjection(row.concertId, toPolicy(row), toProgress(row), limitsFrom);
    // Once a sale has been closed for longer than ended places are kept, there is nothing to read.
    if (row.closesAtMs > nowMs - endedRetentionMs) await readWaiting(reader, queue, row, nowMs);
    loaded.set(row.concertId, { queue, active: [] });
  }
  for (const row of await reader.all(listActive, [])) {
    const { id: placeId, concertId, lastSeenAtMs, ...rest } = row;
    const place = { placeId, ...rest };
    loaded.get(concertId)?.active.push(toActive(place, concertId, lastSeenAtMs));
  }
  return [...loaded.values()];
}
