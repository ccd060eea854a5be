import { groupBy, Inquiry, isOk, okOf, type Pledge } from './evidence.js';

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const moneyAddsUp: Pledge = {
  name: 'money',
  says: 'balances are never below zero, each is the sum of its entries, and all wallets and revenue are all charges',
  check(evidence) {
    const { state, sale } = evidence;
    const inquiry = new Inquiry();
    const entriesOf = groupBy(state.entries, (entry) => entry.user_id);
    const paying = groupBy(okOf(evidence, 'pay'), ({ fan }) => sale.people[fan]?.userId);
    for (const { user_id: userId, balance } of state.wallets) {
      const entries = entriesOf.get(userId) ?? [];
      const calls = paying.get(userId) ?? [];
      const total = sum(entries.map(({ amount }) => amount));
      inquiry.expect(
        balance === total,
        () => `the wallet of ${userId} has ${balance}, its entries say ${total}`,
        ...calls,
      );
      let before = 0;
      for (const [index, entry] of entries.entries()) {
        const { amount, balance_after: after, position } = entry;
        inquiry.expect(
          after === before + amount && after >= 0 && position === index + 1,
          () => `entry ${position} of ${userId} leads from ${before} by ${amount} to ${after}`,
          ...calls,
        );
        before = after;
      }
    }
    const charged = sum(state.entries.filter(({ type }) => type === 'CHARGE').map(({ amount }) => amount));
    const kept = sum(state.wallets.map(({ balance }) => balance));
    const revenue = sum(state.payments.map(({ amount }) => amount));
    inquiry.expect(
      charged === kept + revenue,
      () => `${charged} was charged, and ${kept} in wallets with ${revenue} in payments is something else`,
    );
    return inquiry;
  },
};

export const receiptsMatch: Pledge = {
  name: 'receipts',
  says: 'receipts and payments match one to one',
  check(evidence) {
    const { state } = evidence;
    const inquiry = new Inquiry();
    const reservations = new Map(state.reservations.map((row) => [row.id, row]));
    const debits = groupBy(
      state.entries.filter(({ type }) => type === 'PAYMENT'),
      ({ reference }) => reference ?? '',
    );
    const ofReservation = groupBy(state.payments, (row) => row.reservation_id);
    const numbers = groupBy(state.payments, ({ number }) => number);
    const answered = groupBy(okOf(evidence, 'pay'), ({ saw }) => saw.payment?.id);
    for (const payment of state.payments) {
      const { id, amount, number, user_id: userId } = payment;
      const reservation = reservations.get(payment.reservation_id);
      const [debit, ...more] = debits.get(id) ?? [];
      const receipt = JSON.parse(payment.receipt) as unknown;
      const calls = answered.get(id) ?? [];
      inquiry.expect(
        reservation?.status === 'CONFIRMED' &&
          reservation.user_id === userId &&
          reservation.amount === amount,
        () => `payment ${id} does not fit its reservation ${payment.reservation_id}`,
        ...calls,
      );
      inquiry.expect(
        debit?.amount === -amount && debit.user_id === userId && more.length === 0,
        () =>
          `payment ${id} of ${amount} has ${more.length + (debit ? 1 : 0)} debits: ${String(debit?.amount)}`,
        ...calls,
      );
      inquiry.expect(
        ofReservation.get(payment.reservation_id)?.length === 1 && numbers.get(number)?.length === 1,
        () =>
          `reservation ${payment.reservation_id} was paid more than once, or receipt ${number} given twice`,
        ...calls,
      );
      for (const call of calls) {
        const shown = JSON.parse(call.text) as Record<string, unknown>;
        delete shown['refundedAt'];
        inquiry.expect(
          JSON.stringify(shown) === JSON.stringify(receipt),
          () => `the receipt of payment ${id} is not what was answered`,
          call,
        );
      }
    }
    const paymentIds = new Set(state.payments.map(({ id }) => id));
    for (const id of debits.keys())
      inquiry.expect(paymentIds.has(id), () => `a debit for ${id}, which is no payment`);
    return inquiry;
  },
};

export const sameKeySameAnswer: Pledge = {
  name: 'same-key',
  says: 'the same key is answered the same, and has one effect',
  check({ byKey }) {
    const inquiry = new Inquiry();
    const effects = new Map<string, string>();
    for (const [key, calls] of byKey) {
      const known = calls.filter(({ outcome }) => outcome !== 'unknown');
      const texts = new Set(known.map(({ text }) => text));
      inquiry.expect(texts.size <= 1, () => `key ${key} had ${texts.size} different answers`, ...known);
      const first = known.find(isOk);
      if (!first) continue;
      // Paying again what is paid answers its receipt, under whatever key.
      const { reservation, entry } = first.saw;
      const effect = first.wish.what === 'pay' ? undefined : (reservation?.id ?? entry?.id);
      if (effect === undefined) continue;
      const other = effects.get(effect);
      inquiry.expect(
        other === undefined,
        () => `keys ${String(other)} and ${key} had the same effect`,
        first,
      );
      effects.set(effect, key);
    }
    return inquiry;
  },
};
