import { checkInvariant } from './invariant-violation.js';
import { isOwned, movedClosings, newHolds, type ObservedBurst } from './observed-burst.js';
import type { Request } from './requests.js';
import { SEATS } from './sale-fixture.js';
import type { Reservation, Tables } from './tables.js';

const SECOND_MS = 1000;
const PRICES = new Map(SEATS.map(({ id, price }) => [id, price]));

/** Seats and reservations at one moment: the tables agree with each other. */
export function checkSeats({ seats, reservations, payments }: Tables, nowMs: number): void {
  const paid = new Set<string>();
  for (const { reservationId, refundedAtMs } of payments.values())
    if (refundedAtMs === null) paid.add(reservationId);
  for (const seat of seats.values()) {
    const owner = seat.reservationId === null ? undefined : reservations.get(seat.reservationId);
    const isNamed = owner?.seatIds.includes(seat.id) ?? false;
    if (seat.status === 'SOLD') {
      const isPaid = isNamed && owner?.status === 'CONFIRMED' && paid.has(owner.id);
      checkInvariant('a sold seat is paid', isPaid, () => [seat, owner]);
    }
    if (seat.status === 'HELD' && (seat.heldUntilMs ?? 0) > nowMs)
      checkInvariant('a held seat belongs to a live hold', isNamed && owner?.status === 'HELD', () => [
        seat,
        owner,
      ]);
  }
  for (const each of reservations.values()) {
    const isPaid = paid.has(each.id);
    checkInvariant(
      'a reservation is CONFIRMED if and only if it is paid',
      (each.status === 'CONFIRMED') === isPaid,
      () => each,
    );
    const expected = each.status === 'CONFIRMED' ? 'SOLD' : 'HELD';
    const hasAll = each.seatIds.every(
      (id) => seats.get(id)?.reservationId === each.id && seats.get(id)?.status === expected,
    );
    checkInvariant('a live reservation owns its seats', hasAll || !isOwned(each, nowMs), () => [
      each,
      ...seats.values(),
    ]);
  }
}

/** Every change of holds in a burst was requested and allowed. */
export function checkHoldChanges(burst: ObservedBurst): void {
  const { before, after } = burst;
  for (const old of before.reservations.values()) {
    const row = after.reservations.get(old.id);
    checkInvariant('reservations are never deleted', row !== undefined, () => old);
    if (row) checkHoldChange(burst, old, row);
  }
  for (const row of after.reservations.values())
    checkInvariant(
      'a hold whose payment needs the place never outlives the sale',
      row.status !== 'HELD' || row.consumeOn !== 'PAYMENT' || row.expiresAtMs <= after.room.closesAtMs,
      () => [row, after.room.closesAtMs],
    );
  for (const hold of newHolds(burst)) {
    checkNewHold(burst, hold);
    checkHoldChange(burst, { ...hold, status: 'HELD' }, hold);
  }
}

function checkHoldChange(burst: ObservedBurst, old: Reservation, row: Reservation): void {
  const { after, log, endMs } = burst;
  const isShortened =
    old.status === 'HELD' &&
    old.consumeOn === 'PAYMENT' &&
    row.expiresAtMs < old.expiresAtMs &&
    movedClosings(burst).includes(row.expiresAtMs);
  const isSame = old.userId === row.userId && old.seatIds.join() === row.seatIds.join();
  checkInvariant(
    'a hold never changes its user, seats or expiry, except that it ends with its sale',
    isSame && (old.expiresAtMs === row.expiresAtMs || isShortened),
    () => [old, row],
  );
  if (old.status === row.status) return;
  const detail = (): unknown => [old, row, ...after.payments.values()];
  const refunded = [...after.payments.values()].find(({ reservationId }) => reservationId === row.id);
  if (row.status === 'EXPIRED')
    checkInvariant('a hold does not expire early', old.status === 'HELD' && row.expiresAtMs <= endMs, detail);
  if (row.status === 'CONFIRMED')
    checkInvariant('only a held reservation can be confirmed', old.status === 'HELD', detail);
  if (row.status === 'CANCELLED') {
    const isReleased = log.countRequests(isReleaseOf(row)) > 0 && !refunded && old.status === 'HELD';
    const isRefunded = refunded !== undefined && refunded.refundedAtMs !== null;
    checkInvariant('every cancellation was requested', isReleased || isRefunded, detail);
  }
  checkInvariant('an ended place or hold stays ended', row.status !== 'HELD', detail);
}

const isReleaseOf =
  ({ id, userId }: Reservation) =>
  (request: Request): boolean =>
    request.operation.kind === 'release' &&
    request.operation.reservation.id === id &&
    request.userId === userId;

function checkNewHold(burst: ObservedBurst, hold: Reservation): void {
  const { before, after, log, placeEnds, policies } = burst;
  const { userId, dateId, seatIds, createdAtMs } = hold;
  const holds = [...after.reservations.values()];
  const isLike = ({ userId: by, seatIds: ids }: Pick<Reservation, 'userId' | 'seatIds'>): boolean =>
    by === userId && ids.length === seatIds.length;
  const requested = log.countRequests(
    ({ userId: by, operation }) => by === userId && sizeOf(operation) === seatIds.length,
  );
  checkInvariant('every hold was requested', holds.filter(isLike).length <= requested, () => hold);

  const price = seatIds.reduce((sum, id) => sum + (PRICES.get(id) ?? NaN), 0);
  // A hold that is paid with the place ends with the sale.
  const closings =
    hold.consumeOn === 'PAYMENT'
      ? [before.room.closesAtMs, after.room.closesAtMs, ...movedClosings(burst)]
      : [Infinity];
  const isByPolicy = policies.some(
    ({ holdSeconds, consumeOn }) =>
      closings.some((atMs) => hold.expiresAtMs === Math.min(createdAtMs + holdSeconds * SECOND_MS, atMs)) &&
      hold.consumeOn === consumeOn,
  );
  checkInvariant('a hold has the right price and duration', price === hold.amount && isByPolicy, () => [
    hold,
    price,
  ]);

  const wasActive = after.places.some(
    (place) =>
      place.userId === userId &&
      (place.activatedAtMs ?? Infinity) <= createdAtMs &&
      (place.endedAtMs ?? Infinity) >= createdAtMs &&
      createdAtMs < placeEnds.boundsOf(place).latestMs,
  );
  checkInvariant('booking requires an ACTIVE place', wasActive, () => [hold, ...after.places]);

  const earlier = holds.slice(0, holds.indexOf(hold));
  for (const other of earlier) {
    if (!other.seatIds.some((id) => seatIds.includes(id))) continue;
    checkInvariant('a seat has at most one hold at a time', createdAtMs >= endOf(burst, other), () => [
      other,
      hold,
    ]);
  }
  const mine = earlier.filter((other) => other.userId === userId && other.dateId === dateId);
  const count = [...mine, hold]
    .filter((other) => other === hold || createdAtMs < endOf(burst, other))
    .reduce((sum, other) => sum + other.seatIds.length, 0);
  const limit = Math.max(...policies.map(({ maxSeatsPerUser }) => maxSeatsPerUser));
  checkInvariant('a user never exceeds maxSeatsPerUser', count <= limit, () => [hold, ...mine]);
}

function sizeOf(operation: Request['operation']): number {
  if (operation.kind === 'hold') return operation.seatIds.length;
  return operation.kind === 'best' ? operation.count : 0;
}

/** The earliest time at which its seats may belong to another reservation. */
function endOf({ before, after, startMs }: ObservedBurst, { id, status, expiresAtMs }: Reservation): number {
  const payment = [...after.payments.values()].find(({ reservationId }) => reservationId === id);
  if (payment) return payment.refundedAtMs ?? Infinity;
  if (status !== 'CANCELLED') return expiresAtMs;
  // Released in an earlier burst, or in this one at its start or later.
  return Math.min(expiresAtMs, before.reservations.get(id)?.status === 'CANCELLED' ? 0 : startMs);
}
