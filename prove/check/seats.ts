import {
  type Evidence,
  groupBy,
  Inquiry,
  isOk,
  isRetry,
  okOf,
  type Pledge,
  type Span,
  spansBySeat,
} from './evidence.js';

export const soldOnce: Pledge = {
  name: 'sold-once',
  says: 'a seat is sold at most once, to someone who paid',
  check({ state, ...evidence }) {
    const inquiry = new Inquiry();
    const paid = new Map(state.payments.map((payment) => [payment.reservation_id, payment]));
    const confirmed = state.reservations.filter(({ status }) => status === 'CONFIRMED');
    const owners = groupBy(
      confirmed.flatMap(({ id, seatIds }) => seatIds.map((seatId) => ({ seatId, id }))),
      ({ seatId }) => seatId,
    );
    const paying = groupBy(okOf({ state, ...evidence }, 'pay'), ({ saw }) => saw.payment?.reservationId);
    for (const [seatId, reservations] of owners) {
      const calls = reservations.flatMap(({ id }) => paying.get(id) ?? []);
      inquiry.expect(
        reservations.length === 1,
        () => `seat ${seatId} was sold ${reservations.length} times`,
        ...calls,
      );
    }
    for (const { id, status, reservation_id: owner } of state.seats) {
      const isOwned = (owners.get(id) ?? []).some((reservation) => reservation.id === owner);
      inquiry.expect(
        (status === 'SOLD') === isOwned && (status !== 'SOLD' || paid.has(owner ?? '')),
        () =>
          `seat ${id} is ${status} for ${String(owner)}, which is not what the reservations and payments say`,
      );
    }
    return inquiry;
  },
};

export const heldOnce: Pledge = {
  name: 'held-once',
  says: 'no two live holds on a seat overlap',
  check(evidence) {
    const inquiry = new Inquiry();
    const holds = new Map(okOf(evidence, 'hold').map((call) => [call.saw.reservation?.id, call]));
    for (const [seatId, spans] of spansBySeat(evidence)) {
      const inOrder = [...spans].sort((a, b) => a.fromMs - b.fromMs);
      for (const [index, next] of inOrder.entries()) {
        const before = inOrder[index - 1];
        if (!before) continue;
        inquiry.expect(
          before.certainlyToMs <= next.fromMs + evidence.slackMs,
          () =>
            `seat ${seatId} was held by ${before.reservation.id} and by ${next.reservation.id} at the same time`,
          holds.get(before.reservation.id),
          holds.get(next.reservation.id),
        );
      }
    }
    return inquiry;
  },
};

export const inTime: Pledge = {
  name: 'in-time',
  says: 'a hold paid after its end never succeeds, and a freed seat is available at once',
  check(evidence) {
    const inquiry = new Inquiry();
    expectPaidInTime(evidence, inquiry);
    expectFreeAtOnce(evidence, inquiry);
    return inquiry;
  },
};

function expectPaidInTime(evidence: Evidence, inquiry: Inquiry): void {
  const { state, slackMs } = evidence;
  const reservations = new Map(state.reservations.map((row) => [row.id, row]));
  const paidAt = new Map(state.payments.map((row) => [row.reservation_id, row.paid_at]));
  const byReservation = groupBy(okOf(evidence, 'pay'), ({ saw }) => saw.payment?.reservationId);
  for (const [id, calls] of byReservation) {
    const { expires_at: expiresMs = Infinity } = reservations.get(id) ?? {};
    // A receipt may be had again at any time: the first of the calls is the payment.
    const first = calls.reduce((a, b) => (a.startMs < b.startMs ? a : b));
    inquiry.expect(
      (paidAt.get(id) ?? 0) < expiresMs && (isRetry(evidence, first) || first.startMs <= expiresMs + slackMs),
      () => `reservation ${id} was paid after its end at ${new Date(expiresMs).toISOString()}`,
      first,
    );
  }
}

function expectFreeAtOnce(evidence: Evidence, inquiry: Inquiry): void {
  const spans = spansBySeat(evidence);
  const { slackMs } = evidence;
  for (const call of evidence.calls) {
    if (call.wish.what !== 'hold' || call.code !== 'ALREADY_RESERVED_SEAT') continue;
    const mayBeTaken = ({ fromMs, possiblyToMs }: Span): boolean =>
      fromMs <= call.endMs + slackMs && call.startMs <= possiblyToMs + slackMs;
    for (const seatId of call.saw.taken ?? []) {
      inquiry.expect(
        // A refusal is kept like any other outcome: asked for again, it tells of an earlier moment.
        isRetry(evidence, call) || (spans.get(seatId) ?? []).some(mayBeTaken),
        () => `seat ${seatId} was refused although nobody had it`,
        call,
      );
    }
  }
}

export const soldOutIsTrue: Pledge = {
  name: 'sold-out',
  says: 'sold out says the truth',
  check(evidence) {
    const { state, calls } = evidence;
    const inquiry = new Inquiry();
    const sizes = groupBy(state.seats, (seat) => seat.schedule_id);
    const soldNow = groupBy(
      state.seats.filter(({ status }) => status === 'SOLD'),
      (seat) => seat.schedule_id,
    );
    const sales = answeredSales(evidence);
    for (const call of calls.filter((each) => each.wish.what === 'dates' && isOk(each))) {
      for (const { id, soldOut, seatsRemaining } of call.saw.dates ?? []) {
        const size = sizes.get(id)?.length ?? 0;
        const sold = countBefore(sales.get(id) ?? [], call.startMs);
        inquiry.expect(
          // Nothing is given back here: what is sold stays sold.
          soldOut ? soldNow.get(id)?.length === size : sold < size,
          () => `date ${id} was said to be ${soldOut ? '' : 'not '}sold out with ${sold} of ${size} sold`,
          call,
        );
        inquiry.expect(
          seatsRemaining <= size - sold,
          () => `date ${id} was said to have ${seatsRemaining} seats with ${sold} of ${size} sold`,
          call,
        );
      }
    }
    return inquiry;
  },
};

/** For each date, when its seats were known to be sold, in order. */
function answeredSales(evidence: Evidence): Map<string, number[]> {
  const reservations = new Map(evidence.state.reservations.map((row) => [row.id, row]));
  const sales = new Map<string, number[]>();
  const byReservation = groupBy(okOf(evidence, 'pay'), ({ saw }) => saw.payment?.reservationId);
  for (const [id, calls] of byReservation) {
    const reservation = reservations.get(id);
    if (!reservation) continue;
    const answeredMs = Math.min(...calls.map(({ endMs }) => endMs));
    const times = sales.get(reservation.schedule_id) ?? [];
    times.push(...reservation.seatIds.map(() => answeredMs));
    sales.set(reservation.schedule_id, times);
  }
  for (const times of sales.values()) times.sort((a, b) => a - b);
  return sales;
}

function countBefore(times: readonly number[], ms: number): number {
  let from = 0;
  let to = times.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] ?? Infinity) < ms) from = middle + 1;
    else to = middle;
  }
  return from;
}
