import type { QueueRow } from '../../../src/waiting-room/queries.js';
import { checkInvariant } from './invariant-violation.js';
import { type ObservedBurst, placeOf } from './observed-burst.js';
import type { Place, Tables } from './tables.js';

const SECOND_MS = 1000;

const IN_ORDER = 'places are admitted in order of their numbers';

const isLive = ({ status }: Place): boolean => status === 'WAITING' || status === 'ACTIVE';

/** The queue at one moment: invariants of the tables alone. */
export function checkQueue({ room, places }: Tables): void {
  const numbers = places.map(({ number }) => number);
  const isGapless = numbers.every((number, index) => number === index + 1);
  checkInvariant('place numbers have no gaps', isGapless && numbers.length === room.lastNumber, () => [
    numbers,
    room,
  ]);
  let joinedAtMs = 0;
  let activatedAtMs = 0;
  const live = new Set<string>();
  for (const place of places) {
    checkInvariant('place numbers follow the join time', place.joinedAtMs >= joinedAtMs, () => place);
    ({ joinedAtMs } = place);
    if (isLive(place)) {
      checkInvariant('a user has at most one live place', !live.has(place.userId), () => place);
      live.add(place.userId);
    }
    if (place.activatedAtMs !== null) {
      const isInOrder = place.activatedAtMs >= activatedAtMs && place.number <= room.admittedThrough;
      checkInvariant(IN_ORDER, isInOrder, () => [place, room]);
      ({ activatedAtMs } = place);
    } else {
      const wasSkipped = place.status === 'WAITING' && place.number <= room.admittedThrough;
      checkInvariant(IN_ORDER, !wasSkipped, () => [place, room]);
    }
  }
}

/** Every change of the queue in a burst was requested, allowed, and made in order. */
export function checkQueueChanges(burst: ObservedBurst): void {
  const { before, after, log } = burst;
  const known = new Map(before.places.map((place) => [place.id, place]));
  const count = new Map<string, number>();
  for (const place of after.places) {
    count.set(place.userId, (count.get(place.userId) ?? 0) + 1);
    const old = known.get(place.id);
    if (old) checkPlaceChange(burst, old, place);
    else {
      checkInvariant('a new place gets the next number', place.number > before.room.lastNumber, () => place);
      // The join of a place that ended before the response, for example by a payment, is retried.
      if (!isLive(place)) log.allowJoin(place.userId);
      checkPlaceChange(burst, { ...place, status: 'WAITING', endedAtMs: null, activatedAtMs: null }, place);
    }
    known.delete(place.id);
  }
  checkInvariant('places are never deleted', known.size === 0, () => [...known.values()]);
  for (const [userId, places] of count)
    checkInvariant('every place was requested', places <= (log.joinCounts.get(userId) ?? 0), () => userId);
}

function checkPlaceChange(burst: ObservedBurst, old: Place, place: Place): void {
  const isSame =
    old.userId === place.userId && old.number === place.number && old.joinedAtMs === place.joinedAtMs;
  checkInvariant('a place never changes its user, number or join time', isSame, () => [old, place]);
  if (!isLive(old)) {
    checkInvariant(
      'an ended place or hold stays ended',
      old.status === place.status && old.endedAtMs === place.endedAtMs,
      () => [old, place],
    );
    return;
  }
  if (old.activatedAtMs === null && place.activatedAtMs !== null) checkAdmitted(burst, place);
  if (old.activatedAtMs !== null)
    checkInvariant('a place is admitted once', old.activatedAtMs === place.activatedAtMs, () => [old, place]);
  checkEnded(burst, place);
}

function checkEnded({ after, log, placeEnds }: ObservedBurst, place: Place): void {
  const { id, userId, status, endedAtMs } = place;
  const atMs = endedAtMs ?? 0;
  if (status === 'LEFT') {
    const leaves = log.countRequests(
      ({ operation }) => operation.kind === 'leave' && operation.place.id === id,
    );
    checkInvariant('a place is LEFT only on request', leaves > 0, () => place);
  }
  if (status === 'EXPIRED')
    checkInvariant(
      'a place does not expire early',
      placeEnds.boundsOf(place).earliestMs <= atMs,
      () => place,
    );
  if (status === 'DONE') {
    const payments = [...after.payments.values()].filter((each) => each.userId === userId);
    const holds = [...after.reservations.values()].filter(
      (each) => each.userId === userId && each.consumeOn === 'RESERVATION',
    );
    const hasBooking =
      payments.some(({ paidAtMs }) => paidAtMs === atMs) ||
      holds.some(({ createdAtMs }) => createdAtMs === atMs);
    checkInvariant('a place is consumed only by a booking', hasBooking, () => place);
  }
  if (status === 'DONE' || (status === 'LEFT' && place.activatedAtMs !== null))
    checkInvariant('an expired place cannot be used', atMs < placeEnds.boundsOf(place).latestMs, () => place);
}

/** One of the policies in force during the burst allows this admission. */
function checkAdmitted({ after, policies }: ObservedBurst, place: Place): void {
  const atMs = place.activatedAtMs ?? 0;
  const activeThen = after.places.filter((each) => wasActive(each, atMs)).length;
  const isAllowed = policies.some(
    (policy) =>
      policy.paused === 0 &&
      activeThen <= (policy.maxActive ?? Infinity) &&
      isWithinRate(policy, after, atMs) &&
      place.expiresAtMs === atMs + policy.activeSeconds * SECOND_MS,
  );
  checkInvariant('admission follows the policy', isAllowed, () => [place, { activeThen }, ...policies]);
}

const wasActive = ({ activatedAtMs, expiresAtMs, endedAtMs }: Place, atMs: number): boolean =>
  activatedAtMs !== null &&
  activatedAtMs <= atMs &&
  (expiresAtMs ?? 0) > atMs &&
  (endedAtMs === null || endedAtMs > atMs);

function admittedWithin({ admitEverySeconds }: QueueRow, { places }: Tables, atMs: number): number {
  const sinceMs = atMs - (admitEverySeconds ?? 0) * SECOND_MS;
  return places.filter(
    ({ activatedAtMs }) => activatedAtMs !== null && activatedAtMs > sinceMs && activatedAtMs <= atMs,
  ).length;
}

const isWithinRate = (policy: QueueRow, tables: Tables, atMs: number): boolean =>
  admittedWithin(policy, tables, atMs) <= (policy.admitCount ?? Infinity);

/** 1 + the number of WAITING places that joined earlier; 0 if the place is not WAITING. */
export function rankIn(tables: Tables, placeId: string): number {
  const place = placeOf(tables, placeId);
  if (place?.status !== 'WAITING') return 0;
  return (
    1 + tables.places.filter(({ status, number }) => status === 'WAITING' && number < place.number).length
  );
}

/** After the admission job has run: all places that can be admitted are, and expired places are marked as ended. */
export function checkSettled({ after, endMs, placeEnds }: ObservedBurst): void {
  const { room, places } = after;
  const active = places.filter(({ status }) => status === 'ACTIVE');
  for (const place of active)
    checkInvariant(
      'an expired place is marked as ended',
      endMs < placeEnds.boundsOf(place).latestMs,
      () => place,
    );
  const isFull = active.length >= (room.maxActive ?? Infinity);
  const isRateUsedUp = admittedWithin(room, after, endMs) >= (room.admitCount ?? Infinity);
  const isWaiting = places.some(({ status }) => status === 'WAITING');
  checkInvariant('a free slot is filled', !isWaiting || room.paused === 1 || isFull || isRateUsedUp, () => [
    room,
    ...places,
  ]);
}
