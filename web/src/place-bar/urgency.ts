import type { QueueToken } from '../api/index.js';

/** Rows with a time limit are ordered by it, in milliseconds; the others come after every possible limit. */
const NO_LIMIT = 1e15;
const WAITING = 2e15;
const ENDED = 3e15;
const NOT_SHOWN = 4e15;

/** How soon a place needs the fan: the smaller, the sooner. Undefined while there is nothing to show. */
export function urgencyOf(place: QueueToken | undefined, hasEnded: boolean): number | undefined {
  if (hasEnded) return ENDED;
  if (place?.status === 'WAITING') return WAITING;
  if (place?.status !== 'ACTIVE') return undefined;
  return place.expiresAt === null ? NO_LIMIT : Date.parse(place.expiresAt);
}

interface Row {
  readonly urgency: number | undefined;
}

export const byUrgency = (one: Row, other: Row): number =>
  (one.urgency ?? NOT_SHOWN) - (other.urgency ?? NOT_SHOWN);
