import { saleSoldOutAt } from '../../catalog/index.js';
import { guard } from '../../kernel/guard.js';
import { statement } from '../../platform/sql/index.js';
import { LIVE } from '../queries.js';

export const findSoldOut = statement<[concertId: string, nowMs: number], { soldOut: 0 | 1 }>(
  'find_sold_out',
  () => `SELECT ${guard('sold-out-seats', saleSoldOutAt('$1', '$2'))} AS "soldOut"`,
);

/** Open sales that are sold out although their queue does not say so yet, found in one read. */
export const listNewlySoldOut = statement<[nowMs: number], { concertId: string }>(
  'list_newly_sold_out',
  `SELECT q.concert_id AS "concertId" FROM queues q
   WHERE q.closes_at > $1 AND q.sold_out = 0 AND ${saleSoldOutAt('q.concert_id', '$1')} = 1`,
);

export const setSoldOut = statement<[concertId: string, soldOut: number]>(
  'set_sold_out',
  `UPDATE queues SET sold_out = $2 WHERE concert_id = $1`,
);

export const setClosesAt = statement<[concertId: string, closesAtMs: number]>(
  'set_closes_at',
  `UPDATE queues SET closes_at = $2 WHERE concert_id = $1`,
);

/**
 * Ends every place that is still waiting; returns no row if no number is left to decide. If all earlier places are marked,
 * marking continues after the numbers that were admitted since.
 */
export const closeWaiting = statement<[concertId: string], { closedThrough: number }>(
  'close_waiting',
  `UPDATE queues SET closed_through = last_number,
     closed_marked_through = CASE WHEN closed_marked_through = closed_through AND admitted_through > closed_through
       THEN admitted_through ELSE closed_marked_through END
   WHERE concert_id = $1 AND last_number > closed_through AND last_number > admitted_through
   RETURNING closed_through AS "closedThrough"`,
);

export const listUnmarkedQueues = statement<[], { concertId: string }>(
  'list_unmarked_queues',
  `SELECT concert_id AS "concertId" FROM queues WHERE closed_marked_through < closed_through`,
);

export const setMarkedThrough = statement<[concertId: string, number: number]>(
  'set_closed_marked_through',
  `UPDATE queues SET closed_marked_through = $2 WHERE concert_id = $1`,
);

/** A place that left meanwhile keeps its status. */
export const markClosed = statement<
  [concertId: string, afterNumber: number, throughNumber: number, nowMs: number]
>(
  'mark_closed',
  `UPDATE places SET status = 'CLOSED', ended_at = $4
   WHERE concert_id = $1 AND number > $2 AND number <= $3 AND status = 'WAITING'`,
);

/** The same for users who join a reopened sale before the batches have reached their places. */
export const markClosedOf = statement<[concertId: string, userIds: readonly string[], nowMs: number]>(
  'mark_closed_of',
  (dialect) => `UPDATE places AS p SET status = 'CLOSED', ended_at = $3
   WHERE p.concert_id = $1 AND p.user_id ${dialect.anyOf('$2')} AND ${LIVE} AND p.status = 'WAITING'
     AND p.number <= (SELECT closed_through FROM queues WHERE concert_id = $1)`,
);
