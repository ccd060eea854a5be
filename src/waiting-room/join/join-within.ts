import { guard } from '../../kernel/guard.js';
import { type Concert, saleState } from '../../catalog/index.js';
import { assertDefined } from '../../kernel/assert.js';
import type { PlaceClaim } from '../../kernel/caller.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import type { Admission } from '../admission/admit.js';
import { type LinedUp, lineUp } from './line-up.js';
import { findJoiners, lockQueue, type NewPlace, type PlaceRow, type QueueRow } from '../queries.js';
import type { QueueProjection } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';

export interface Joined {
  readonly claim: PlaceClaim;
  /** False when the user already had a live place: it is answered again. */
  readonly isNew: boolean;
}

/** When a line may be joined. */
export type Sale = Pick<Concert, 'salesOpenAtMs' | 'salesCloseAtMs'>;

/** What became of each user: their place, or why there is none. */
export type Outcomes = Map<string, Joined | Error>;

/** Joins whatever the room is like: who has a place already is told so, who finds a free slot is let in. */
export function createJoinWithin(deps: {
  readonly sql: Pick<Sql, 'nowMs'>;
  readonly queues: Queues;
  readonly admission: Admission;
  readonly claimOf: (place: NewPlace, concertId: string) => PlaceClaim;
}) {
  const { sql, queues, admission, claimOf } = deps;

  /** A place that ran out is no live place, though its row may still say so. */
  const hasRunOutPlace = (userId: string, view: QueueProjection, nowMs: number): boolean =>
    queues
      .activeOf(userId)
      .some((place) => place.concertId === view.concertId && view.isExpired(place, nowMs));

  return async (tx: Tx, view: QueueProjection, users: readonly string[], sale: Sale): Promise<Outcomes> => {
    const { concertId } = view;
    if (users.length === 0) return new Map();
    // Asked before the line is locked. Whether it has closed by then, the statement itself asks.
    const nowMs = sql.nowMs();
    const state = saleState(sale, nowMs);
    const join = async (ids: readonly string[]): Promise<LinedUp> =>
      state === 'OPEN'
        ? lineUp(tx, concertId, ids, nowMs, sale.salesCloseAtMs)
        : { queue: await tx.get(lockQueue, [concertId]), places: [] };

    const { queue, places } = await join(users);
    const added = new Map(places.map((place) => [place.userId, place]));
    const others = users.filter((userId) => !added.has(userId));
    if (others.some((userId) => hasRunOutPlace(userId, view, tx.nowMs))) {
      await admission.expireInTx(tx, view);
      for (const place of (await join(others)).places) added.set(place.userId, place);
    }
    const found = others.length > 0 ? await findLive(tx, concertId, others) : new Map<string, undefined>();
    // What kept them from joining has ended since (they left, or paid), and the line is locked: now nothing does.
    const freed = [...found]
      .filter(([userId, live]) => !live && !added.has(userId))
      .map(([userId]) => userId);
    if (guard('join-retry', freed.length > 0) && state === 'OPEN')
      for (const place of (await join(freed)).places) added.set(place.userId, place);
    if (added.size > 0)
      await fillSlots(tx, view, assertDefined(queue, 'a queue without a row'), [...added.values()]);

    const outcomeOf = (userId: string): Joined | Error => {
      const place = added.get(userId);
      if (place) return { claim: claimOf(place, concertId), isNew: true };
      if (!found.has(userId)) return new Refusal('USER_NOT_FOUND');
      const live = found.get(userId);
      if (live) return { claim: claimOf(live, concertId), isNew: false };
      return new Refusal(state === 'NOT_OPEN' ? 'SALES_NOT_OPEN' : 'SALES_CLOSED');
    };
    return new Map(users.map((userId) => [userId, outcomeOf(userId)]));
  };

  /** A free slot is filled at once; a room known to be full is not even asked. */
  async function fillSlots(
    tx: Tx,
    view: QueueProjection,
    queue: QueueRow,
    added: readonly NewPlace[],
  ): Promise<void> {
    if (!view.hasFreeSlot(tx.nowMs)) return;
    const { number: lastNumber, joinedAtMs: movedAtMs } = assertDefined(added.at(-1), 'somebody has joined');
    await admission.admitInTx(tx, view, { ...queue, lastNumber, movedAtMs });
  }

  /** An entry for each of the users who exists, with their live place if they have one. */
  async function findLive(
    tx: Tx,
    concertId: string,
    userIds: readonly string[],
  ): Promise<Map<string, PlaceRow | undefined>> {
    const rows = await tx.all(findJoiners, [concertId, userIds]);
    return new Map(rows.map((row) => [row.joinerId, row.id === null ? undefined : row]));
  }
}
