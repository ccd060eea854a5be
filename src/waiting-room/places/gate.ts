import { guard } from '../../kernel/guard.js';
import type { Caller, PlaceClaim } from '../../kernel/caller.js';
import { denied, type DenialReason, type Refusal } from '../../kernel/refusal.js';
import type { Reader, Sql, Tx } from '../../platform/sql/index.js';
import {
  findLatestEnded,
  findLivePlace,
  findPlace,
  lockLivePlace,
  lockPlace,
  type PlaceRow,
  type PlaceStatus,
} from '../queries.js';
import type { ActivePlace, PlaceState } from '../projection/queue-projection.js';
import type { Queues } from '../projection/queues.js';

/** Whoever is through the gate: an ACTIVE place in that concert's room. */
export interface Admitted {
  readonly placeId: string;
  readonly userId: string;
}

export interface Gate {
  /** For reading: answered from memory, and from the database only to say why not. */
  requireActive(caller: Caller, concertId: string): Promise<Admitted>;
  /** For writing: the place is locked until the transaction ends, so it cannot end in between. */
  lockActivePlace(tx: Tx, caller: Caller, concertId: string, ahead?: PlaceRow): Promise<Admitted>;
  /** Locks an ACTIVE place that a token names before it is known whether it will be asked for: sent with other locks. */
  prelockPlace(tx: Tx, caller: Caller): Promise<PlaceRow | undefined>;
  /** What one user writes in one room takes turns from here on, until the transaction ends. */
  lockPlace(tx: Tx, admitted: Admitted): Promise<void>;
  /** A place that is WAITING or ACTIVE, in whatever concert the queue token is for. */
  requireLivePlace(caller: Caller): Promise<void>;
}

const DENIAL_REASONS: Readonly<Record<PlaceStatus, DenialReason>> = {
  WAITING: 'NOT_ACTIVE',
  // Still ACTIVE by its row, but its time ran out.
  ACTIVE: 'EXPIRED',
  DONE: 'USED',
  EXPIRED: 'EXPIRED',
  LEFT: 'LEFT',
};

export function createGate(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly requireUser: (userId: string, reader?: Reader) => Promise<unknown>;
}): Gate {
  const { sql, queues, requireUser } = deps;

  function requireNotOver(place: ActivePlace, nowMs: number): ActivePlace {
    if (queues.of(place.concertId).isExpired(place, nowMs)) throw denied('EXPIRED');
    return place;
  }

  /** The caller's ACTIVE place as far as memory goes: the token's, or the one this user has. */
  function knownPlace(caller: Caller, concertId: string): ActivePlace | undefined {
    return queues
      .activeOf(caller.userId)
      .find(
        (place) =>
          place.concertId === concertId &&
          (caller.kind === 'access' || place.placeId === caller.place.placeId),
      );
  }

  async function whyNot(reader: Reader, caller: Caller, concertId: string): Promise<Refusal> {
    const place =
      caller.kind === 'queue'
        ? await reader.get(findPlace, [caller.place.placeId])
        : ((await reader.get(findLivePlace, [caller.userId, concertId])) ??
          (await reader.get(findLatestEnded, [caller.userId, concertId])));
    if (place) return denied(DENIAL_REASONS[place.status]);
    await requireUser(caller.userId, reader);
    return denied(forgotten(caller) ? 'EXPIRED' : 'NOT_ACTIVE');
  }

  /** Ended places are tidied away in time; a number that was admitted once says it was one of them. */
  const forgotten = (caller: Caller): boolean =>
    caller.kind === 'queue' && standingOf(caller.place) === 'ENDED';

  const standingOf = ({ placeId, number, concertId }: PlaceClaim): PlaceState['status'] | undefined =>
    queues.find(concertId)?.stateOf(placeId, number, sql.nowMs()).status;

  function requireSameConcert(caller: Caller, concertId: string): void {
    if (caller.kind === 'queue' && caller.place.concertId !== concertId) throw denied('WRONG_CONCERT');
  }

  return {
    async requireActive(caller, concertId) {
      requireSameConcert(caller, concertId);
      const place = knownPlace(caller, concertId);
      if (place) return requireNotOver(place, sql.nowMs());
      throw await whyNot(sql.reader, caller, concertId);
    },

    async lockActivePlace(tx, caller, concertId, ahead) {
      requireSameConcert(caller, concertId);
      const row =
        ahead ??
        (caller.kind === 'queue'
          ? await tx.get(lockPlace, [caller.place.placeId])
          : await tx.get(lockLivePlace, [caller.userId, concertId]));
      if (!row || !isOpen(row, tx.nowMs)) throw await whyNot(tx, caller, concertId);
      // Idleness is known to memory first.
      const place = knownPlace(caller, concertId);
      return place ? requireNotOver(place, tx.nowMs) : { placeId: row.id, userId: row.userId };
    },

    async prelockPlace(tx, caller) {
      if (caller.kind !== 'queue' || !knownPlace(caller, caller.place.concertId)) return undefined;
      return tx.get(lockPlace, [caller.place.placeId]);
    },

    lockPlace: guard<Gate['lockPlace']>('hold-place-lock', (tx, { placeId }) =>
      tx.lock(lockPlace, [placeId]),
    ),

    async requireLivePlace(caller) {
      if (caller.kind !== 'queue') throw denied('INVALID');
      const status = standingOf(caller.place);
      if (status === 'WAITING' || status === 'ACTIVE') return;
      if (status === 'EXPIRED') throw denied('EXPIRED');
      throw await whyNot(sql.reader, caller, caller.place.concertId);
    },
  };
}

const isOpen = (row: PlaceRow, nowMs: number): boolean =>
  row.status === 'ACTIVE' && row.expiresAtMs !== null && row.expiresAtMs > nowMs;
