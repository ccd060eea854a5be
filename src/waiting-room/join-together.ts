import type { saleState } from '../catalog/index.js';
import type { PlaceClaim } from '../kernel/caller.js';
import { present } from '../kernel/assert.js';
import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { type Admission, timeIn } from './admit.js';
import { lineGrew } from './changes.js';
import {
  findJoiners,
  insertPlaces,
  lockRoom,
  type PlaceRow,
  type RoomRow,
  setLastNumber,
} from './queries.js';
import type { QueueTokens } from './queue-tokens.js';
import type { RoomView } from './room-view.js';
import type { Rooms } from './rooms.js';

export interface Joined {
  readonly claim: PlaceClaim;
  /** False when the user already had a live place: it is answered again. */
  readonly isNew: boolean;
}

/** The transaction of a batch of joins: consecutive numbers for those who have no live place yet. */
export function createJoinTogether(deps: {
  readonly rooms: Rooms;
  readonly admission: Admission;
  readonly tokens: QueueTokens;
}) {
  const { rooms, admission, tokens } = deps;

  /** A place that ran out is no live place, though its row may still say so. */
  const hasRunOutPlace = (userId: string, view: RoomView, nowMs: number): boolean =>
    rooms.activeOf(userId).some((place) => place.concertId === view.concertId && view.isOver(place, nowMs));

  const claimOf = ({ id, userId, number, joinedAtMs }: PlaceRow, concertId: string): PlaceClaim =>
    tokens.issue({ userId, concertId, placeId: id, number, joinedAtMs });

  /** Answers for each user, in order: their place, or why there is none. */
  return async (
    tx: Tx,
    view: RoomView,
    userIds: readonly string[],
    saleAt: (nowMs: number) => ReturnType<typeof saleState>,
  ): Promise<(Joined | Refusal)[]> => {
    const { concertId } = view;
    const find = () => findLive(tx, concertId, userIds);
    // Sent together: they are looked for once the line is locked.
    const [locked, foundAtFirst] = await Promise.all([tx.get(lockRoom, [concertId]), find()]);
    const room = present(locked, 'a room without a row');
    let found = foundAtFirst;
    if (userIds.some((userId) => hasRunOutPlace(userId, view, tx.nowMs))) {
      await admission.expireWithin(tx, view);
      found = await find();
    }
    const sale = saleAt(tx.nowMs);
    const nowMs = timeIn(room, tx.nowMs);
    const newPlaces = new Map<string, PlaceClaim>();
    const results = userIds.map((userId): Joined | Refusal => {
      if (!found.has(userId)) return new Refusal('USER_NOT_FOUND');
      const live = found.get(userId);
      if (live) return { claim: claimOf(live, concertId), isNew: false };
      if (sale !== 'OPEN') return new Refusal(sale === 'CLOSED' ? 'SALES_CLOSED' : 'SALES_NOT_OPEN');
      const twin = newPlaces.get(userId);
      if (twin) return { claim: twin, isNew: false };
      const number = room.lastNumber + newPlaces.size + 1;
      const claim = tokens.issue({ userId, concertId, placeId: newId(), number, joinedAtMs: nowMs });
      newPlaces.set(userId, claim);
      return { claim, isNew: true };
    });
    if (newPlaces.size > 0) await takeNumbers(tx, view, room, [...newPlaces.values()]);
    return results;
  };

  /** An entry for each of the users who exists, with their live place if they have one. */
  async function findLive(
    tx: Tx,
    concertId: string,
    userIds: readonly string[],
  ): Promise<Map<string, PlaceRow | undefined>> {
    const rows = await tx.all(findJoiners, [concertId, [...new Set(userIds)]]);
    return new Map(rows.map((row) => [row.joinerId, row.id === null ? undefined : row]));
  }

  async function takeNumbers(
    tx: Tx,
    view: RoomView,
    room: RoomRow,
    claims: readonly PlaceClaim[],
  ): Promise<void> {
    const { concertId } = view;
    const lastNumber = room.lastNumber + claims.length;
    const rows = claims.map(({ placeId, userId, number }) => ({ id: placeId, user_id: userId, number }));
    const nowMs = timeIn(room, tx.nowMs);
    await Promise.all([
      tx.run(insertPlaces, [concertId, nowMs, rows]),
      tx.run(setLastNumber, [concertId, lastNumber, nowMs]),
    ]);
    tx.announce(lineGrew, { concertId, lastNumber });
    // A free slot is filled at once; a room known to be full is not even asked.
    if (view.hasRoom(tx.nowMs))
      await admission.admitWithin(tx, view, { ...room, lastNumber, movedAtMs: nowMs });
  }
}
