import type { QueueRow } from '../../../src/waiting-room/queries.js';
import type { Asked, Books } from './books.js';
import type { PlaceEnds } from './place-ends.js';
import type { Place, Reservation, Tables } from './tables.js';

/**
 * A burst as it is judged: the tables before and after it, and what was asked and answered in between. In which order
 * things happened within it nobody outside can know, so each answer must be right for some moment of it.
 */
export interface Window {
  readonly before: Tables;
  readonly after: Tables;
  /** Of all asks and answers, the number of its first. */
  readonly startTurn: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly asked: readonly Asked[];
  readonly books: Books;
  /** The policies that may have been in force. */
  readonly policies: readonly QueueRow[];
  readonly ends: PlaceEnds;
}

export const placeOf = ({ places }: Tables, placeId: string): Place | undefined =>
  places.find(({ id }) => id === placeId);

/** The holds that were made within the burst. */
export const newHolds = ({ before, after }: Window): Reservation[] =>
  [...after.reservations.values()].filter(({ id }) => !before.reservations.has(id));

/** Whether a seat may be had at that instant: a hold that has run out keeps nobody from it. */
export function isFree({ seats }: Tables, seatId: string, nowMs: number): boolean {
  const seat = seats.get(seatId);
  return seat?.status === 'AVAILABLE' || (seat?.status === 'HELD' && (seat.heldUntilMs ?? 0) <= nowMs);
}

/** Whether a reservation counts as its owner's at that instant. */
export const isOwned = ({ status, expiresAtMs }: Reservation, nowMs: number): boolean =>
  status === 'CONFIRMED' || (status === 'HELD' && expiresAtMs > nowMs);
