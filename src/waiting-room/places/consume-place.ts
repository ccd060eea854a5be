import { assert } from '../../kernel/assert.js';
import type { Tx } from '../../platform/sql/index.js';
import type { Admitted } from './gate.js';
import { placesEnded } from '../topics.js';
import { markPlaceDone } from '../queries.js';

/** The place has served: DONE, its slot free. Part of the transaction that it served. */
export const createConsumePlace =
  ({ onConsumed }: { readonly onConsumed: (concertId: string) => void }) =>
  async (tx: Tx, concertId: string, { placeId }: Admitted): Promise<void> => {
    const used = await tx.get(markPlaceDone, [placeId, tx.nowMs]);
    assert(used !== undefined, 'a place that passed the gate in this transaction could not be used up');
    tx.publish(placesEnded, { concertId, how: 'DONE', places: [{ placeId, number: used.number }] });
    tx.afterCommit(() => {
      onConsumed(concertId);
    });
  };
