import { statement } from '../../platform/sql/index.js';
import type { PlaceStatus } from '../queries.js';

/** Each status by name: the index `places_ended` starts with the concert and the status. */
const ENDED = `('DONE', 'EXPIRED', 'LEFT', 'CLOSED')`;

/**
 * The queues that have places to purge, found in one read, with the conditions of `deleteEndedPlaces`. LIMIT makes
 * PostgreSQL look for one place per queue; EXISTS would let it read all ended places first.
 */
export const listPurgeableQueues = statement<[endedBeforeMs: number], { concertId: string }>(
  'list_purgeable_queues',
  `SELECT q.concert_id AS "concertId" FROM queues q WHERE (SELECT 1 FROM places p
     WHERE p.concert_id = q.concert_id AND p.status IN ${ENDED} AND p.ended_at < $1
       AND (+p.number <= q.admitted_through OR +p.number <= q.closed_through) LIMIT 1) = 1`,
);

export const deleteEndedPlaces = statement<
  [concertId: string, endedBeforeMs: number, decidedThrough: number, limit: number],
  { status: PlaceStatus }
>(
  'delete_ended_places',
  (dialect) => `DELETE FROM places WHERE id ${dialect.inQuery(`SELECT id FROM places
     WHERE concert_id = $1 AND status IN ${ENDED} AND ended_at < $2 AND +number <= $3 LIMIT $4`)}
   RETURNING status`,
);

export const addPurgedCounts = statement<
  [concertId: string, done: number, expired: number, left: number, closed: number]
>(
  'add_purged_counts',
  `UPDATE queues SET purged_done = purged_done + $2, purged_expired = purged_expired + $3,
     purged_left = purged_left + $4, purged_closed = purged_closed + $5 WHERE concert_id = $1`,
);
