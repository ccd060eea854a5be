import { checkInvariant } from './invariant-violation.js';
import type { Entry, Tables } from './tables.js';
import type { ObservedBurst } from './observed-burst.js';

/** Wallets, entries and payments at one moment: invariants of the tables alone. */
export function checkMoney({ wallets, entries, payments, reservations }: Tables): void {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const entry of entries) {
    const previous = sums.get(entry.userId) ?? { sum: 0, count: 0 };
    const isContinued =
      previous.sum + entry.amount === entry.balanceAfter && previous.count + 1 === entry.position;
    checkInvariant('each wallet entry continues from the one before', isContinued, () => entry);
    checkInvariant('a balance is never negative', entry.balanceAfter >= 0, () => entry);
    sums.set(entry.userId, { sum: entry.balanceAfter, count: entry.position });
  }
  for (const { userId, balance, entryCount } of wallets.values()) {
    const { sum, count } = sums.get(userId) ?? { sum: 0, count: 0 };
    checkInvariant('a balance is never negative', balance >= 0, () => [userId, balance]);
    checkInvariant('a balance is the sum of its entries', balance === sum && entryCount === count, () => [
      userId,
      { balance, sum, entryCount, count },
    ]);
  }
  const total = (list: Iterable<number>): number => [...list].reduce((sum, amount) => sum + amount, 0);
  const charged = total(entries.filter(({ type }) => type === 'CHARGE').map(({ amount }) => amount));
  const balances = total([...wallets.values()].map(({ balance }) => balance));
  const sold = [...payments.values()].filter(({ refundedAtMs }) => refundedAtMs === null);
  const revenue = total(sold.map(({ amount }) => amount));
  checkInvariant('charges equal balances plus revenue', charged === balances + revenue, () => ({
    charged,
    balances,
    revenue,
  }));

  const paid = new Set<string>();
  for (const payment of payments.values()) {
    const { id, userId, amount, reservationId, refundedAtMs } = payment;
    const reservation = reservations.get(reservationId);
    checkInvariant('a reservation is paid at most once', !paid.has(reservationId), () => payment);
    paid.add(reservationId);
    const ownEntries = entries.filter((entry) => entry.reference === id && entry.userId === userId);
    const countEntries = (type: Entry['type'], entryAmount: number): number =>
      ownEntries.filter((entry) => entry.type === type && entry.amount === entryAmount).length;
    const hasEntries =
      countEntries('PAYMENT', -amount) === 1 &&
      countEntries('REFUND', amount) === (refundedAtMs === null ? 0 : 1);
    checkInvariant('a payment has exactly one debit', hasEntries, () => [payment, ...ownEntries]);
    const isInTime =
      reservation?.userId === userId &&
      reservation.amount === amount &&
      payment.paidAtMs < reservation.expiresAtMs;
    checkInvariant('an expired hold cannot be paid', isInTime, () => [payment, reservation]);
  }
  const debits = entries.filter(({ type }) => type !== 'CHARGE');
  const isPaid = debits.every(({ reference }) => reference !== null && payments.has(reference));
  checkInvariant('every debit belongs to a payment', isPaid, () => debits);
}

/** Every change of money in a burst was requested. */
export function checkMoneyChanges({ before, after, log }: ObservedBurst): void {
  const charges = after.entries.filter(({ type }) => type === 'CHARGE');
  for (const { userId, amount } of charges) {
    const requested = log.countRequests(
      (request) =>
        request.operation.kind === 'charge' &&
        request.userId === userId &&
        request.operation.amount === amount,
    );
    const charged = charges.filter((entry) => entry.userId === userId && entry.amount === amount).length;
    checkInvariant('every charge was requested', charged <= requested, () => [userId, amount]);
  }
  for (const payment of after.payments.values()) {
    const old = before.payments.get(payment.id);
    if (old) {
      const isSame = old.receipt === payment.receipt && old.paidAtMs === payment.paidAtMs;
      checkInvariant('a receipt never changes', isSame, () => [old, payment]);
    }
    const payRequests = log.countRequests(
      ({ userId, operation }) =>
        operation.kind === 'pay' &&
        operation.reservation.id === payment.reservationId &&
        userId === payment.userId,
    );
    checkInvariant('every payment was requested', payRequests > 0, () => payment);
    const refundRequests = log.countRequests(
      ({ operation }) => operation.kind === 'refund' && operation.payment.id === payment.id,
    );
    checkInvariant(
      'every refund was requested',
      payment.refundedAtMs === null || refundRequests > 0,
      () => payment,
    );
  }
  for (const id of before.payments.keys())
    checkInvariant('payments are never deleted', after.payments.has(id), () => id);
}
