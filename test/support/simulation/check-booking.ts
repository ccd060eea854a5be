import { mayBeClosed } from './check-closing.js';
import { bodyOf, type ReceivedResponse, type SentRequest } from './client-log.js';
import { checkInvariant } from './invariant-violation.js';
import { isFree, isOwned, newHolds, type ObservedBurst, placeOf } from './observed-burst.js';
import type { Operation } from './requests.js';
import { SEATS } from './sale-fixture.js';
import type { Reservation } from './tables.js';

/** The responses to hold, release and pay. */
const REFUSED = 'a refusal has a valid reason';

/** Whether the caller was certainly ACTIVE during the whole burst. */
function isCertainlyActive(
  { before, after, placeEnds, endMs }: ObservedBurst,
  { request }: SentRequest,
): boolean {
  return before.places.some(
    (place) =>
      place.userId === request.userId &&
      (request.placeId === null || request.placeId === place.id) &&
      place.status === 'ACTIVE' &&
      placeOf(after, place.id)?.status === 'ACTIVE' &&
      endMs < placeEnds.boundsOf(place).earliestMs,
  );
}

/** Whether a seat was certainly free during the whole burst: no hold on it was live, created or paid. */
const isCertainlyFree = (burst: ObservedBurst, seatId: string, atMs: number): boolean =>
  isFree(burst.before, seatId, atMs) &&
  ![...newHolds(burst), ...newlyPaid(burst)].some(({ seatIds }) => seatIds.includes(seatId));

const newlyPaid = ({ before, after }: ObservedBurst): Reservation[] =>
  [...after.payments.values()].flatMap(({ id, reservationId }) =>
    before.payments.has(id) ? [] : (after.reservations.get(reservationId) ?? []),
  );

type HoldOperation = Extract<Operation, { kind: 'hold' | 'best' }>;

export function checkHoldResponse(
  burst: ObservedBurst,
  sent: SentRequest,
  response: ReceivedResponse,
  operation: HoldOperation,
): void {
  const body = bodyOf(response);
  const detail = (): unknown => [operation, sent.request.userId, response];
  if (response.status === 201) {
    const seatIds: string[] = body.seats.map(({ id }: { id: string }) => id);
    if (operation.kind === 'hold')
      checkInvariant(
        'a hold has all requested seats or none',
        seatIds.toSorted().join() === operation.seatIds.toSorted().join(),
        detail,
      );
    else checkInvariant('best seats are adjacent', areAdjacent(seatIds, operation.count), detail);
    return;
  }
  // A stored refusal was decided when the request was first sent.
  if (isStoredResponse(burst, sent)) return;
  switch (body.code) {
    case 'ACCESS_DENIED':
      checkInvariant(REFUSED, !isCertainlyActive(burst, sent), detail);
      return;
    case 'ALREADY_RESERVED_SEAT': {
      const taken: string[] = body.seatIds;
      const isRight = taken.length > 0 && taken.every((id) => !isCertainlyFree(burst, id, sent.atMs));
      checkInvariant('a seat with an expired hold is free immediately', isRight, detail);
      return;
    }
    case 'SEAT_LIMIT_EXCEEDED': {
      const limit = Math.min(...burst.policies.map(({ maxSeatsPerUser }) => maxSeatsPerUser));
      const owned = seatsOwnedAtMost(burst, sent, operation.dateId);
      checkInvariant(REFUSED, owned + sizeOf(operation) > limit, detail);
      return;
    }
    case 'NO_SEATS_TOGETHER': {
      const free = SEATS.filter(({ id, dateId }) => {
        return dateId === operation.dateId && isCertainlyFree(burst, id, sent.atMs);
      }).map(({ id }) => id);
      const runs = free.map((_, from) => free.slice(from, from + sizeOf(operation)));
      checkInvariant(REFUSED, !runs.some((run) => areAdjacent(run, sizeOf(operation))), detail);
      return;
    }
    case 'SCHEDULE_CLOSED':
      checkInvariant(REFUSED, mayBeClosed(burst), detail);
      return;
    default:
      checkInvariant(REFUSED, false, detail);
  }
}

const sizeOf = (operation: HoldOperation): number =>
  operation.kind === 'hold' ? operation.seatIds.length : operation.count;

/** Upper bound of the caller's seats of the date at any moment of the burst. */
function seatsOwnedAtMost(burst: ObservedBurst, { request, atMs }: SentRequest, dateId: string): number {
  const before = [...burst.before.reservations.values()].filter((each) => isOwned(each, atMs));
  return [...before, ...newHolds(burst)]
    .filter((each) => each.userId === request.userId && each.dateId === dateId)
    .reduce((sum, { seatIds }) => sum + seatIds.length, 0);
}

function areAdjacent(seatIds: readonly string[], count: number): boolean {
  const seats = SEATS.filter(({ id }) => seatIds.includes(id));
  const [first] = seats;
  return (
    seats.length === count &&
    seats.every((seat, index) => seat.row === first?.row && seat.number === first.number + index)
  );
}

/** Whether the request was already sent before this burst, with a key: its response may be the stored one. */
const isStoredResponse = ({ startStep, log }: ObservedBurst, { request }: SentRequest): boolean =>
  request.key !== null && (log.firstSentAtStep.get(request) ?? Infinity) < startStep;

export function checkReleaseResponse(
  burst: ObservedBurst,
  { request, atMs }: SentRequest,
  response: ReceivedResponse,
  { id, userId, status, expiresAtMs }: Reservation,
): void {
  const { code } = bodyOf(response) ?? {};
  const row = burst.after.reservations.get(id);
  const detail = (): unknown => [request.userId, response, status, row];
  if (request.userId !== userId)
    checkInvariant('a reservation is accessible only to its owner', code === 'RESERVATION_NOT_FOUND', detail);
  else if (response.status === 204)
    checkInvariant('only a live hold can be released', status === 'HELD' && atMs < expiresAtMs, detail);
  else {
    const hasEnded = row?.status !== 'HELD' || row.expiresAtMs <= burst.endMs;
    checkInvariant(REFUSED, code === 'RESERVATION_NOT_HELD' && hasEnded, detail);
  }
}

export function checkPayResponse(
  burst: ObservedBurst,
  sent: SentRequest,
  response: ReceivedResponse,
  old: Reservation,
): void {
  const { before, after } = burst;
  const { userId } = sent.request;
  const { code, id } = bodyOf(response);
  const known = before.reservations.get(old.id) ?? old;
  const row = after.reservations.get(old.id);
  const detail = (): unknown => [userId, response, known, row];
  if (userId !== old.userId) {
    checkInvariant('a reservation is accessible only to its owner', code === 'RESERVATION_NOT_FOUND', detail);
    return;
  }
  if (response.status < 300) {
    checkInvariant('a payment returns its receipt', after.payments.get(id)?.reservationId === old.id, detail);
    return;
  }
  if (isStoredResponse(burst, sent)) return;
  const isPaid = known.status === 'CONFIRMED' && row?.status === 'CONFIRMED';
  checkInvariant('paying a paid reservation returns its receipt', !isPaid, detail);
  switch (code) {
    case 'ACCESS_DENIED':
      checkInvariant(REFUSED, old.consumeOn === 'PAYMENT' && !isCertainlyActive(burst, sent), detail);
      return;
    case 'NOT_ENOUGH_BALANCE':
      checkInvariant(REFUSED, balanceAtLeast(burst, userId) < old.amount, detail);
      return;
    case 'RESERVATION_EXPIRED':
      checkInvariant(REFUSED, (row ?? old).expiresAtMs <= burst.endMs, detail);
      return;
    case 'RESERVATION_NOT_HELD':
      checkInvariant(REFUSED, row?.status === 'CANCELLED', detail);
      return;
    case 'SALES_CLOSED':
      checkInvariant(REFUSED, old.consumeOn === 'PAYMENT' && mayBeClosed(burst), detail);
      return;
    default:
      checkInvariant(REFUSED, false, detail);
  }
}

/** Lower bound of the balance at any moment of the burst. */
function balanceAtLeast({ before, after }: ObservedBurst, userId: string): number {
  const wallet = before.wallets.get(userId);
  const moved = after.entries.filter(
    (entry) => entry.userId === userId && entry.position > (wallet?.entryCount ?? 0),
  );
  return Math.min(wallet?.balance ?? 0, ...moved.map(({ balanceAfter }) => balanceAfter));
}

/** With `consumeOn: PAYMENT`, a payment requires an ACTIVE place and consumes it. */
export function checkPaidPlaces({ before, after, placeEnds }: ObservedBurst): void {
  for (const { id, userId, reservationId, paidAtMs } of after.payments.values()) {
    if (before.payments.has(id) || after.reservations.get(reservationId)?.consumeOn !== 'PAYMENT') continue;
    const isConsumed = after.places.some(
      (place) =>
        place.userId === userId &&
        place.status === 'DONE' &&
        place.endedAtMs === paidAtMs &&
        (place.activatedAtMs ?? Infinity) <= paidAtMs &&
        paidAtMs < placeEnds.boundsOf(place).latestMs,
    );
    checkInvariant('booking requires an ACTIVE place', isConsumed, () => [userId, paidAtMs, ...after.places]);
  }
}
