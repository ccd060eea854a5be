import { type Answer, type Asked, bodyOf } from './books.js';
import { keep } from './broken.js';
import { SEATS } from './hall.js';
import type { Wish } from './requests.js';
import type { Reservation } from './tables.js';
import { isFree, isOwned, newHolds, placeOf, type Window } from './window.js';

const REFUSED = 'nobody is refused without a reason';

/** Whether the caller was certainly let in all through the burst. */
function isSurelyIn({ before, after, ends, endMs }: Window, { request }: Asked): boolean {
  return before.places.some(
    (place) =>
      place.userId === request.userId &&
      (request.placeId === null || request.placeId === place.id) &&
      place.status === 'ACTIVE' &&
      placeOf(after, place.id)?.status === 'ACTIVE' &&
      endMs < ends.of(place).earliestMs,
  );
}

/** Whether a seat was certainly to be had all through the burst: nobody held it, or paid for it just in time. */
const isSurelyFree = (window: Window, seatId: string, atMs: number): boolean =>
  isFree(window.before, seatId, atMs) &&
  ![...newHolds(window), ...newlyPaid(window)].some(({ seatIds }) => seatIds.includes(seatId));

const newlyPaid = ({ before, after }: Window): Reservation[] =>
  [...after.payments.values()].flatMap(({ id, reservationId }) =>
    before.payments.has(id) ? [] : (after.reservations.get(reservationId) ?? []),
  );

type HoldWish = Extract<Wish, { kind: 'hold' | 'best' }>;

export function checkHoldAnswer(window: Window, asked: Asked, answer: Answer, wish: HoldWish): void {
  const body = bodyOf(answer);
  const detail = (): unknown => [wish, asked.request.userId, answer];
  if (answer.status === 201) {
    const seatIds: string[] = body.seats.map(({ id }: { id: string }) => id);
    if (wish.kind === 'hold')
      keep('all the seats or none', seatIds.toSorted().join() === wish.seatIds.toSorted().join(), detail);
    else keep('the best seats are side by side', isSideBySide(seatIds, wish.count), detail);
    return;
  }
  // A refusal that was kept under a key is about the moment of the first sending.
  if (isOldAnswer(window, asked)) return;
  switch (body.code) {
    case 'ACCESS_DENIED':
      keep(REFUSED, !isSurelyIn(window, asked), detail);
      return;
    case 'ALREADY_RESERVED_SEAT': {
      const taken: string[] = body.seatIds;
      const isRight = taken.length > 0 && taken.every((id) => !isSurelyFree(window, id, asked.atMs));
      keep('a seat that has run out is free at once', isRight, detail);
      return;
    }
    case 'SEAT_LIMIT_EXCEEDED': {
      const limit = Math.min(...window.policies.map(({ maxSeatsPerUser }) => maxSeatsPerUser));
      const wanted = wish.kind === 'hold' ? wish.seatIds.length : wish.count;
      keep(REFUSED, seatsAtMost(window, asked, wish.dateId) + wanted > limit, detail);
      return;
    }
    case 'NO_SEATS_TOGETHER': {
      const free = SEATS.filter(({ id, dateId }) => {
        return dateId === wish.dateId && isSurelyFree(window, id, asked.atMs);
      }).map(({ id }) => id);
      const runs = free.map((_, from) => free.slice(from, from + sizeOf(wish)));
      keep(REFUSED, !runs.some((run) => isSideBySide(run, sizeOf(wish))), detail);
      return;
    }
    default:
      keep(REFUSED, false, detail);
  }
}

const sizeOf = (wish: HoldWish): number => (wish.kind === 'hold' ? wish.seatIds.length : wish.count);

/** The most seats of the date that the caller may have had at some moment. */
function seatsAtMost(window: Window, { request, atMs }: Asked, dateId: string): number {
  const before = [...window.before.reservations.values()].filter((each) => isOwned(each, atMs));
  return [...before, ...newHolds(window)]
    .filter((each) => each.userId === request.userId && each.dateId === dateId)
    .reduce((sum, { seatIds }) => sum + seatIds.length, 0);
}

function isSideBySide(seatIds: readonly string[], count: number): boolean {
  const seats = SEATS.filter(({ id }) => seatIds.includes(id));
  const [first] = seats;
  return (
    seats.length === count &&
    seats.every((seat, index) => seat.row === first?.row && seat.number === first.number + index)
  );
}

/** Sent before this burst, with a key under which the answer may have been kept. */
const isOldAnswer = ({ startTurn, books }: Window, { request }: Asked): boolean =>
  request.key !== null && (books.requests.get(request) ?? Infinity) < startTurn;

export function checkReleaseAnswer(
  window: Window,
  { request, atMs }: Asked,
  answer: Answer,
  { id, userId, status, expiresAtMs }: Reservation,
): void {
  const { code } = bodyOf(answer) ?? {};
  const row = window.after.reservations.get(id);
  const detail = (): unknown => [request.userId, answer, status, row];
  if (request.userId !== userId)
    keep("others' holds are nobody's business", code === 'RESERVATION_NOT_FOUND', detail);
  else if (answer.status === 204)
    keep('only what is held is released', status === 'HELD' && atMs < expiresAtMs, detail);
  else {
    const isOver = row?.status !== 'HELD' || expiresAtMs <= window.endMs;
    keep(REFUSED, code === 'RESERVATION_NOT_HELD' && isOver, detail);
  }
}

export function checkPayAnswer(window: Window, asked: Asked, answer: Answer, old: Reservation): void {
  const { before, after } = window;
  const { userId } = asked.request;
  const { code, id } = bodyOf(answer);
  const known = before.reservations.get(old.id) ?? old;
  const row = after.reservations.get(old.id);
  const detail = (): unknown => [userId, answer, known, row];
  if (userId !== old.userId) {
    keep("others' holds are nobody's business", code === 'RESERVATION_NOT_FOUND', detail);
    return;
  }
  if (answer.status < 300) {
    keep('whoever paid has the receipt', after.payments.get(id)?.reservationId === old.id, detail);
    return;
  }
  if (isOldAnswer(window, asked)) return;
  const isPaid = known.status === 'CONFIRMED' && row?.status === 'CONFIRMED';
  keep('what is paid is answered with its receipt', !isPaid, detail);
  switch (code) {
    case 'ACCESS_DENIED':
      keep(REFUSED, old.consumeOn === 'PAYMENT' && !isSurelyIn(window, asked), detail);
      return;
    case 'NOT_ENOUGH_BALANCE':
      keep(REFUSED, balanceAtLeast(window, userId) < old.amount, detail);
      return;
    case 'RESERVATION_EXPIRED':
      keep(REFUSED, old.expiresAtMs <= window.endMs, detail);
      return;
    case 'RESERVATION_NOT_HELD':
      keep(REFUSED, row?.status === 'CANCELLED', detail);
      return;
    default:
      keep(REFUSED, false, detail);
  }
}

/** The least that the wallet held at some moment. */
function balanceAtLeast({ before, after }: Window, userId: string): number {
  const wallet = before.wallets.get(userId);
  const moved = after.entries.filter(
    (entry) => entry.userId === userId && entry.position > (wallet?.entryCount ?? 0),
  );
  return Math.min(wallet?.balance ?? 0, ...moved.map(({ balanceAfter }) => balanceAfter));
}

/** Where paying uses the place up, whoever paid was in, and is out now. */
export function checkPaidPlaces({ before, after, ends }: Window): void {
  for (const { id, userId, reservationId, paidAtMs } of after.payments.values()) {
    if (before.payments.has(id) || after.reservations.get(reservationId)?.consumeOn !== 'PAYMENT') continue;
    const isUsedUp = after.places.some(
      (place) =>
        place.userId === userId &&
        place.status === 'DONE' &&
        place.endedAtMs === paidAtMs &&
        (place.activatedAtMs ?? Infinity) <= paidAtMs &&
        paidAtMs < ends.of(place).latestMs,
    );
    keep('nobody books without an ACTIVE place', isUsedUp, () => [userId, paidAtMs, ...after.places]);
  }
}
