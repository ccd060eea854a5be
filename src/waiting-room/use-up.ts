import { assert } from '../kernel/assert.js';
import type { Tx } from '../platform/sql/index.js';
import type { Admitted } from './gate.js';
import { useUpPlace } from './queries.js';
import type { Rooms } from './rooms.js';

/** The place has served: DONE, its slot free. Part of the transaction that it served. */
export const createUseUp =
  (deps: { readonly rooms: Rooms; readonly onUsedUp: (concertId: string, placeId: string) => void }) =>
  async (tx: Tx, concertId: string, { placeId }: Admitted): Promise<void> => {
    const { rooms, onUsedUp } = deps;
    const used = await tx.get(useUpPlace, [placeId, tx.nowMs]);
    assert(used !== undefined, 'a place that passed the gate in this transaction could not be used up');
    tx.afterCommit(() => {
      rooms.ended(rooms.of(concertId), used.number);
      onUsedUp(concertId, placeId);
    });
  };
