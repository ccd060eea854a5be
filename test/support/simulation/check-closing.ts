import { checkInvariant } from './invariant-violation.js';
import { newHolds, type ObservedBurst, placeOf } from './observed-burst.js';
import { SEATS } from './sale-fixture.js';
import type { Place, Tables } from './tables.js';

/** The end of a sale: by time or because it is sold out. */

/** The times at which the sale may close, by what was in force at some moment of the burst. */
const closings = ({ before, after }: ObservedBurst): number[] => [
  before.room.closesAtMs,
  after.room.closesAtMs,
];

/** Whether the sale may have been closed at some moment of the burst. */
export const mayBeClosed = (burst: ObservedBurst): boolean =>
  closings(burst).some((closesAtMs) => closesAtMs <= burst.endMs);

/** Whether the sale was certainly closed at this time. */
const isCertainlyClosed = (burst: ObservedBurst, atMs: number): boolean =>
  closings(burst).every((closesAtMs) => closesAtMs <= atMs);

/** Whether every seat may have been sold at some moment of the burst, with a policy that then closes the queue. */
export function mayBeSoldOut({ before, after, policies }: ObservedBurst): boolean {
  const paid = [...after.payments.values()].filter(({ id }) => !before.payments.has(id));
  const sold = new Set([
    ...[...before.seats.values()].filter(({ status }) => status === 'SOLD').map(({ id }) => id),
    ...paid.flatMap(({ reservationId }) => after.reservations.get(reservationId)?.seatIds ?? []),
  ]);
  return SEATS.every(({ id }) => sold.has(id)) && policies.some((policy) => policy.closeWhenSoldOut === 1);
}

const isSoldOut = ({ seats, room }: Tables): boolean =>
  SEATS.every(({ id }) => seats.get(id)?.status === 'SOLD') && room.closeWhenSoldOut === 1;

/** The queue was known to be sold out before the burst, and nothing in the burst could change that. */
const isCertainlySoldOut = (burst: ObservedBurst): boolean =>
  [burst.before, burst.after].every((tables) => isSoldOut(tables) && tables.room.soldOut === 1) &&
  !burst.requests.some(({ request }) => request.operation.kind === 'refund');

export function checkClosing(burst: ObservedBurst): void {
  const { before, after } = burst;
  for (const place of after.places) {
    const old = placeOf(before, place.id);
    if (!old) checkJoined(burst, place);
    if (place.activatedAtMs !== null && (old?.activatedAtMs ?? null) === null)
      checkInvariant(
        'nobody is admitted to a closed sale',
        !isCertainlyClosed(burst, place.activatedAtMs),
        () => [place, before.room, after.room],
      );
    if (place.status === 'CLOSED' && old?.status !== 'CLOSED')
      checkInvariant(
        'a place is closed only with its sale',
        mayBeClosed(burst) || mayBeSoldOut(burst),
        () => [place, before.room, after.room, ...after.seats.values()],
      );
  }
  const BOOKED = 'nothing is booked with a place after the sale has closed';
  for (const hold of newHolds(burst))
    checkInvariant(BOOKED, !isCertainlyClosed(burst, hold.createdAtMs), () => [hold, after.room]);
  for (const { id, reservationId, paidAtMs } of after.payments.values()) {
    if (before.payments.has(id) || after.reservations.get(reservationId)?.consumeOn !== 'PAYMENT') continue;
    checkInvariant(BOOKED, !isCertainlyClosed(burst, paidAtMs), () => [reservationId, paidAtMs, after.room]);
  }
}

function checkJoined(burst: ObservedBurst, place: Place): void {
  checkInvariant('nobody joins a closed sale', !isCertainlyClosed(burst, place.joinedAtMs), () => [
    place,
    burst.after.room,
  ]);
  checkInvariant('nobody joins a sold-out sale', !isCertainlySoldOut(burst), () => [place, burst.after.room]);
}

/** After the jobs have run: a sold-out sale has no waiting places, and the queue knows whether it is sold out. */
export function checkSoldOutClosed({ after }: ObservedBurst): void {
  const isWaiting = after.places.some(({ status }) => status === 'WAITING');
  checkInvariant('nobody waits in a sold-out sale', !isWaiting || !isSoldOut(after), () => [
    after.room,
    ...after.places,
  ]);
}
