import { keep } from './broken.js';
import { SEATS } from './hall.js';
import type { Request } from './requests.js';
import type { Reservation, Tables } from './tables.js';
import { isOwned, newHolds, type Window } from './window.js';

const SECOND_MS = 1000;
const PRICES = new Map(SEATS.map(({ id, price }) => [id, price]));

/** Seats and reservations by the tables alone: both say the same. */
export function checkSeats({ seats, reservations, payments }: Tables, nowMs: number): void {
  const paid = new Set<string>();
  for (const { reservationId, refundedAtMs } of payments.values())
    if (refundedAtMs === null) paid.add(reservationId);
  for (const seat of seats.values()) {
    const owner = seat.reservationId === null ? undefined : reservations.get(seat.reservationId);
    const isNamed = owner?.seatIds.includes(seat.id) ?? false;
    if (seat.status === 'SOLD') {
      const isPaid = isNamed && owner?.status === 'CONFIRMED' && paid.has(owner.id);
      keep('a sold seat was paid for', isPaid, () => [seat, owner]);
    }
    if (seat.status === 'HELD' && (seat.heldUntilMs ?? 0) > nowMs)
      keep('a held seat has its holder', isNamed && owner?.status === 'HELD', () => [seat, owner]);
  }
  for (const each of reservations.values()) {
    const isPaid = paid.has(each.id);
    keep('confirmed means paid', (each.status === 'CONFIRMED') === isPaid, () => each);
    const wanted = each.status === 'CONFIRMED' ? 'SOLD' : 'HELD';
    const hasAll = each.seatIds.every(
      (id) => seats.get(id)?.reservationId === each.id && seats.get(id)?.status === wanted,
    );
    keep('whoever has a reservation has its seats', hasAll || !isOwned(each, nowMs), () => [
      each,
      ...seats.values(),
    ]);
  }
}

/** What became of holds in a burst was asked for and allowed. */
export function checkHoldsMoved(window: Window): void {
  const { before, after } = window;
  for (const old of before.reservations.values()) {
    const row = after.reservations.get(old.id);
    keep('reservations do not vanish', row !== undefined, () => old);
    if (row) checkHoldMoved(window, old, row);
  }
  for (const hold of newHolds(window)) {
    checkNewHold(window, hold);
    checkHoldMoved(window, { ...hold, status: 'HELD' }, hold);
  }
}

function checkHoldMoved(window: Window, old: Reservation, row: Reservation): void {
  const { after, books, endMs } = window;
  const isSame = old.expiresAtMs === row.expiresAtMs && old.seatIds.join() === row.seatIds.join();
  keep('a hold stays what it was', isSame && old.userId === row.userId, () => [old, row]);
  if (old.status === row.status) return;
  const detail = (): unknown => [old, row, ...after.payments.values()];
  const refunded = [...after.payments.values()].find(({ reservationId }) => reservationId === row.id);
  if (row.status === 'EXPIRED')
    keep('a hold has its whole time', old.status === 'HELD' && row.expiresAtMs <= endMs, detail);
  if (row.status === 'CONFIRMED') keep('only what is held is sold', old.status === 'HELD', detail);
  if (row.status === 'CANCELLED') {
    const isReleased = books.count(isReleaseOf(row)) > 0 && !refunded && old.status === 'HELD';
    const isRefunded = refunded !== undefined && refunded.refundedAtMs !== null;
    keep('nothing is cancelled that nobody cancelled', isReleased || isRefunded, detail);
  }
  keep('what has ended stays ended', row.status !== 'HELD', detail);
}

const isReleaseOf =
  ({ id, userId }: Reservation) =>
  (request: Request): boolean =>
    request.wish.kind === 'release' && request.wish.reservation.id === id && request.userId === userId;

function checkNewHold(window: Window, hold: Reservation): void {
  const { after, books, ends, policies } = window;
  const { userId, dateId, seatIds, createdAtMs } = hold;
  const holds = [...after.reservations.values()];
  const isLike = ({ userId: by, seatIds: ids }: Pick<Reservation, 'userId' | 'seatIds'>): boolean =>
    by === userId && ids.length === seatIds.length;
  const asked = books.count(({ userId: by, wish }) => by === userId && sizeOf(wish) === seatIds.length);
  keep('nobody holds what they did not ask for', holds.filter(isLike).length <= asked, () => hold);

  const price = seatIds.reduce((sum, id) => sum + (PRICES.get(id) ?? NaN), 0);
  const isByPolicy = policies.some(
    ({ holdSeconds, consumeOn }) =>
      hold.expiresAtMs === createdAtMs + holdSeconds * SECOND_MS && hold.consumeOn === consumeOn,
  );
  keep('a hold costs and lasts what it should', price === hold.amount && isByPolicy, () => [hold, price]);

  const isIn = after.places.some(
    (place) =>
      place.userId === userId &&
      (place.activatedAtMs ?? Infinity) <= createdAtMs &&
      (place.endedAtMs ?? Infinity) >= createdAtMs &&
      createdAtMs < ends.of(place).latestMs,
  );
  keep('nobody books without an ACTIVE place', isIn, () => [hold, ...after.places]);

  const earlier = holds.slice(0, holds.indexOf(hold));
  for (const other of earlier) {
    if (!other.seatIds.some((id) => seatIds.includes(id))) continue;
    keep('a seat is held by one at a time', createdAtMs >= endOf(window, other), () => [other, hold]);
  }
  const mine = earlier.filter((other) => other.userId === userId && other.dateId === dateId);
  const count = [...mine, hold]
    .filter((other) => other === hold || createdAtMs < endOf(window, other))
    .reduce((sum, other) => sum + other.seatIds.length, 0);
  const limit = Math.max(...policies.map(({ maxSeatsPerUser }) => maxSeatsPerUser));
  keep('nobody has more seats than allowed', count <= limit, () => [hold, ...mine]);
}

function sizeOf(wish: Request['wish']): number {
  if (wish.kind === 'hold') return wish.seatIds.length;
  return wish.kind === 'best' ? wish.count : 0;
}

/** The first instant at which its seats may have been somebody else's. */
function endOf({ before, after, startMs }: Window, { id, status, expiresAtMs }: Reservation): number {
  const payment = [...after.payments.values()].find(({ reservationId }) => reservationId === id);
  if (payment) return payment.refundedAtMs ?? Infinity;
  if (status !== 'CANCELLED') return expiresAtMs;
  // Released: in this burst at its start or later, or in an earlier one.
  return Math.min(expiresAtMs, before.reservations.get(id)?.status === 'CANCELLED' ? 0 : startMs);
}
