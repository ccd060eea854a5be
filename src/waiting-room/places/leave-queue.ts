import type { PlaceClaim } from '../../kernel/caller.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import { placesEnded, waitingLeft } from '../topics.js';
import { leaveActive, leaveWaiting, lockLivePlacesOf } from '../queries.js';
import type { Queues } from '../projection/queues.js';

type LivePlace = Pick<PlaceClaim, 'placeId' | 'concertId' | 'number'>;

/** Ends a WAITING or ACTIVE place. Leaving an ended place changes nothing. */
export function createLeave(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly onLeft: (concertId: string) => void;
}) {
  const { sql, queues, onLeft } = deps;

  async function leaveInTx(tx: Tx, place: LivePlace): Promise<void> {
    const { placeId, concertId, number } = place;
    // An expired or closed place has ended, even if its row still says ACTIVE or WAITING.
    const status = queues.find(concertId)?.stateOf(placeId, number, tx.nowMs).status;
    if (status === undefined || status === 'EXPIRED' || status === 'CLOSED') return;
    const waiting = await tx.get(leaveWaiting, [placeId, tx.nowMs]);
    const active = waiting ? undefined : await tx.get(leaveActive, [placeId, tx.nowMs]);
    if (waiting) tx.publish(waitingLeft, { concertId, placeId, number });
    if (active) tx.publish(placesEnded, { concertId, how: 'LEFT', places: [{ placeId, number }] });
    tx.afterCommit(() => {
      if (waiting ?? active) onLeft(concertId);
    });
  }

  return {
    leave: (claim: PlaceClaim): Promise<void> => sql.transaction((tx) => leaveInTx(tx, claim)),

    /** Leaves every queue in which the user has a live place. */
    async leaveAll(tx: Tx, userId: string): Promise<void> {
      for (const place of await tx.all(lockLivePlacesOf, [userId])) await leaveInTx(tx, place);
    },
  };
}
