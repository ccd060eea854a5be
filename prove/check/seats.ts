/** Invariants of seats: holds, sales, expiry and availability. */
import {
  Checker,
  type Evidence,
  groupBy,
  type HoldInterval,
  holdIntervalsBySeat,
  type Invariant,
  isRetry,
  succeeded,
} from './evidence.js';
import { rangeDuring } from './interval.js';
import { soldSeatsByDate } from './sold-seats.js';

export const seatSoldOnce: Invariant = {
  name: 'sold-once',
  description: 'a seat is sold at most once, and only to a fan who paid',
  check(evidence) {
    const { state } = evidence;
    const checker = new Checker();
    const paid = new Map(state.payments.map((payment) => [payment.reservation_id, payment]));
    const confirmed = state.reservations.filter(({ status }) => status === 'CONFIRMED');
    const owners = groupBy(
      confirmed.flatMap(({ id, seatIds }) => seatIds.map((seatId) => ({ seatId, id }))),
      ({ seatId }) => seatId,
    );
    const paying = groupBy(succeeded(evidence, 'pay'), ({ observed }) => observed.payment?.reservationId);
    for (const [seatId, reservations] of owners) {
      const calls = reservations.flatMap(({ id }) => paying.get(id) ?? []);
      checker.expect(
        reservations.length === 1,
        () => `seat ${seatId} was sold ${reservations.length} times`,
        ...calls,
      );
    }
    for (const { id, status, reservation_id: owner } of state.seats) {
      const isOwned = (owners.get(id) ?? []).some((reservation) => reservation.id === owner);
      checker.expect(
        (status === 'SOLD') === isOwned && (status !== 'SOLD' || paid.has(owner ?? '')),
        () => `seat ${id} is ${status} for ${String(owner)}, which contradicts the reservations and payments`,
      );
    }
    return checker;
  },
};

export const seatHeldOnce: Invariant = {
  name: 'held-once',
  description: 'two holds on one seat never overlap',
  check(evidence) {
    const checker = new Checker();
    const holds = new Map(succeeded(evidence, 'hold').map((call) => [call.observed.reservation?.id, call]));
    for (const [seatId, intervals] of holdIntervalsBySeat(evidence)) {
      const inOrder = [...intervals].sort((a, b) => a.fromMs - b.fromMs);
      for (const [index, next] of inOrder.entries()) {
        const before = inOrder[index - 1];
        if (!before) continue;
        checker.expect(
          before.endsAtEarliestMs <= next.fromMs + evidence.clockToleranceMs,
          () =>
            `seat ${seatId} was held by ${before.reservation.id} and by ${next.reservation.id} at the same time`,
          holds.get(before.reservation.id),
          holds.get(next.reservation.id),
        );
      }
    }
    return checker;
  },
};

export const holdsExpireInTime: Invariant = {
  name: 'in-time',
  description: 'an expired hold cannot be paid, and its seats are available immediately',
  check(evidence) {
    const checker = new Checker();
    expectPaidInTime(evidence, checker);
    expectRefusedSeatsTaken(evidence, checker);
    return checker;
  },
};

function expectPaidInTime(evidence: Evidence, checker: Checker): void {
  const { state, clockToleranceMs } = evidence;
  const reservations = new Map(state.reservations.map((row) => [row.id, row]));
  const paidAt = new Map(state.payments.map((row) => [row.reservation_id, row.paid_at]));
  const byReservation = groupBy(
    succeeded(evidence, 'pay'),
    ({ observed }) => observed.payment?.reservationId,
  );
  for (const [id, calls] of byReservation) {
    const { expires_at: expiresAtMs = Infinity } = reservations.get(id) ?? {};
    // The first call is the payment; later ones only return the receipt again, which is allowed at any time.
    const first = calls.reduce((a, b) => (a.startMs < b.startMs ? a : b));
    checker.expect(
      (paidAt.get(id) ?? 0) < expiresAtMs &&
        (isRetry(evidence, first) || first.startMs <= expiresAtMs + clockToleranceMs),
      () => `reservation ${id} was paid after it expired at ${new Date(expiresAtMs).toISOString()}`,
      first,
    );
  }
}

/** A seat that was refused as taken was held or sold at some moment of the call. */
function expectRefusedSeatsTaken(evidence: Evidence, checker: Checker): void {
  const intervals = holdIntervalsBySeat(evidence);
  const { clockToleranceMs } = evidence;
  for (const call of evidence.calls) {
    if (call.request.operation !== 'hold' || call.code !== 'ALREADY_RESERVED_SEAT') continue;
    const mayBeTaken = ({ fromMs, endsAtLatestMs }: HoldInterval): boolean =>
      fromMs <= call.endMs + clockToleranceMs && call.startMs <= endsAtLatestMs + clockToleranceMs;
    for (const seatId of call.observed.takenSeatIds ?? []) {
      checker.expect(
        // A retry may return the refusal stored for an earlier moment.
        isRetry(evidence, call) || (intervals.get(seatId) ?? []).some(mayBeTaken),
        () => `seat ${seatId} was refused as taken, but it was free`,
        call,
      );
    }
  }
}

export const soldOutIsAccurate: Invariant = {
  name: 'sold-out',
  description: 'soldOut and the number of remaining seats are accurate',
  check(evidence) {
    const checker = new Checker();
    const sizes = groupBy(evidence.state.seats, (seat) => seat.schedule_id);
    const soldSeats = soldSeatsByDate(evidence);
    for (const call of succeeded(evidence, 'dates')) {
      const during = { fromMs: call.startMs, toMs: call.endMs };
      for (const { id, soldOut, seatsRemaining } of call.observed.dates ?? []) {
        const size = sizes.get(id)?.length ?? 0;
        const { atLeast = [], atMost = [] } = soldSeats.get(id) ?? {};
        const { min } = rangeDuring(atLeast, during);
        const { max } = rangeDuring(atMost, during);
        checker.expect(
          soldOut ? max >= size : min < size,
          () =>
            `date ${id} was reported as ${soldOut ? '' : 'not '}sold out with ${min} to ${max} of ${size} seats sold`,
          call,
        );
        checker.expect(
          seatsRemaining <= size - min,
          () =>
            `date ${id} was reported with ${seatsRemaining} seats left, with at least ${min} of ${size} sold`,
          call,
        );
      }
    }
    return checker;
  },
};
