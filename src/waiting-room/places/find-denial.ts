import type { PlaceClaim } from '../../kernel/caller.js';
import { denied, type Refusal } from '../../kernel/refusal.js';
import type { Sql } from '../../platform/sql/index.js';
import type { PlaceState } from '../projection/place-state.js';
import type { Queues } from '../projection/queues.js';
import { findPlaceEnd } from '../queries.js';

const HAS_ENDED: ReadonlySet<PlaceState['status']> = new Set(['ENDED', 'LEFT', 'CLOSED']);

/**
 * Why a queue token serves for no call any more; undefined while it does. A token ends with its place plus the time for
 * which ended places are remembered, whether or not a job has deleted the place by then. Only the token of an ended place
 * costs a query.
 */
export const createFindDenial = (deps: {
  readonly sql: Sql;
  readonly queues: Queues;
  readonly requireUser: (userId: string) => Promise<unknown>;
  /** How long ended places are remembered. */
  readonly endedRetentionMs: number;
}) => {
  const { sql, queues, requireUser, endedRetentionMs } = deps;

  return (claim: PlaceClaim): Refusal | undefined | Promise<Refusal | undefined> => {
    const nowMs = sql.nowMs();
    if (nowMs >= claim.expiresAtMs) return denied('EXPIRED');
    const state = queues.find(claim.concertId)?.stateOf(claim.placeId, claim.number, nowMs);
    return state && HAS_ENDED.has(state.status) ? findEnd(claim, nowMs) : undefined;
  };

  async function findEnd({ placeId, userId }: PlaceClaim, nowMs: number): Promise<Refusal | undefined> {
    const place = await sql.reader.get(findPlaceEnd, [placeId]);
    // Purged, unless the account itself is gone.
    if (!place) await requireUser(userId);
    const isRemembered = place && (place.endedAtMs ?? nowMs) > nowMs - endedRetentionMs;
    return isRemembered ? undefined : denied('EXPIRED');
  }
};
