import { guard } from '../kernel/guard.js';
import { batchStatement, type SqlParam, statement } from '../platform/sql/index.js';
import type { Policy } from './policy/policy.js';

export type PlaceStatus = 'WAITING' | 'ACTIVE' | 'DONE' | 'EXPIRED' | 'LEFT' | 'CLOSED';

export interface PlaceRow {
  id: string;
  userId: string;
  number: number;
  status: PlaceStatus;
  joinedAtMs: number;
  activatedAtMs: number | null;
  expiresAtMs: number | null;
}

/** SQLite has no booleans. */
export type PolicyRow = Omit<Policy, 'paused' | 'closeWhenSoldOut' | 'notice'> & {
  readonly paused: 0 | 1;
  readonly closeWhenSoldOut: 0 | 1;
  /** JSON: a text, or a text for each language. */
  readonly notice: string | null;
};

export interface QueueRow extends PolicyRow {
  concertId: string;
  lastNumber: number;
  admittedThrough: number;
  /** When a place last joined or was admitted. */
  movedAtMs: number;
  /** `LimitsFrom` in the projection. */
  idleFromMs: number;
  showUpFromMs: number;
  /** When the sale closes. */
  closesAtMs: number;
  /** Every seat of every date to come is sold. */
  soldOut: 0 | 1;
  /** Every place up to this number that was still waiting has ended, because the sale closed. */
  closedThrough: number;
  /** Up to this number, the rows of those places say CLOSED. */
  closedMarkedThrough: number;
}

const placeColumns = (status: string): string => `p.id, p.user_id AS "userId", p.number, ${status} AS status,
  p.joined_at AS "joinedAtMs", p.activated_at AS "activatedAtMs", p.expires_at AS "expiresAtMs"`;
const PLACE_COLUMNS = placeColumns('p.status');
const QUEUE_COLUMNS = `concert_id AS "concertId", last_number AS "lastNumber", admitted_through AS "admittedThrough", moved_at AS "movedAtMs",
  idle_from AS "idleFromMs", show_up_from AS "showUpFromMs",
  closes_at AS "closesAtMs", sold_out AS "soldOut", closed_through AS "closedThrough",
  closed_marked_through AS "closedMarkedThrough",
  max_active AS "maxActive", admit_count AS "admitCount", admit_every_seconds AS "admitEverySeconds",
  active_seconds AS "activeSeconds", idle_seconds AS "idleSeconds", show_up_seconds AS "showUpSeconds",
  consume_on AS "consumeOn", hold_seconds AS "holdSeconds", max_seats_per_user AS "maxSeatsPerUser", paused,
  close_when_sold_out AS "closeWhenSoldOut", notice`;

/** These repeat the condition of their indexes on `joined_at`: docs/adr/0015-stable-query-plans.md. */
export const LIVE = `p.status IN ('WAITING', 'ACTIVE') AND p.joined_at >= 0`;
const ACTIVE = `status = 'ACTIVE' AND joined_at >= 0`;

export const listQueues = statement<[], QueueRow>('list_queues', `SELECT ${QUEUE_COLUMNS} FROM queues`);

export const findQueue = statement<[concertId: string], QueueRow>(
  'find_queue',
  `SELECT ${QUEUE_COLUMNS} FROM queues WHERE concert_id = $1`,
);

/** The queue's row is its lock: one transaction at a time assigns numbers or admits. */
export const lockQueue = statement<[concertId: string], QueueRow>(
  'lock_queue',
  (dialect) =>
    `SELECT ${QUEUE_COLUMNS} FROM queues WHERE concert_id = $1${guard('queue-lock', dialect.forUpdate)}`,
);

export const setAdmittedThrough = statement<
  [concertId: string, admittedThrough: number, nowMs: number, count: number]
>(
  'set_admitted_through',
  `UPDATE queues SET admitted_through = $2, moved_at = $3, admitted_count = admitted_count + $4 WHERE concert_id = $1`,
);

/**
 * One row for each of these users who exists, with their live place in this queue if they have one. The ids filter both
 * sides; otherwise PostgreSQL would merge the users with the whole queue.
 */
export const findJoiners = statement<
  [concertId: string, userIds: readonly string[]],
  { joinerId: string } & ({ id: null } | PlaceRow)
>(
  'find_joiners',
  (dialect) => `SELECT u.id AS "joinerId", ${PLACE_COLUMNS} FROM users u
     LEFT JOIN places p ON p.user_id = u.id AND p.user_id ${dialect.anyOf('$2')} AND p.concert_id = $1 AND ${LIVE}
     WHERE u.id ${dialect.anyOf('$2')} AND u.erased_at IS NULL`,
);

/** A user who joins, with the id of their new place. Lower positions get lower numbers. */
export interface Joiner extends Record<string, string | number> {
  id: string;
  user_id: string;
  position: number;
}

/**
 * Assigns the next numbers to users who exist and have no live place in this queue, unless the sale has closed or is sold
 * out. Runs under the queue's lock; its row has the last number and a time that never decreases. Scalar subqueries look up
 * each user: PostgreSQL would merge anything else with all users and the whole queue.
 */
export const insertPlaces = statement<
  [concertId: string, joiners: readonly Joiner[] & SqlParam, nowMs: number],
  NewPlace
>(
  'insert_places',
  (dialect) => `WITH queue AS MATERIALIZED (
       SELECT concert_id, last_number, closes_at, sold_out, close_when_sold_out,
         CASE WHEN moved_at > t.now THEN moved_at ELSE t.now END AS now
       FROM queues, (SELECT ${dialect.now('$3')} AS now) AS t WHERE concert_id = $1)
     INSERT INTO places (id, concert_id, user_id, number, status, joined_at)
     SELECT j.id, queue.concert_id, j.user_id, queue.last_number + j.nth, 'WAITING', queue.now
     FROM queue, (SELECT r.id, r.user_id, row_number() OVER (ORDER BY r.position) AS nth
         FROM ${dialect.rows('$2', { id: 'text', user_id: 'text', position: 'bigint' })} AS r
         WHERE (SELECT 1 FROM users u WHERE u.id = r.user_id AND ${guard('join-not-erased', `u.erased_at IS NULL${dialect.forKeyShare}`)}) = 1
           AND (SELECT 1 FROM places p WHERE p.user_id = r.user_id AND p.concert_id = $1 AND ${guard('one-live-place', LIVE)}) IS NULL) AS j
     WHERE queue.now < ${guard('join-before-closing', 'queue.closes_at')}
       AND ${guard('join-unless-sold-out', '(queue.sold_out = 0 OR queue.close_when_sold_out = 0)')}
     RETURNING id, user_id AS "userId", number, joined_at AS "joinedAtMs"`,
);

export interface NewPlace {
  id: string;
  userId: string;
  number: number;
  joinedAtMs: number;
}

/** Moves the queue's last number to the newest place, if there is a new one. */
export const advanceLastNumber = statement<[concertId: string], { concertId: string; lastNumber: number }>(
  'advance_last_number',
  `UPDATE queues SET last_number = p.number, moved_at = p.joined_at
   FROM (SELECT number, joined_at FROM places WHERE concert_id = $1 ORDER BY number DESC LIMIT 1) AS p
   WHERE concert_id = $1 AND p.number > last_number
   RETURNING concert_id AS "concertId", last_number AS "lastNumber"`,
);

/**
 * Admits the next waiting numbers after `afterNumber`. The outer status check decides: a fan may leave while this waits for the row. CASE
 * hides the status from the planner, which would sort the whole queue when its statistics are older than the rush.
 */
export const admitNext = statement<
  [concertId: string, afterNumber: number, count: number, nowMs: number, expiresAtMs: number],
  { id: string; userId: string; number: number; joinedAtMs: number }
>(
  'admit_next',
  (dialect) => `UPDATE places SET status = 'ACTIVE', activated_at = $4, expires_at = $5, last_seen_at = $4
   WHERE status = 'WAITING' AND id ${dialect.inQuery(`SELECT id FROM places
     WHERE concert_id = $1 AND number > $2 AND CASE status WHEN 'WAITING' THEN TRUE ELSE FALSE END
     ${guard('admission-order', 'ORDER BY number LIMIT $3')}`)}
   RETURNING id, user_id AS "userId", number, joined_at AS "joinedAtMs"`,
);

/** A shorter limit counts from now on, also for a process that starts later. */
export const restartLimits = statement<[concertId: string, idleFromMs: number, showUpFromMs: number]>(
  'restart_limits',
  `UPDATE queues SET idle_from = $2, show_up_from = $3 WHERE concert_id = $1`,
);

/** `$3` and `$4` are `QueueProjection.limitsAt`. A place was never seen while it was ACTIVE if its times are equal. */
export const countActive = statement<
  [concertId: string, nowMs: number, idleSinceMs: number, notShownUpSinceMs: number],
  { count: number }
>(
  'count_active',
  () => `SELECT ${guard('active-count', 'count(*)')} AS count FROM places WHERE concert_id = $1 AND ${ACTIVE}
     AND expires_at > $2 AND last_seen_at > $3 AND (last_seen_at > activated_at OR activated_at > $4)`,
);

export const countAdmittedSince = statement<
  [concertId: string, sinceMs: number],
  { count: number; oldestMs: number | null }
>(
  'count_admitted_since',
  () => `SELECT count(*) AS count, min(activated_at) AS "oldestMs" FROM places
   WHERE concert_id = $1 AND activated_at > ${guard('admission-period', '$2')}`,
);

const hasOutlived = (): string => `expires_at <= ${guard('place-lifetime', '$2')}`;
/** `$3` and `$4` are `QueueProjection.limitsAt`. */
const isAbsent = (): string => `(last_seen_at <= ${guard('place-idle-time', '$3')}
       OR (activated_at <= ${guard('place-show-up', '$4')} AND last_seen_at <= activated_at))`;

/**
 * Reads a range of the index, and all ACTIVE places only if the policy limits the absence of their owners. The outer
 * conditions decide: another process may store a later request while this waits for the row.
 */
export const expirePlaces = statement<
  [concertId: string, nowMs: number, idleSinceMs: number, notShownUpSinceMs: number, limit: number],
  { id: string; number: number }
>('expire_places', (dialect) => {
  const active = `SELECT id FROM places WHERE concert_id = $1 AND ${ACTIVE}`;
  return `UPDATE places SET status = 'EXPIRED', ended_at = $2
   WHERE status = 'ACTIVE' AND ${guard('expiry-recheck', `(${hasOutlived()} OR ${isAbsent()})`)}
     AND id ${dialect.inQuery(`SELECT id FROM (${active} AND ${hasOutlived()}
       UNION ${active} AND (CAST($3 AS BIGINT) >= 0 OR CAST($4 AS BIGINT) >= 0) AND ${isAbsent()}) AS expired LIMIT $5`)}
   RETURNING id, number`;
});

export interface LastSeen extends Record<string, string | number> {
  id: string;
  seen: number;
}

export const updateLastSeen = statement<[seen: readonly LastSeen[] & SqlParam]>(
  'update_last_seen',
  (dialect) => `UPDATE places SET last_seen_at = r.seen
     FROM ${dialect.rows('$1', { id: 'text', seen: 'bigint' })} AS r
     WHERE places.id = r.id AND places.last_seen_at < r.seen`,
);

export const leaveWaiting = statement<[placeId: string, nowMs: number], { number: number }>(
  'leave_waiting',
  `UPDATE places SET status = 'LEFT', ended_at = $2 WHERE id = $1 AND status = 'WAITING' RETURNING number`,
);

export const leaveActive = statement<[placeId: string, nowMs: number], { number: number }>(
  'leave_active',
  `UPDATE places SET status = 'LEFT', ended_at = $2
   WHERE id = $1 AND status = 'ACTIVE' AND expires_at > $2 RETURNING number`,
);

export const markPlacesDone = batchStatement(
  'mark_places_done',
  { id: 'text', now: 'bigint' },
  ({ row, from }) => `UPDATE places SET status = 'DONE', ended_at = ${row.now}${from}
   WHERE places.id = ${row.id} AND ${guard(
     'consume-active',
     `places.status = 'ACTIVE' AND places.expires_at > ${row.now}`,
   )}`,
);

export const findPlace = statement<[placeId: string], PlaceRow>(
  'find_place',
  `SELECT ${PLACE_COLUMNS} FROM places p WHERE p.id = $1`,
);

export const findPlaceEnd = statement<[placeId: string], { readonly endedAtMs: number | null }>(
  'find_place_end',
  `SELECT ended_at AS "endedAtMs" FROM places WHERE id = $1`,
);

/** Serialises the calls of one user in one concert, so that limits per user hold. */
export const lockPlaces = statement<[placeIds: readonly string[]], PlaceRow & { concertId: string }>(
  'lock_places',
  (
    dialect,
  ) => `SELECT ${placeColumns(guard('place-active', 'p.status'))}, p.concert_id AS "concertId" FROM places p
     WHERE p.id ${dialect.anyOf('$1')}${guard('hold-place-lock', dialect.lockInOrderOf('p.id'))}`,
);

export const findLivePlace = statement<[userId: string, concertId: string], PlaceRow>(
  'find_live_place',
  `SELECT ${PLACE_COLUMNS} FROM places p
   WHERE p.user_id = $1 AND p.concert_id = $2 AND ${LIVE}`,
);

/** The live places that any of these users has in any of these concerts. */
export const lockLivePlaces = statement<
  [userIds: readonly string[], concertIds: readonly string[]],
  PlaceRow & { concertId: string }
>(
  'lock_live_places',
  (
    dialect,
  ) => `SELECT ${placeColumns(guard('place-active', 'p.status'))}, p.concert_id AS "concertId" FROM places p
     WHERE p.user_id ${dialect.anyOf('$1')} AND p.concert_id ${dialect.anyOf('$2')} AND ${guard('place-live', LIVE)}${dialect.lockInOrderOf('p.id')}`,
);

/** Explains a refusal: why the user has no live place. */
export const findLatestEnded = statement<[userId: string, concertId: string], PlaceRow>(
  'find_latest_ended',
  `SELECT ${PLACE_COLUMNS} FROM places p
   WHERE p.user_id = $1 AND p.concert_id = $2 AND p.ended_at IS NOT NULL ORDER BY p.number DESC LIMIT 1`,
);

/** Of these users, those who have a place, live or ended and not yet purged. Each half uses an index. */
export const listPlaceOwners = statement<[userIds: readonly string[]], { userId: string }>(
  'list_place_owners',
  (dialect) => `SELECT p.user_id AS "userId" FROM places p WHERE p.user_id ${dialect.anyOf('$1')} AND ${LIVE}
   UNION SELECT p.user_id FROM places p WHERE p.user_id ${dialect.anyOf('$1')} AND p.ended_at IS NOT NULL`,
);

export const listActive = statement<
  [],
  PlaceRow & { concertId: string; activatedAtMs: number; expiresAtMs: number; lastSeenAtMs: number }
>(
  'list_active',
  `SELECT ${PLACE_COLUMNS}, p.concert_id AS "concertId", p.last_seen_at AS "lastSeenAtMs"
   FROM places p WHERE ${ACTIVE}`,
);

/** `+number` keeps planners off the index of all numbers: few places left, but the queue may have a million. */
export const listLeftWaiting = statement<[concertId: string, admittedThrough: number], { number: number }>(
  'list_left_waiting',
  () => `SELECT number FROM places
   WHERE concert_id = $1 AND ${guard('left-places', "status = 'LEFT'")} AND ended_at IS NOT NULL AND +number > $2`,
);

export const listPace = statement<[concertId: string, sinceMs: number], { atMs: number; count: number }>(
  'list_pace',
  `SELECT activated_at AS "atMs", count(*) AS count FROM places
   WHERE concert_id = $1 AND activated_at > $2 AND joined_at < activated_at GROUP BY activated_at ORDER BY activated_at`,
);

/** `closed` includes waiting places that have ended but are not yet marked. */
export const countEnded = statement<
  [concertId: string],
  { done: number; expired: number; left: number; closed: number }
>(
  'count_ended',
  `SELECT r.purged_done + (SELECT count(*) FROM places WHERE concert_id = $1 AND status = 'DONE'
       AND ended_at IS NOT NULL) AS done,
     r.purged_expired + (SELECT count(*) FROM places WHERE concert_id = $1 AND status = 'EXPIRED'
       AND ended_at IS NOT NULL) AS expired,
     r.purged_left + (SELECT count(*) FROM places WHERE concert_id = $1 AND status = 'LEFT'
       AND ended_at IS NOT NULL) AS "left",
     r.purged_closed + (SELECT count(*) FROM places WHERE concert_id = $1 AND status = 'CLOSED'
       AND ended_at IS NOT NULL)
       + (SELECT count(*) FROM places WHERE concert_id = $1 AND number > r.closed_marked_through
         AND number <= r.closed_through AND status = 'WAITING') AS closed
   FROM queues r WHERE r.concert_id = $1`,
);

/** The newest place up to this number. */
export const findJoinTime = statement<
  [concertId: string, number: number],
  { number: number; joinedAtMs: number }
>(
  'find_join_time',
  `SELECT number, joined_at AS "joinedAtMs" FROM places WHERE concert_id = $1 AND number <= $2
   ORDER BY number DESC LIMIT 1`,
);

/** Locked, so that an admission or a hold in progress is seen. */
export const lockLivePlacesOf = statement<
  [userId: string],
  { placeId: string; concertId: string; number: number }
>(
  'lock_live_places_of',
  (dialect) =>
    `SELECT p.id AS "placeId", p.concert_id AS "concertId", p.number FROM places p WHERE p.user_id = $1 AND ${LIVE}${dialect.forUpdate}`,
);

/** Every stored place of a user, newest first. Two parts, because each has its own index. */
export const listPlacesOf = statement<
  [userId: string, beforeMs: number, beforeId: string, limit: number],
  {
    id: string;
    concertId: string;
    number: number;
    status: PlaceStatus;
    joinedAtMs: number;
    activatedAtMs: number | null;
    endedAtMs: number | null;
  }
>(
  'list_places_of',
  `SELECT id, concert_id AS "concertId", number, status, joined_at AS "joinedAtMs", activated_at AS "activatedAtMs",
     ended_at AS "endedAtMs"
   FROM (SELECT p.* FROM places p WHERE p.user_id = $1 AND ${LIVE}
     UNION ALL SELECT p.* FROM places p WHERE p.user_id = $1 AND p.ended_at IS NOT NULL) AS p
   WHERE (joined_at, id) < ($2, $3) ORDER BY joined_at DESC, id DESC LIMIT $4`,
);
