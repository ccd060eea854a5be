import { assert } from '../../kernel/assert.js';
import type { Tx } from '../../platform/sql/index.js';
import type { Admitted } from './gate.js';
import { placesEnded } from '../topics.js';
import { markPlaceDone } from '../queries.js';

/** Marks a place DONE and frees its slot, in the transaction of the payment or reservation that consumes it. */
export const createConsumePlace =
  ({ onConsumed }: { readonly onConsumed: (concertId: string) => void }) =>
  async (tx: Tx, concertId: string, { placeId }: Admitted): Promise<void> => {
    const consumed = await tx.get(markPlaceDone, [placeId, tx.nowMs]);
    assert(consumed !== undefined, 'a place that was locked as ACTIVE could not be consumed');
    tx.publish(placesEnded, { concertId, how: 'DONE', places: [{ placeId, number: consumed.number }] });
    tx.afterCommit(() => {
      onConsumed(concertId);
    });
  };
