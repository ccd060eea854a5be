/** Invariants of money: wallets, payments, receipts and idempotency keys. */
import { Checker, groupBy, type Invariant, isOk, succeeded, userOf } from './evidence.js';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const moneyAddsUp: Invariant = {
  name: 'money',
  description:
    'no balance is negative, each is the sum of its entries, and all charges = all balances + revenue',
  check(evidence) {
    const { state } = evidence;
    const checker = new Checker();
    const entriesOf = groupBy(state.entries, (entry) => entry.user_id);
    const paying = groupBy(succeeded(evidence, 'pay'), (call) => userOf(evidence, call));
    for (const { user_id: userId, balance } of state.wallets) {
      const entries = entriesOf.get(userId) ?? [];
      const calls = paying.get(userId) ?? [];
      const total = sum(entries.map(({ amount }) => amount));
      checker.expect(
        balance === total,
        () => `the wallet of user ${userId} has ${balance}, the sum of its entries is ${total}`,
        ...calls,
      );
      let before = 0;
      for (const [index, entry] of entries.entries()) {
        const { amount, balance_after: after, position } = entry;
        checker.expect(
          after === before + amount && after >= 0 && position === index + 1,
          () => `entry ${position} of user ${userId}: ${before} + ${amount} became ${after}`,
          ...calls,
        );
        before = after;
      }
    }
    const charged = sum(state.entries.filter(({ type }) => type === 'CHARGE').map(({ amount }) => amount));
    const balances = sum(state.wallets.map(({ balance }) => balance));
    const kept = state.payments.filter((payment) => payment.refunded_at === null);
    const revenue = sum(kept.map(({ amount }) => amount));
    checker.expect(
      charged === balances + revenue,
      () => `${charged} was charged, but balances are ${balances} and payments are ${revenue}`,
    );
    return checker;
  },
};

export const receiptsMatch: Invariant = {
  name: 'receipts',
  description: 'receipts and payments match one to one',
  check(evidence) {
    const { state } = evidence;
    const checker = new Checker();
    const reservations = new Map(state.reservations.map((row) => [row.id, row]));
    const debits = groupBy(
      state.entries.filter(({ type }) => type === 'PAYMENT'),
      ({ reference }) => reference ?? '',
    );
    const ofReservation = groupBy(state.payments, (row) => row.reservation_id);
    const numbers = groupBy(state.payments, ({ number }) => number);
    const answered = groupBy(succeeded(evidence, 'pay'), ({ observed }) => observed.payment?.id);
    for (const payment of state.payments) {
      const { id, amount, number, user_id: userId } = payment;
      const reservation = reservations.get(payment.reservation_id);
      const [debit, ...more] = debits.get(id) ?? [];
      const receipt = JSON.parse(payment.receipt) as unknown;
      const calls = answered.get(id) ?? [];
      checker.expect(
        reservation?.status === (payment.refunded_at === null ? 'CONFIRMED' : 'CANCELLED') &&
          reservation.user_id === userId &&
          reservation.amount === amount,
        () => `payment ${id} does not match its reservation ${payment.reservation_id}`,
        ...calls,
      );
      checker.expect(
        debit?.amount === -amount && debit.user_id === userId && more.length === 0,
        () =>
          `payment ${id} of ${amount} has ${more.length + (debit ? 1 : 0)} debits: ${String(debit?.amount)}`,
        ...calls,
      );
      checker.expect(
        ofReservation.get(payment.reservation_id)?.length === 1 && numbers.get(number)?.length === 1,
        () =>
          `reservation ${payment.reservation_id} was paid twice, or receipt number ${number} was used twice`,
        ...calls,
      );
      for (const call of calls) {
        const shown = JSON.parse(call.responseText) as Record<string, unknown>;
        delete shown['refundedAt'];
        checker.expect(
          JSON.stringify(shown) === JSON.stringify(receipt),
          () => `the stored receipt of payment ${id} differs from the response`,
          call,
        );
      }
    }
    const paymentIds = new Set(state.payments.map(({ id }) => id));
    for (const id of debits.keys())
      checker.expect(paymentIds.has(id), () => `there is a debit for ${id}, which is not a payment`);
    return checker;
  },
};

export const sameKeySameResponse: Invariant = {
  name: 'same-key',
  description: 'an idempotency key has one response and one effect',
  check({ byKey }) {
    const checker = new Checker();
    const effects = new Map<string, string>();
    for (const [key, calls] of byKey) {
      const known = calls.filter(({ outcome }) => outcome !== 'unknown');
      const texts = new Set(known.map(({ responseText }) => responseText));
      checker.expect(texts.size <= 1, () => `key ${key} had ${texts.size} different responses`, ...known);
      const first = known.find(isOk);
      if (!first) continue;
      // Paying or refunding again returns the first result, whatever the key.
      const { reservation, entry } = first.observed;
      const effect = reservation?.id ?? entry?.id;
      if (effect === undefined) continue;
      const other = effects.get(effect);
      checker.expect(
        other === undefined,
        () => `keys ${String(other)} and ${key} had the same effect`,
        first,
      );
      effects.set(effect, key);
    }
    return checker;
  },
};
