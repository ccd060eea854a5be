import { type Concert, type ConcertCache, saleState } from '../../catalog/index.js';
import type { PlaceClaim } from '../../kernel/caller.js';
import { guard } from '../../kernel/guard.js';
import { Refusal } from '../../kernel/refusal.js';
import { OutcomeUnknown, type Sql, StoreUnavailable, type Tx } from '../../platform/sql/index.js';
import type { Admission } from '../admission/admit.js';
import type { QueueTokens } from '../places/queue-tokens.js';
import type { QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';
import { findJoiners, lockQueue, type NewPlace } from '../queries.js';
import { appendToQueue } from './append-to-queue.js';
import { createBatcher } from './batcher.js';

/**
 * Joining: a user gets the next number of a concert's queue, or the live place they already have.
 *
 * Joins of one concert run in batches. Each user of a batch starts undecided and ends with a place or a refusal:
 *
 * 1. Append. While no slot is free, one pipelined transaction appends everybody who may join. New places are decided.
 * 2. Look up and admit. A second transaction decides the rest: it finds live places, refuses, appends, and admits into
 *    free slots. With a free slot it is the first.
 * 3. Retry. A user whose live place ends between two statements, or whose commit has an unknown outcome, stays undecided
 *    and goes through step 2 again. The unique live place makes that safe.
 *
 * Invariants: numbers have no gap and follow the order of commits (the queue's row lock); a user has one live place per
 * concert (a unique index); an error decides only users who are still undecided.
 */
export interface Joined {
  readonly claim: PlaceClaim;
  /** False when the user already had a live place. */
  readonly isNew: boolean;
}

type Outcomes = Map<string, Joined | Error>;

const JOIN_BATCH_MAX = 256;
/** On PostgreSQL a larger batch is split in half: the database works on one half while this process answers the other. */
const JOIN_BATCH_SPLIT = 32;
const ATTEMPTS_MAX = 5;

export function createJoin(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly concertCache: ConcertCache;
  readonly admission: Admission;
  readonly tokens: QueueTokens;
}): (userId: string, concertId: string) => Promise<Joined> {
  const { sql, queues, concertCache, admission, tokens } = deps;

  const join = createBatcher<Joined>({
    run: joinBatch,
    batchSize: (waiting) =>
      Math.min(
        JOIN_BATCH_MAX,
        sql.isClustered ? Math.max(JOIN_BATCH_SPLIT, Math.ceil(waiting / 2)) : waiting,
      ),
    // The calls behind would only run into the same time-out.
    failsEveryCall: (error) => error instanceof StoreUnavailable && !(error instanceof OutcomeUnknown),
  });

  return async (userId, concertId) => {
    await concertCache.concert(concertId);
    return join(concertId, userId);
  };

  async function joinBatch(concertId: string, userIds: readonly string[]): Promise<(Joined | Error)[]> {
    const concert = await concertCache.concert(concertId);
    const outcomes: Outcomes = new Map();
    const undecided = (): string[] => [...new Set(userIds)].filter((userId) => !outcomes.has(userId));
    try {
      await decide(outcomes, queues.of(concertId), concert, undecided);
    } catch (error) {
      if (outcomes.size === 0 || !(error instanceof Error)) throw error;
      for (const userId of undecided()) outcomes.set(userId, error);
    }
    const answered = new Set<string>();
    return userIds.map((userId) => {
      const outcome =
        outcomes.get(userId) ?? new Refusal(concert.salesCloseAtMs === null ? 'UNAVAILABLE' : 'SALES_CLOSED');
      // Of two calls of one user in a batch, the first is told that the place is new.
      const isRepeated = answered.has(userId);
      answered.add(userId);
      return isRepeated && 'claim' in outcome ? { ...outcome, isNew: false } : outcome;
    });
  }

  async function decide(
    outcomes: Outcomes,
    queue: QueueProjection,
    concert: Concert,
    undecided: () => string[],
  ): Promise<void> {
    const { concertId } = queue;
    const nowMs = sql.nowMs();
    if (saleState(concert, nowMs) === 'OPEN' && !queue.hasFreeSlot(nowMs))
      await decideIn(outcomes, concertId, (tx) => append(tx, concert, undecided()));
    for (
      let attempt = 1;
      undecided().length > 0 && attempt <= guard('join-retry', ATTEMPTS_MAX);
      attempt += 1
    )
      await decideIn(outcomes, concertId, (tx) => lookUpAndAdmit(tx, queue, concert, undecided()));
  }

  async function decideIn(
    outcomes: Outcomes,
    concertId: string,
    work: (tx: Tx) => Promise<Outcomes>,
  ): Promise<void> {
    try {
      const found = await sql.transaction(work, concertId);
      const numbers = [...found.values()].flatMap((outcome) =>
        'claim' in outcome ? outcome.claim.number : [],
      );
      // The projection must know a place before it is answered; the change feed may be late.
      if (numbers.some((number) => number > queues.of(concertId).lastNumber)) await sql.waitForChanges();
      for (const [userId, outcome] of found)
        if (outcome instanceof Error || isLive(outcome.claim)) outcomes.set(userId, outcome);
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error;
    }
  }

  async function append(tx: Tx, concert: Concert, userIds: readonly string[]): Promise<Outcomes> {
    const appended = appendToQueue(tx, concert.id, userIds, sql.nowMs(), concert.salesCloseAtMs);
    tx.pipelineCommit();
    return newPlaces((await appended).places, concert.id);
  }

  async function lookUpAndAdmit(
    tx: Tx,
    queue: QueueProjection,
    concert: Concert,
    userIds: readonly string[],
  ): Promise<Outcomes> {
    const nowMs = sql.nowMs();
    const state = saleState(concert, nowMs);
    // An expired place is no live place, but its row may still say so.
    if (state === 'OPEN' && userIds.some((userId) => hasExpiredPlace(userId, queue, nowMs))) {
      await tx.get(lockQueue, [concert.id]);
      await admission.expireInTx(tx, queue);
    }
    const outcomes =
      state === 'OPEN'
        ? await appendAndAdmit(tx, queue, concert, userIds, nowMs)
        : new Map<string, Joined | Error>();
    const others = userIds.filter((userId) => !outcomes.has(userId));
    if (others.length === 0) return outcomes;
    const existing = new Map(
      (await tx.all(findJoiners, [concert.id, others])).map((row) => [row.joinerId, row]),
    );
    for (const userId of others) {
      const row = existing.get(userId);
      if (!row) outcomes.set(userId, new Refusal('USER_NOT_FOUND'));
      else if (row.id !== null) outcomes.set(userId, { claim: claimOf(row, concert.id), isNew: false });
      else if (state !== 'OPEN')
        outcomes.set(userId, new Refusal(state === 'NOT_OPEN' ? 'SALES_NOT_OPEN' : 'SALES_CLOSED'));
      // Otherwise their place ended after it kept them from being appended: undecided, tried again.
    }
    return outcomes;
  }

  async function appendAndAdmit(
    tx: Tx,
    queue: QueueProjection,
    concert: Concert,
    userIds: readonly string[],
    nowMs: number,
  ): Promise<Outcomes> {
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

  function newPlaces(places: readonly NewPlace[], concertId: string): Outcomes {
    return new Map(places.map((place) => [place.userId, { claim: claimOf(place, concertId), isNew: true }]));
  }

  function claimOf({ id, userId, number, joinedAtMs }: NewPlace, concertId: string): PlaceClaim {
    return tokens.issue({ userId, concertId, placeId: id, number, joinedAtMs });
  }

  function isLive({ concertId, placeId, number }: PlaceClaim): boolean {
    const { status } = queues.of(concertId).stateOf(placeId, number, sql.nowMs());
    return status === 'WAITING' || status === 'ACTIVE';
  }

  function hasExpiredPlace(userId: string, queue: QueueProjection, nowMs: number): boolean {
    const places = queues.activeOf(userId);
    return places.some((place) => place.concertId === queue.concertId && queue.isExpired(place, nowMs));
  }
}
