import { type Programme, saleState } from '../catalog/index.js';
import type { PlaceClaim } from '../kernel/caller.js';
import { present } from '../kernel/assert.js';
import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import type { Admission } from './admit.js';
import { findJoiners, insertPlaces, lockRoom, type PlaceRow, type RoomRow, setLastNumber } from './queries.js';
import type { QueueTokens } from './queue-tokens.js';
import type { RoomView } from './room-view.js';
import type { Rooms } from './rooms.js';

/** Joins taken by one transaction. */
const JOIN_BATCH_MAX = 256;

export interface Joined {
  readonly claim: PlaceClaim;
  /** False when the user already had a live place: it is answered again. */
  readonly isNew: boolean;
}

interface Joining {
  readonly userId: string;
  readonly resolve: (joined: Joined) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly joining: Joining; readonly result: Joined | Refusal };

/**
 * Joining takes the next number. Joins that arrive together share one transaction and take consecutive numbers: a rush
 * of thousands a second costs a few hundred transactions.
 */
export function createJoin(deps: {
  readonly sql: Sql;
  readonly rooms: Rooms;
  readonly programme: Programme;
  readonly admission: Admission;
  readonly tokens: QueueTokens;
}): (userId: string, concertId: string) => Promise<Joined> {
  const { sql, rooms, programme, admission, tokens } = deps;
  const arriving = new Map<string, Joining[]>();

  async function takeBatch(concertId: string): Promise<void> {
    const concert = await programme.concert(concertId);
    const view = rooms.of(concertId);
    let batch: Joining[] | undefined;
    try {
      const outcomes = await sql.transaction(async (tx) => {
        // Taken once, when the transaction begins: until then everybody still gets on. A retry serves the same batch.
        batch ??= takeArrived(concertId);
        return joinAll(tx, view, batch, saleState(concert, tx.nowMs));
      });
      for (const { joining, result } of outcomes) {
        if (result instanceof Refusal) joining.reject(result);
        else joining.resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch ?? takeArrived(concertId)) reject(error);
    }
  }

  function takeArrived(concertId: string): Joining[] {
    const all = arriving.get(concertId) ?? [];
    arriving.delete(concertId);
    const rest = all.splice(JOIN_BATCH_MAX);
    if (rest.length > 0) {
      arriving.set(concertId, rest);
      start(concertId);
    }
    return all;
  }

  function start(concertId: string): void {
    takeBatch(concertId).catch((error: unknown) => {
      for (const { reject } of takeArrived(concertId)) reject(error);
    });
  }

  async function joinAll(
    tx: Tx,
    view: RoomView,
    batch: readonly Joining[],
    sale: ReturnType<typeof saleState>,
  ): Promise<Outcome[]> {
    const { concertId } = view;
    const room = present(await tx.get(lockRoom, [concertId]), 'a room without a row');
    if (batch.some(({ userId }) => hasRunOutPlace(userId, view, tx.nowMs))) await admission.expireWithin(tx, view);
    const users = [...new Set(batch.map(({ userId }) => userId))];
    const found = new Map<string, PlaceRow | undefined>();
    for (const row of await tx.all(findJoiners, [concertId, users])) {
      found.set(row.joinerId, row.id === null ? undefined : row);
    }
    const newPlaces = new Map<string, PlaceClaim>();
    const outcomes = batch.map((joining): Outcome => {
      const { userId } = joining;
      if (!found.has(userId)) return { joining, result: new Refusal('USER_NOT_FOUND') };
      const live = found.get(userId);
      if (live) return { joining, result: { claim: claimOf(live, concertId), isNew: false } };
      if (sale !== 'OPEN') return { joining, result: new Refusal(sale === 'CLOSED' ? 'SALES_CLOSED' : 'SALES_NOT_OPEN') };
      const twin = newPlaces.get(userId);
      if (twin) return { joining, result: { claim: twin, isNew: false } };
      const number = room.lastNumber + newPlaces.size + 1;
      const claim = tokens.issue({ userId, concertId, placeId: newId(), number, joinedAtMs: tx.nowMs });
      newPlaces.set(userId, claim);
      return { joining, result: { claim, isNew: true } };
    });
    if (newPlaces.size > 0) await takeNumbers(tx, view, room, [...newPlaces.values()]);
    return outcomes;
  }

  async function takeNumbers(tx: Tx, view: RoomView, room: RoomRow, claims: readonly PlaceClaim[]): Promise<void> {
    const { concertId } = view;
    const lastNumber = room.lastNumber + claims.length;
    const rows = claims.map(({ placeId, userId, number }) => ({ id: placeId, user_id: userId, number }));
    await tx.run(insertPlaces, [concertId, tx.nowMs, rows]);
    await tx.run(setLastNumber, [concertId, lastNumber]);
    tx.afterCommit(() => {
      view.joined(lastNumber);
    });
    // A free slot is filled at once; a room known to be full is not even asked.
    if (view.hasRoom(tx.nowMs)) await admission.admitWithin(tx, view, { ...room, lastNumber });
  }

  /** A place that ran out is no live place, though its row may still say so. */
  const hasRunOutPlace = (userId: string, view: RoomView, nowMs: number): boolean =>
    rooms.activeOf(userId).some((place) => place.concertId === view.concertId && view.isOver(place, nowMs));

  const claimOf = ({ id, userId, number, joinedAtMs }: PlaceRow, concertId: string): PlaceClaim =>
    tokens.issue({ userId, concertId, placeId: id, number, joinedAtMs });

  return async (userId, concertId) => {
    await programme.concert(concertId);
    return new Promise<Joined>((resolve, reject) => {
      const joining = { userId, resolve, reject };
      const others = arriving.get(concertId);
      if (others) {
        others.push(joining);
      } else {
        arriving.set(concertId, [joining]);
        start(concertId);
      }
    });
  };
}
