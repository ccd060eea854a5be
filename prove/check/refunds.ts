import {
  callsBySubject,
  Checker,
  firstStartMs,
  firstSuccessMs,
  groupBy,
  type Invariant,
  isOk,
} from './evidence.js';

export const refundedOnce: Invariant = {
  name: 'refunds',
  description: 'a refund returns the money once, frees the seats and marks the receipt',
  check(evidence) {
    const { state } = evidence;
    const checker = new Checker();
    const refunding = callsBySubject(evidence, 'refund');
    const credits = groupBy(
      state.entries.filter(({ type }) => type === 'REFUND'),
      ({ reference }) => reference ?? '',
    );
    const reservations = new Map(state.reservations.map((row) => [row.id, row]));
    const seatsOf = groupBy(state.seats, (seat) => seat.reservation_id ?? undefined);
    for (const payment of state.payments) {
      const { id, amount, user_id: userId, reservation_id: reservationId } = payment;
      const calls = refunding.get(id) ?? [];
      const [credit, ...more] = credits.get(id) ?? [];
      if (payment.refunded_at === null) {
        checker.expect(
          credit === undefined && !calls.some(isOk),
          () => `payment ${id} is not refunded, but has a refund entry or an acknowledged refund`,
          ...calls,
        );
        continue;
      }
      checker.expect(
        credit?.amount === amount && credit.user_id === userId && more.length === 0,
        () =>
          `payment ${id} of ${amount} has ${more.length + (credit ? 1 : 0)} refund entries: ${String(credit?.amount)}`,
        ...calls,
      );
      checker.expect(
        calls.some(isOk) &&
          calls.filter(isOk).every(({ observed }) => observed.refund?.refundedAtMs === payment.refunded_at),
        () => `payment ${id} was refunded without an acknowledged refund, or with another time`,
        ...calls,
      );
      checker.expect(
        reservations.get(reservationId)?.status === 'CANCELLED' && !seatsOf.has(reservationId),
        () => `payment ${id} was refunded, but its reservation still has seats`,
        ...calls,
      );
    }
    const paymentIds = new Set(state.payments.map(({ id }) => id));
    for (const id of credits.keys())
      checker.expect(paymentIds.has(id), () => `there is a refund of ${id}, which is not a payment`);

    const reads = evidence.calls.filter((call) => call.request.operation === 'receipt' && isOk(call));
    for (const call of reads) {
      const { id = '', refundedAtMs } = call.observed.payment ?? {};
      const calls = refunding.get(id) ?? [];
      const isRefunded = refundedAtMs !== null;
      if (firstSuccessMs(calls) < call.startMs)
        checker.expect(
          isRefunded,
          () => `the receipt of payment ${id} does not show its refund`,
          ...calls,
          call,
        );
      if (call.endMs < firstStartMs(calls))
        checker.expect(
          !isRefunded,
          () => `the receipt of payment ${id} shows a refund before there was one`,
          call,
        );
    }
    return checker;
  },
};
