import type { PlaceClaim } from '../../kernel/caller.js';
import type { Sql } from '../../platform/sql/index.js';
import { placesEnded, waitingLeft } from '../topics.js';
import { leaveActive, leaveWaiting } from '../queries.js';
import type { Queues } from '../projection/queues.js';

/** Ends a WAITING or ACTIVE place. Leaving an ended place changes nothing. */
export const createLeave =
  (deps: { readonly sql: Sql; readonly queues: Queues; readonly onLeft: (concertId: string) => void }) =>
  async (claim: PlaceClaim): Promise<void> => {
    const { sql, queues, onLeft } = deps;
    const queue = queues.find(claim.concertId);
    if (!queue) return;
    // An expired place has ended, even if its row still says ACTIVE.
    if (queue.stateOf(claim.placeId, claim.number, sql.nowMs()).status === 'EXPIRED') return;
    await sql.transaction(async (tx) => {
      const waiting = await tx.get(leaveWaiting, [claim.placeId, tx.nowMs]);
      const active = waiting ? undefined : await tx.get(leaveActive, [claim.placeId, tx.nowMs]);
      const { concertId, placeId } = claim;
      if (waiting) tx.publish(waitingLeft, { concertId, placeId, number: waiting.number });
      if (active) {
        tx.publish(placesEnded, { concertId, how: 'LEFT', places: [{ placeId, number: active.number }] });
      }
      tx.afterCommit(() => {
        if (waiting ?? active) onLeft(concertId);
      });
    });
  };
