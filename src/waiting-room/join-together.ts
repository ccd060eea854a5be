import { type Concert, saleState } from '../catalog/index.js';
import { present } from '../kernel/assert.js';
import type { PlaceClaim } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import type { Admission } from './admit.js';
import { type LinedUp, lineUp } from './line-up.js';
import { findJoiners, lockRoom, type NewPlace, type PlaceRow, type RoomRow } from './queries.js';
import type { QueueTokens } from './queue-tokens.js';
import type { RoomView } from './room-view.js';
import type { Rooms } from './rooms.js';

export interface Joined {
  readonly claim: PlaceClaim;
  /** False when the user already had a live place: it is answered again. */
  readonly isNew: boolean;
}

type Sale = Pick<Concert, 'salesOpenAtMs' | 'salesCloseAtMs'>;

/** The transaction of a batch of joins: consecutive numbers for those who have no live place yet. */
export function createJoinTogether(deps: {
  readonly sql: Pick<Sql, 'nowMs'>;
  readonly rooms: Rooms;
  readonly admission: Admission;
  readonly tokens: QueueTokens;
}) {
  const { sql, rooms, admission, tokens } = deps;

  /** A place that ran out is no live place, though its row may still say so. */
  const hasRunOutPlace = (userId: string, view: RoomView, nowMs: number): boolean =>
    rooms.activeOf(userId).some((place) => place.concertId === view.concertId && view.isOver(place, nowMs));

  const claimOf = ({ id, userId, number, joinedAtMs }: NewPlace, concertId: string): PlaceClaim =>
    tokens.issue({ userId, concertId, placeId: id, number, joinedAtMs });

  /** Answers for each user, in order: their place, or why there is none. */
  return async (
    tx: Tx,
    view: RoomView,
    userIds: readonly string[],
    sale: Sale,
  ): Promise<(Joined | Refusal)[]> => {
    const { concertId } = view;
    // Asked before the line is locked. Whether it has closed by then, the statement itself asks.
    const nowMs = sql.nowMs();
    const state = saleState(sale, nowMs);
    const join = async (ids: readonly string[]): Promise<LinedUp> =>
      state === 'OPEN'
        ? lineUp(tx, concertId, ids, nowMs, sale.salesCloseAtMs)
        : { room: await tx.get(lockRoom, [concertId]), places: [] };

    const users = [...new Set(userIds)];
    const { room, places } = await join(users);
    const added = new Map(places.map((place) => [place.userId, place]));
    const others = users.filter((userId) => !added.has(userId));
    if (others.some((userId) => hasRunOutPlace(userId, view, tx.nowMs))) {
      await admission.expireWithin(tx, view);
      for (const place of (await join(others)).places) added.set(place.userId, place);
    }
    if (added.size > 0) await fillSlots(tx, view, present(room, 'a room without a row'), [...added.values()]);
    const found = others.length > 0 ? await findLive(tx, concertId, others) : new Map<string, undefined>();

    const told = new Set<string>();
    return userIds.map((userId): Joined | Refusal => {
      const place = added.get(userId);
      if (place) {
        // Who asks twice at once has joined once.
        const isNew = !told.has(userId);
        told.add(userId);
        return { claim: claimOf(place, concertId), isNew };
      }
      if (!found.has(userId)) return new Refusal('USER_NOT_FOUND');
      const live = found.get(userId);
      if (live) return { claim: claimOf(live, concertId), isNew: false };
      return new Refusal(state === 'NOT_OPEN' ? 'SALES_NOT_OPEN' : 'SALES_CLOSED');
    });
  };

  /** A free slot is filled at once; a room known to be full is not even asked. */
  async function fillSlots(tx: Tx, view: RoomView, room: RoomRow, added: readonly NewPlace[]): Promise<void> {
    if (!view.hasRoom(tx.nowMs)) return;
    const { number: lastNumber, joinedAtMs: movedAtMs } = present(added.at(-1), 'somebody has joined');
    await admission.admitWithin(tx, view, { ...room, lastNumber, movedAtMs });
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
