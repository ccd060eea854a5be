import type { QueueRow } from '../../../src/waiting-room/queries.js';
import type { SentRequest, ClientLog } from './client-log.js';
import type { PlaceEndModel } from './place-end-model.js';
import type { Place, Reservation, Tables } from './tables.js';

/**
 * One burst as the checks see it: the tables before and after it, and the requests and responses in between. The order
 * of effects within the burst is unknown, so each response must be correct for some moment of the burst.
 */
export interface ObservedBurst {
  readonly before: Tables;
  readonly after: Tables;
  /** Requests of this burst have a higher `step` than this. */
  readonly startStep: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly requests: readonly SentRequest[];
  readonly log: ClientLog;
  /** The policies that may have been in force at some moment of the burst. */
  readonly policies: readonly QueueRow[];
  readonly placeEnds: PlaceEndModel;
}

export const placeOf = ({ places }: Tables, placeId: string): Place | undefined =>
  places.find(({ id }) => id === placeId);

/** The ends of the sale that the operator may have set in the burst. Unpaid holds end with them. */
export const movedClosings = ({ requests }: ObservedBurst): number[] =>
  requests.flatMap(({ request: { operation } }) =>
    operation.kind === 'move closing' && operation.salesCloseAt !== null
      ? [Date.parse(operation.salesCloseAt)]
      : [],
  );

/** The holds that were created in the burst. */
export const newHolds = ({ before, after }: ObservedBurst): Reservation[] =>
  [...after.reservations.values()].filter(({ id }) => !before.reservations.has(id));

/** Whether a seat can be held at that time: an expired hold does not block it. */
export function isFree({ seats }: Tables, seatId: string, nowMs: number): boolean {
  const seat = seats.get(seatId);
  return seat?.status === 'AVAILABLE' || (seat?.status === 'HELD' && (seat.heldUntilMs ?? 0) <= nowMs);
}

/** Whether a reservation owns its seats at that time. */
export const isOwned = ({ status, expiresAtMs }: Reservation, nowMs: number): boolean =>
  status === 'CONFIRMED' || (status === 'HELD' && expiresAtMs > nowMs);
