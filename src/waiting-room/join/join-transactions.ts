import { type Concert, saleState } from '../../catalog/index.js';
import type { PlaceClaim } from '../../kernel/caller.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import type { Admission } from '../admission/admit.js';
import type { QueueTokens } from '../places/queue-tokens.js';
import type { QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';
import { findJoiners, lockQueue, type NewPlace } from '../queries.js';
import { appendToQueue } from './append-to-queue.js';

export interface FoundPlace {
  readonly claim: PlaceClaim;
  readonly isNew: boolean;
}

/** A live place, or why there is none, by user. */
export type Found = Map<string, FoundPlace | Refusal>;

/** The two transactions of a join batch; join.ts says when each runs. */
export function createJoinTransactions(deps: {
  readonly sql: Pick<Sql, 'nowMs'>;
  readonly queues: Queues;
  readonly admission: Admission;
  readonly tokens: QueueTokens;
}) {
  const { sql, queues, admission, tokens } = deps;
  return { append, lookUpAndAdmit };

  /** Appends every user who may join. The commit is sent in the same pipeline as the statements. */
  async function append(tx: Tx, concert: Concert, userIds: readonly string[]): Promise<Found> {
    const appended = appendToQueue(tx, concert.id, userIds, sql.nowMs(), concert.salesCloseAtMs);
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
    if (hasExpired || state !== 'OPEN') await tx.get(lockQueue, [concert.id]);
    if (hasExpired) await admission.expireInTx(tx, queue);
    const found =
      state === 'OPEN'
        ? await appendAndAdmit(tx, queue, concert, userIds, nowMs)
        : new Map<string, FoundPlace | Refusal>();
    const others = userIds.filter((userId) => !found.has(userId));
    if (others.length === 0) return found;
    const existing = new Map(
      (await tx.all(findJoiners, [concert.id, others])).map((row) => [row.joinerId, row]),
    );
    for (const userId of others) {
      const row = existing.get(userId);
      if (!row) found.set(userId, new Refusal('USER_NOT_FOUND'));
      else if (row.id !== null) found.set(userId, { claim: claimOf(row, concert.id), isNew: false });
      else if (state !== 'OPEN')
        found.set(userId, new Refusal(state === 'NOT_OPEN' ? 'SALES_NOT_OPEN' : 'SALES_CLOSED'));
      // Otherwise a live place prevented the append and has ended since: the user stays undecided and is retried.
    }
    return found;
  }

  async function appendAndAdmit(
    tx: Tx,
    queue: QueueProjection,
    concert: Concert,
    userIds: readonly string[],
    nowMs: number,
  ): Promise<Found> {
    const { before, places } = await appendToQueue(tx, concert.id, userIds, nowMs, concert.salesCloseAtMs);
    const last = places.at(-1);
    if (before && last && queue.hasFreeSlot(tx.nowMs))
      await admission.admitInTx(tx, queue, {
        ...before,
        lastNumber: last.number,
        movedAtMs: last.joinedAtMs,
      });
    return newPlaces(places, concert.id);
  }

  function newPlaces(places: readonly NewPlace[], concertId: string): Found {
    return new Map(places.map((place) => [place.userId, { claim: claimOf(place, concertId), isNew: true }]));
  }

  function claimOf({ id, userId, number, joinedAtMs }: NewPlace, concertId: string): PlaceClaim {
    return tokens.issue({ userId, concertId, placeId: id, number, joinedAtMs });
  }

  function hasExpiredPlace(userId: string, queue: QueueProjection, nowMs: number): boolean {
    const places = queues.activeOf(userId);
    return places.some((place) => place.concertId === queue.concertId && queue.isExpired(place, nowMs));
  }
}
