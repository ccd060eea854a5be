import { keep } from './broken.js';
import type { Entry, Tables } from './tables.js';
import type { Window } from './window.js';

/** Wallets, entries and payments by the tables alone. */
export function checkMoney({ wallets, entries, payments, reservations }: Tables): void {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const entry of entries) {
    const so = sums.get(entry.userId) ?? { sum: 0, count: 0 };
    const follows = so.sum + entry.amount === entry.balanceAfter && so.count + 1 === entry.position;
    keep('each entry follows from the one before', follows, () => entry);
    keep('a balance is never below zero', entry.balanceAfter >= 0, () => entry);
    sums.set(entry.userId, { sum: entry.balanceAfter, count: entry.position });
  }
  for (const { userId, balance, entryCount } of wallets.values()) {
    const { sum, count } = sums.get(userId) ?? { sum: 0, count: 0 };
    keep('a balance is never below zero', balance >= 0, () => [userId, balance]);
    keep('a balance is the sum of its entries', balance === sum && entryCount === count, () => [
      userId,
      { balance, sum, entryCount, count },
    ]);
  }
  const total = (list: Iterable<number>): number => [...list].reduce((sum, amount) => sum + amount, 0);
  const charged = total(entries.filter(({ type }) => type === 'CHARGE').map(({ amount }) => amount));
  const kept = total([...wallets.values()].map(({ balance }) => balance));
  const sold = [...payments.values()].filter(({ refundedAtMs }) => refundedAtMs === null);
  const revenue = total(sold.map(({ amount }) => amount));
  keep('no money is made or lost', charged === kept + revenue, () => ({ charged, kept, revenue }));

  const paid = new Set<string>();
  for (const payment of payments.values()) {
    const { id, userId, amount, reservationId, refundedAtMs } = payment;
    const reservation = reservations.get(reservationId);
    keep('a reservation is paid once', !paid.has(reservationId), () => payment);
    paid.add(reservationId);
    const mine = entries.filter((entry) => entry.reference === id && entry.userId === userId);
    const entryOf = (type: Entry['type'], moved: number): number =>
      mine.filter((entry) => entry.type === type && entry.amount === moved).length;
    const isBooked =
      entryOf('PAYMENT', -amount) === 1 && entryOf('REFUND', amount) === (refundedAtMs === null ? 0 : 1);
    keep('a payment has its one debit', isBooked, () => [payment, ...mine]);
    const isInTime =
      reservation?.userId === userId &&
      reservation.amount === amount &&
      payment.paidAtMs < reservation.expiresAtMs;
    keep('a hold is not paid after its end', isInTime, () => [payment, reservation]);
  }
  const debits = entries.filter(({ type }) => type !== 'CHARGE');
  const isPaid = debits.every(({ reference }) => reference !== null && payments.has(reference));
  keep('no debit without a receipt', isPaid, () => debits);
}

/** Money moved only because somebody asked for it. */
export function checkMoneyMoved({ before, after, books }: Window): void {
  const size = after.entries.filter(({ type }) => type === 'CHARGE');
  for (const { userId, amount } of size) {
    const asked = books.count(
      (request) =>
        request.wish.kind === 'charge' && request.userId === userId && request.wish.amount === amount,
    );
    const charged = size.filter((entry) => entry.userId === userId && entry.amount === amount).length;
    keep('nothing is charged that nobody asked for', charged <= asked, () => [userId, amount]);
  }
  for (const payment of after.payments.values()) {
    const old = before.payments.get(payment.id);
    if (old) {
      const isSame = old.receipt === payment.receipt && old.paidAtMs === payment.paidAtMs;
      keep('a receipt never changes', isSame, () => [old, payment]);
    }
    const isAsked = books.count(
      ({ userId, wish }) =>
        wish.kind === 'pay' && wish.reservation.id === payment.reservationId && userId === payment.userId,
    );
    keep('nothing is paid that nobody asked for', isAsked > 0, () => payment);
    const isRefundAsked = books.count(({ wish }) => wish.kind === 'refund' && wish.payment.id === payment.id);
    keep(
      'nothing is refunded that nobody asked for',
      payment.refundedAtMs === null || isRefundAsked > 0,
      () => payment,
    );
  }
  for (const id of before.payments.keys()) keep('receipts do not vanish', after.payments.has(id), () => id);
}
