import { type Concert, saleState } from '../../catalog/index.js';
import type { Place } from '../../kernel/caller.js';
import { Refusal, type RefusalCode } from '../../kernel/refusal.js';
import { iso } from '../../kernel/time.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import type { Admission } from '../admission/admit.js';
import type { PlaceEvents } from '../admission/expire-places.js';
import type { QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';
import { markClosedOf } from '../closing/queries.js';
import { findJoiners, lockQueue, type NewPlace, type PlaceRow, type QueueRow } from '../queries.js';
import { type Appended, appendToQueue } from './append-to-queue.js';

export interface FoundPlace {
  readonly place: Place;
  readonly isNew: boolean;
}

/** A live place, or why there is none, by user. */
export type Found = Map<string, FoundPlace | Refusal>;

/** What decides whether a user may join. */
interface Sale {
  readonly concert: Concert;
  readonly state: ReturnType<typeof saleState>;
  /** The queue's row, read under its lock. */
  readonly row: QueueRow | undefined;
}

/** The two transactions of a join batch; join.ts says when each runs. */
export function createJoinTransactions(deps: {
  readonly sql: Pick<Sql, 'nowMs'>;
  readonly queues: Queues;
  readonly admission: Admission;
  readonly events: Pick<PlaceEvents, 'ended'>;
}) {
  const { sql, queues, admission, events } = deps;
  return { append, lookUpAndAdmit };

  /** Appends every user who may join. The commit is sent in the same pipeline as the statements. */
  async function append(tx: Tx, concert: Concert, userIds: readonly string[]): Promise<Found> {
    const appended = appendToQueue(tx, concert.id, userIds, sql.nowMs());
    tx.pipelineCommit();
    return newPlaces((await appended).places, concert.id);
  }

  /** Decides every user, except those whose live place ends while this runs. */
  async function lookUpAndAdmit(tx: Tx, concert: Concert, userIds: readonly string[]): Promise<Found> {
    const queue = queues.of(concert.id);
    const nowMs = sql.nowMs();
    const state = saleState(concert, nowMs);
    // The row of an expired place may still say ACTIVE, which would block a new place: mark it as expired first.
    const hasExpired = userIds.some((userId) => hasExpiredPlace(userId, queue, nowMs));
    // The lock also waits for an earlier attempt whose commit is still in flight.
    const locked = hasExpired || state !== 'OPEN' ? await tx.get(lockQueue, [concert.id]) : undefined;
    if (hasExpired) await admission.expireInTx(tx, queue);
    const appended =
      state === 'OPEN' ? await appendAndAdmit(tx, queue, concert.id, userIds, nowMs) : undefined;
    const found = newPlaces(appended?.places ?? [], concert.id);
    const others = userIds.filter((userId) => !found.has(userId));
    if (others.length > 0)
      await decideOthers(tx, others, found, { concert, state, row: appended?.before ?? locked });
    return found;
  }

  /** Users who got no new place: those who have one, those who do not exist, and those who may not join. */
  async function decideOthers(tx: Tx, userIds: readonly string[], found: Found, sale: Sale): Promise<void> {
    const { concert, row } = sale;
    const refusal = refusalOf(sale, tx.nowMs);
    const joiners = await tx.all(findJoiners, [concert.id, userIds]);
    const known = new Map(joiners.map((joiner) => [joiner.joinerId, joiner]));
    const closed: string[] = [];
    for (const userId of userIds) {
      const joiner = known.get(userId);
      if (!joiner) found.set(userId, new Refusal('USER_NOT_FOUND'));
      else if (joiner.id !== null && !hasEnded(joiner, sale))
        found.set(userId, { place: toPlace(joiner, concert.id), isNew: false });
      else if (refusal) found.set(userId, new Refusal(refusal));
      else if (joiner.id !== null) closed.push(userId);
      // Otherwise a live place prevented the append and has ended since: the user stays undecided and is retried.
    }
    // The rows of places that ended with the sale may still say WAITING. Marked, they no longer prevent the retry.
    if (closed.length > 0 && row) await markClosedNow(tx, concert.id, closed);
  }

  async function markClosedNow(tx: Tx, concertId: string, userIds: readonly string[]): Promise<void> {
    const count = await tx.exec(markClosedOf, [concertId, userIds, tx.nowMs]);
    tx.afterCommit(() => {
      events.ended('CLOSED', count);
    });
  }

  async function appendAndAdmit(
    tx: Tx,
    queue: QueueProjection,
    concertId: string,
    userIds: readonly string[],
    nowMs: number,
  ): Promise<Appended> {
    const appended = await appendToQueue(tx, concertId, userIds, nowMs);
    const { before, places } = appended;
    const last = places.at(-1);
    if (before && last && queue.hasFreeSlot(tx.nowMs))
      await admission.admitInTx(tx, queue, {
        ...before,
        lastNumber: last.number,
        movedAtMs: last.joinedAtMs,
      });
    return appended;
  }

  function newPlaces(places: readonly NewPlace[], concertId: string): Found {
    return new Map(places.map((place) => [place.userId, { place: toPlace(place, concertId), isNew: true }]));
  }

  function hasExpiredPlace(userId: string, queue: QueueProjection, nowMs: number): boolean {
    const places = queues.activeOf(userId);
    return places.some((place) => place.concertId === queue.concertId && queue.isExpired(place, nowMs));
  }
}

/** Why the sale accepts no joins now; undefined if it does. */
function refusalOf({ state, row }: Sale, nowMs: number): RefusalCode | undefined {
  if (state === 'NOT_OPEN') return 'SALES_NOT_OPEN';
  if (state === 'CLOSED' || (row && row.closesAtMs <= nowMs)) return 'SALES_CLOSED';
  return row?.soldOut === 1 && row.closeWhenSoldOut === 1 ? 'SOLD_OUT' : undefined;
}

/** A place that ended with the sale, although its row still says WAITING. */
const hasEnded = ({ status, number }: PlaceRow, { state, row }: Sale): boolean =>
  status === 'WAITING' && (state === 'CLOSED' || number <= (row?.closedThrough ?? 0));

const toPlace = ({ id, userId, number, joinedAtMs }: NewPlace, concertId: string): Place => ({
  userId,
  concertId,
  placeId: id,
  number,
  joinedAt: iso(joinedAtMs),
});
