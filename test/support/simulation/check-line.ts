import type { QueueRow } from '../../../src/waiting-room/queries.js';
import { keep } from './broken.js';
import type { Place, Tables } from './tables.js';
import { placeOf, type Window } from './window.js';

const SECOND_MS = 1000;

const isLive = ({ status }: Place): boolean => status === 'WAITING' || status === 'ACTIVE';

/** The line by the tables alone. */
export function checkLine({ room, places }: Tables): void {
  const numbers = places.map(({ number }) => number);
  const isGapless = numbers.every((number, index) => number === index + 1);
  keep('numbers have no gaps', isGapless && numbers.length === room.lastNumber, () => [numbers, room]);
  let joinedAtMs = 0;
  let activatedAtMs = 0;
  const live = new Set<string>();
  for (const place of places) {
    keep('numbers follow time', place.joinedAtMs >= joinedAtMs, () => place);
    ({ joinedAtMs } = place);
    if (isLive(place)) {
      keep('a user has one live place', !live.has(place.userId), () => place);
      live.add(place.userId);
    }
    if (place.activatedAtMs !== null) {
      const isInTurn = place.activatedAtMs >= activatedAtMs && place.number <= room.admittedThrough;
      keep('nobody overtakes', isInTurn, () => [place, room]);
      ({ activatedAtMs } = place);
    } else {
      const hasBeenPassed = place.status === 'WAITING' && place.number <= room.admittedThrough;
      keep('nobody overtakes', !hasBeenPassed, () => [place, room]);
    }
  }
}

/** What became of the line in a burst was asked for, allowed, and done in order. */
export function checkLineMoved(window: Window): void {
  const { before, after, books } = window;
  const known = new Map(before.places.map((place) => [place.id, place]));
  const count = new Map<string, number>();
  for (const place of after.places) {
    count.set(place.userId, (count.get(place.userId) ?? 0) + 1);
    const old = known.get(place.id);
    if (old) checkPlaceMoved(window, old, place);
    else {
      keep('numbers follow the order of commits', place.number > before.room.lastNumber, () => place);
      checkPlaceMoved(window, { ...place, status: 'WAITING', endedAtMs: null, activatedAtMs: null }, place);
    }
    known.delete(place.id);
  }
  keep('places do not vanish', known.size === 0, () => [...known.values()]);
  for (const [userId, places] of count)
    keep('nobody is in the line who did not join', places <= (books.joins.get(userId) ?? 0), () => userId);
}

function checkPlaceMoved(window: Window, old: Place, place: Place): void {
  const isSame =
    old.userId === place.userId && old.number === place.number && old.joinedAtMs === place.joinedAtMs;
  keep('a place keeps its number', isSame, () => [old, place]);
  if (!isLive(old)) {
    keep(
      'what has ended stays ended',
      old.status === place.status && old.endedAtMs === place.endedAtMs,
      () => [old, place],
    );
    return;
  }
  if (old.activatedAtMs === null && place.activatedAtMs !== null) checkAdmitted(window, place);
  if (old.activatedAtMs !== null)
    keep('a place is let in once', old.activatedAtMs === place.activatedAtMs, () => [old, place]);
  checkEnded(window, place);
}

function checkEnded({ after, books, ends }: Window, place: Place): void {
  const { id, userId, status, endedAtMs } = place;
  const atMs = endedAtMs ?? 0;
  if (status === 'LEFT') {
    const isAsked = books.count(({ wish }) => wish.kind === 'leave' && wish.place.id === id) > 0;
    keep('nobody leaves who did not ask to', isAsked, () => place);
  }
  if (status === 'EXPIRED')
    keep('a place has its whole time', ends.of(place).earliestMs <= atMs, () => place);
  if (status === 'DONE') {
    const payments = [...after.payments.values()].filter((each) => each.userId === userId);
    const holds = [...after.reservations.values()].filter(
      (each) => each.userId === userId && each.consumeOn === 'RESERVATION',
    );
    const isUsed =
      payments.some(({ paidAtMs }) => paidAtMs === atMs) ||
      holds.some(({ createdAtMs }) => createdAtMs === atMs);
    keep('a place is used up by what it was for', isUsed, () => place);
  }
  if (status === 'DONE' || (status === 'LEFT' && place.activatedAtMs !== null))
    keep('what has run out is over', atMs < ends.of(place).latestMs, () => place);
}

/** The policy of that moment let this one in. */
function checkAdmitted({ after, policies }: Window, place: Place): void {
  const atMs = place.activatedAtMs ?? 0;
  const activeThen = after.places.filter((each) => wasActive(each, atMs)).length;
  const isAllowed = policies.some(
    (policy) =>
      policy.paused === 0 &&
      activeThen <= (policy.maxActive ?? Infinity) &&
      isWithinRate(policy, after, atMs) &&
      place.expiresAtMs === atMs + policy.activeSeconds * SECOND_MS,
  );
  keep('nobody is let in beyond the policy', isAllowed, () => [place, { activeThen }, ...policies]);
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

/** 1 + the number of WAITING places that joined earlier; 0 once it waits no longer. */
export function rankIn(tables: Tables, placeId: string): number {
  const place = placeOf(tables, placeId);
  if (place?.status !== 'WAITING') return 0;
  return (
    1 + tables.places.filter(({ status, number }) => status === 'WAITING' && number < place.number).length
  );
}

/** After the scheduler's turn nothing is left to do: who can be let in is in, what has run out is written down. */
export function checkSettled({ after, endMs, ends }: Window): void {
  const { room, places } = after;
  const active = places.filter(({ status }) => status === 'ACTIVE');
  for (const place of active)
    keep('what has run out is written down', endMs < ends.of(place).latestMs, () => place);
  const isFull = active.length >= (room.maxActive ?? Infinity);
  const isPortionUsed = admittedWithin(room, after, endMs) >= (room.admitCount ?? Infinity);
  const isWaiting = places.some(({ status }) => status === 'WAITING');
  keep('a free slot is filled', !isWaiting || room.paused === 1 || isFull || isPortionUsed, () => [
    room,
    ...places,
  ]);
}
