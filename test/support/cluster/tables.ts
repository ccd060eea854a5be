import { expect } from 'vitest';
import { psql } from '../postgres/index.js';

/** States that the tables must never contain, whatever has failed. Each query returns the rows in that state. */
const INCONSISTENCIES: Readonly<Record<string, string>> = {
  'balances that are not the sum of their entries': `SELECT user_id FROM wallets w WHERE balance < 0 OR balance <>
     (SELECT coalesce(sum(amount), 0) FROM wallet_entries e WHERE e.user_id = w.user_id)`,
  'wallets whose entry count is wrong': `SELECT user_id FROM wallets w WHERE entry_count <>
     (SELECT count(*) FROM wallet_entries e WHERE e.user_id = w.user_id)`,
  'entries whose balance does not follow from the previous entry': `SELECT user_id FROM (SELECT user_id, balance_after, amount,
     coalesce(lag(balance_after) OVER (PARTITION BY user_id ORDER BY position), 0) AS before FROM wallet_entries) e
     WHERE balance_after <> before + amount`,
  'charges that are not the sum of balances and payments': `SELECT 'charges ' || charged || ', balances ' || kept || ', payments ' || paid FROM
     (SELECT coalesce(sum(amount), 0) AS charged FROM wallet_entries WHERE type = 'CHARGE') c,
     (SELECT coalesce(sum(balance), 0) AS kept FROM wallets) w,
     (SELECT coalesce(sum(amount), 0) AS paid FROM payments WHERE refunded_at IS NULL) p WHERE charged <> kept + paid`,
  'payments without their one debit': `SELECT p.id FROM payments p WHERE 1 <> (SELECT count(*) FROM wallet_entries e
     WHERE e.reference = p.id AND e.type = 'PAYMENT' AND e.amount = -p.amount AND e.user_id = p.user_id)`,
  'debits without their payment': `SELECT e.id FROM wallet_entries e WHERE e.type = 'PAYMENT'
     AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.id = e.reference)`,
  'refunded payments without their one entry, or entries without their refund': `SELECT p.id FROM payments p
     WHERE (p.refunded_at IS NOT NULL)::int <> (SELECT count(*) FROM wallet_entries e
       WHERE e.reference = p.id AND e.type = 'REFUND' AND e.amount = p.amount AND e.user_id = p.user_id)`,
  'sold seats without the one confirmed and paid reservation they name': `SELECT s.id FROM seats s
     WHERE s.status = 'SOLD' AND 1 <> (SELECT count(*) FROM reservations r JOIN payments p ON p.reservation_id = r.id
       WHERE r.id = s.reservation_id AND r.status = 'CONFIRMED')`,
  'seats in two confirmed reservations': `SELECT seat ->> 'id' FROM reservations r, json_array_elements(r.seats::json) seat
     WHERE r.status = 'CONFIRMED' GROUP BY seat ->> 'id' HAVING count(*) > 1`,
  'reservations that do not have their seats': `SELECT r.id FROM reservations r WHERE r.status IN ('CONFIRMED', 'HELD')
     AND seat_count <> (SELECT count(*) FROM seats s WHERE s.reservation_id = r.id
       AND s.status = CASE r.status WHEN 'HELD' THEN 'HELD' ELSE 'SOLD' END)`,
  'held seats of a reservation that is not held': `SELECT s.id FROM seats s LEFT JOIN reservations r ON r.id = s.reservation_id
     WHERE s.status = 'HELD' AND r.status IS DISTINCT FROM 'HELD'`,
  'reservations confirmed but not paid, or paid but not confirmed': `SELECT r.id FROM reservations r
     WHERE (r.status = 'CONFIRMED') <> (1 = (SELECT count(*) FROM payments p WHERE p.reservation_id = r.id AND p.refunded_at IS NULL))`,
  'two live places of one user': `SELECT user_id FROM places WHERE status IN ('WAITING', 'ACTIVE')
     GROUP BY user_id, concert_id HAVING count(*) > 1`,
  'queue numbers that are missing or assigned twice': `SELECT r.concert_id FROM queues r LEFT JOIN places p USING (concert_id)
     GROUP BY r.concert_id, r.last_number
     HAVING count(p.number) <> r.last_number OR count(DISTINCT p.number) <> r.last_number
       OR coalesce(min(p.number), 1) <> 1 OR coalesce(max(p.number), 0) <> r.last_number`,
  'queue numbers that are not in the order of joining': `SELECT number FROM (SELECT number, joined_at, lag(joined_at)
     OVER (PARTITION BY concert_id ORDER BY number) AS before FROM places) p WHERE joined_at < before`,
  'waiting places ahead of admitted ones': `SELECT number FROM places JOIN queues USING (concert_id)
     WHERE status = 'WAITING' AND number <= admitted_through`,
  'more ACTIVE places than maxActive': `SELECT r.concert_id FROM queues r WHERE r.max_active <
     (SELECT count(*) FROM places p WHERE p.concert_id = r.concert_id AND p.status = 'ACTIVE')`,
};

/** The tables are consistent with each other, according to queries that do not go through Foyer. */
export async function expectConsistentTables(databaseUrl: string): Promise<void> {
  const queries = Object.entries(INCONSISTENCIES).map(
    ([what, sql]) => `SELECT '${what}', count(*), min(x::text) FROM (${sql}) x HAVING count(*) > 0;`,
  );
  expect(await psql(databaseUrl, queries.join('\n'))).toBe('');
}

/** The rows of a query, converted through JSON. */
export async function queryRows<Row>(databaseUrl: string, sql: string): Promise<Row[]> {
  return JSON.parse(await psql(databaseUrl, `SELECT coalesce(json_agg(x), '[]') FROM (${sql}) x`)) as Row[];
}

/** The current time of the database clock. */
export const databaseTimeMs = async (databaseUrl: string): Promise<number> =>
  Number(await psql(databaseUrl, 'SELECT round(extract(epoch FROM clock_timestamp()) * 1000)'));
