import type { PlaceClaim } from '../../kernel/caller.js';
import type { Sql, Tx } from '../../platform/sql/index.js';
import { placesEnded, waitingLeft } from '../topics.js';
import { leaveActive, leaveWaiting, lockLivePlacesOf } from '../queries.js';
import type { PlaceState } from '../projection/place-state.js';
import type { Queues } from '../projection/queues.js';

type Status = PlaceState['status'] | undefined;

/** By time: the place has ended, even if its row still says ACTIVE or WAITING. */
const ENDED_BY_TIME: ReadonlySet<Status> = new Set([undefined, 'EXPIRED', 'CLOSED']);
/** Nothing is left to do, and asking for it costs no transaction. */
const ENDED: ReadonlySet<Status> = new Set([...ENDED_BY_TIME, 'ENDED', 'LEFT']);

type LivePlace = Pick<PlaceClaim, 'placeId' | 'concertId' | 'number'>;

/** Ends a WAITING or ACTIVE place. Leaving an ended place changes nothing. */
export function createLeave(deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly onLeft: (concertId: string) => void;
}) {
  const { sql, queues, onLeft } = deps;

  const statusOf = ({ placeId, concertId, number }: LivePlace, nowMs: number): Status =>
    queues.find(concertId)?.stateOf(placeId, number, nowMs).status;

  async function leaveInTx(tx: Tx, place: LivePlace): Promise<void> {
    if (ENDED_BY_TIME.has(statusOf(place, tx.nowMs))) return;
    const { placeId, concertId, number } = place;
    const waiting = await tx.get(leaveWaiting, [placeId, tx.nowMs]);
    const active = waiting ? undefined : await tx.get(leaveActive, [placeId, tx.nowMs]);
    if (waiting) tx.publish(waitingLeft, { concertId, placeId, number });
    if (active) tx.publish(placesEnded, { concertId, how: 'LEFT', places: [{ placeId, number }] });
    tx.afterCommit(() => {
      if (waiting ?? active) onLeft(concertId);
    });
  }

  return {
    async leave(claim: PlaceClaim): Promise<void> {
      if (ENDED.has(statusOf(claim, sql.nowMs()))) return;
      await sql.transaction((tx) => leaveInTx(tx, claim));
    },

    /** Leaves every queue in which the user has a live place. */
    async leaveAll(tx: Tx, userId: string): Promise<void> {
      for (const place of await tx.all(lockLivePlacesOf, [userId])) await leaveInTx(tx, place);
    },
  };
}
