import { guard } from '../../kernel/guard.js';
import { type Caller, type PlaceClaim, requireScope } from '../../kernel/caller.js';
import { denied, type DenialReason, Refusal } from '../../kernel/refusal.js';
import type { Reader, Sql, Tx } from '../../platform/sql/index.js';
import {
  findLatestEnded,
  findLivePlace,
  findPlace,
  lockLivePlaces,
  lockPlaces,
  type PlaceRow,
  type PlaceStatus,
} from '../queries.js';
import type { ActivePlace, PlaceState } from '../projection/place-state.js';
import type { Queues } from '../projection/queues.js';

/** The ACTIVE place that lets its owner book. */
export interface Admitted {
  readonly placeId: string;
  readonly userId: string;
}

/** Places that are locked until the transaction ends, by `keyOf`. */
export type LockedPlaces = ReadonlyMap<string, PlaceRow>;

export interface Gate {
  /** Before a write: decided from memory. The database is asked only for the reason of a refusal. */
  requireActive(caller: Caller, concertId: string): Promise<Admitted>;
  /** For reads: the same, and once the sale has closed there is nothing to book any more. */
  requireActiveInOpenSale(caller: Caller, concertId: string): Promise<Admitted>;
  /** Locks places. This also serialises the writes of each owner in one concert. */
  lockPlaces(tx: Tx, placeIds: readonly string[]): Promise<LockedPlaces>;
  /** Locks the live places that these users have in these concerts. */
  lockLivePlaces(tx: Tx, owners: readonly PlaceOwner[]): Promise<LockedPlaces>;
  /** For writes: refuses unless the caller's place is among the locked ones and ACTIVE. */
  requireLocked(tx: Tx, places: LockedPlaces, caller: Caller, concertId: string): Promise<LockedPlace>;
  /** Requires a queue token whose place is WAITING or ACTIVE, in any concert. */
  requireLivePlace(caller: Caller): Promise<void>;
}

interface PlaceOwner {
  readonly userId: string;
  readonly concertId: string;
}

/** The caller's ACTIVE place, locked. */
export interface LockedPlace extends Admitted {
  readonly concertId: string;
  readonly number: number;
}

const keyOf = ({ userId, concertId }: PlaceOwner): string => `${userId} ${concertId}`;

const byOwner = (rows: readonly (PlaceRow & PlaceOwner)[]): LockedPlaces =>
  new Map(rows.map((row) => [keyOf(row), row]));

const DENIAL_REASONS: Readonly<Record<PlaceStatus, DenialReason>> = {
  WAITING: 'NOT_ACTIVE',
  // The row still says ACTIVE, but the place has expired.
  ACTIVE: 'EXPIRED',
  DONE: 'USED',
  EXPIRED: 'EXPIRED',
  LEFT: 'LEFT',
  CLOSED: 'CLOSED',
};

export function createGate(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly requireUser: (userId: string, reader?: Reader) => Promise<unknown>;
}): Gate {
  const { sql, queues, requireUser } = deps;

  function requireNotExpired(place: ActivePlace, nowMs: number): ActivePlace {
    if (queues.of(place.concertId).isExpired(place, nowMs)) throw denied('EXPIRED');
    return place;
  }

  /** The caller's ACTIVE place in the projection: the token's, or with an access token the user's. */
  function findActivePlace(caller: Caller, concertId: string): ActivePlace | undefined {
    return queues
      .activeOf(caller.userId)
      .find(
        (place) =>
          place.concertId === concertId &&
          (caller.kind === 'access' || place.placeId === caller.place.placeId),
      );
  }

  async function denialOf(reader: Reader, caller: Caller, concertId: string): Promise<Refusal> {
    const place =
      caller.kind === 'queue'
        ? await reader.get(findPlace, [caller.place.placeId])
        : ((await reader.get(findLivePlace, [caller.userId, concertId])) ??
          (await reader.get(findLatestEnded, [caller.userId, concertId])));
    if (place?.status === 'WAITING' && isClosed(concertId, place)) return denied('CLOSED');
    if (place) return denied(DENIAL_REASONS[place.status]);
    await requireUser(caller.userId, reader);
    return denied(isPurged(caller) ? 'EXPIRED' : 'NOT_ACTIVE');
  }

  /** Ended places are purged after a while. A number that was admitted but is no longer ACTIVE belonged to one. */
  const isPurged = (caller: Caller): boolean => caller.kind === 'queue' && statusOf(caller.place) === 'ENDED';

  /** The sale has closed, but the row is not marked yet. */
  const isClosed = (concertId: string, { id, number }: PlaceRow): boolean => {
    const queue = queues.of(concertId);
    return queue.isClosed(number) || queue.stateOf(id, number, sql.nowMs()).status === 'CLOSED';
  };

  const statusOf = ({ placeId, number, concertId }: PlaceClaim): PlaceState['status'] | undefined =>
    queues.find(concertId)?.stateOf(placeId, number, sql.nowMs()).status;

  async function requireActive(caller: Caller, concertId: string): Promise<Admitted> {
    requireScope(caller, concertId);
    const place = findActivePlace(caller, concertId);
    if (place) return requireNotExpired(place, sql.nowMs());
    throw await denialOf(sql.reader, caller, concertId);
  }

  return {
    requireActive,

    async requireActiveInOpenSale(caller, concertId) {
      const admitted = await requireActive(caller, concertId);
      const hasClosed = queues.of(concertId).hasClosed(sql.nowMs());
      if (guard('read-before-closing', hasClosed)) throw new Refusal('SALES_CLOSED');
      return admitted;
    },

    lockPlaces: async (tx, placeIds) => byOwner(await tx.all(lockPlaces, [placeIds])),

    async lockLivePlaces(tx, owners) {
      const userIds = owners.map(({ userId }) => userId);
      const concertIds = [...new Set(owners.map(({ concertId }) => concertId))];
      return owners.length === 0 ? new Map() : byOwner(await tx.all(lockLivePlaces, [userIds, concertIds]));
    },

    async requireLocked(tx, places, caller, concertId) {
      requireScope(caller, concertId);
      const { userId } = caller;
      const row = places.get(keyOf({ userId, concertId }));
      const isOther = caller.kind === 'queue' && row?.id !== caller.place.placeId;
      if (!row || isOther || !isActive(row, tx.nowMs)) throw await denialOf(tx, caller, concertId);
      // The projection knows about idle time before the database does.
      const place = findActivePlace(caller, concertId);
      if (place) requireNotExpired(place, tx.nowMs);
      return { placeId: row.id, userId, concertId, number: row.number };
    },

    async requireLivePlace(caller) {
      if (caller.kind !== 'queue') throw denied('INVALID');
      const status = statusOf(caller.place);
      if (status === 'WAITING' || status === 'ACTIVE') return;
      if (status === 'EXPIRED' || status === 'CLOSED') throw denied(status);
      throw await denialOf(sql.reader, caller, caller.place.concertId);
    },
  };
}

const isActive = (row: PlaceRow, nowMs: number): boolean =>
  row.status === 'ACTIVE' && row.expiresAtMs !== null && row.expiresAtMs > nowMs;
