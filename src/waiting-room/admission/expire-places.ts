import type { Tx } from '../../platform/sql/index.js';
import { placesEnded } from '../topics.js';
import { flushLastSeenInTx } from './last-seen.js';
import { expirePlaces } from '../queries.js';
import type { QueueProjection } from '../projection/queue-projection.js';

/** Places expired by one statement. */
const EXPIRE_BATCH_MAX = 1000;

/** For the metrics of this process. */
export interface PlaceEvents {
  admitted(count: number): void;
  ended(how: 'DONE' | 'EXPIRED' | 'LEFT' | 'CLOSED', count: number): void;
}

/** Runs inside a transaction that holds the queue's lock. */
export function createExpiry(events: Pick<PlaceEvents, 'ended'>) {
  /** Returns whether there may be more. */
  async function expireBatch(tx: Tx, view: QueueProjection): Promise<boolean> {
    const { concertId } = view;
    const { idleSinceMs, notShownUpSinceMs } = view.limitsAt(tx.nowMs);
    const ended = await tx.all(expirePlaces, [
      concertId,
      tx.nowMs,
      idleSinceMs,
      notShownUpSinceMs,
      EXPIRE_BATCH_MAX,
    ]);
    if (ended.length > 0) {
      const places = ended.map(({ id, number }) => ({ placeId: id, number }));
      tx.publish(placesEnded, { concertId, how: 'EXPIRED', places });
      tx.afterCommit(() => {
        events.ended('EXPIRED', ended.length);
      });
    }
    return ended.length === EXPIRE_BATCH_MAX;
  }

  return {
    expireBatch,
    async expireInTx(tx: Tx, view: QueueProjection): Promise<void> {
      flushLastSeenInTx(tx, view);
      while (await expireBatch(tx, view));
    },
  };
}
