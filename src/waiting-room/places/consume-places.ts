import type { Tx } from '../../platform/sql/index.js';
import { markPlacesDone } from '../queries.js';
import { placesEnded } from '../topics.js';

export interface ConsumedPlace {
  readonly placeId: string;
  readonly concertId: string;
  readonly number: number;
}

/** Marks places DONE and frees their slots, in the transaction of the payments or holds that consume them. */
export const createConsumePlaces =
  ({ onConsumed }: { readonly onConsumed: (concertId: string, count: number) => void }) =>
  (tx: Tx, places: readonly ConsumedPlace[]): void => {
    tx.writeBatch(
      markPlacesDone,
      places.map(({ placeId }) => ({ id: placeId, now: tx.nowMs })),
    );
    for (const concertId of new Set(places.map((place) => place.concertId))) {
      const ended = places.filter((place) => place.concertId === concertId);
      tx.publish(placesEnded, {
        concertId,
        how: 'DONE',
        places: ended.map(({ placeId, number }) => ({ placeId, number })),
      });
      tx.afterCommit(() => {
        onConsumed(concertId, ended.length);
      });
    }
  };
