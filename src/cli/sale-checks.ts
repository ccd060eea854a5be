import type { MoveCheck } from '../platform/sql/index.js';

/** Sums are compared as texts: they may have more digits than a number holds. */
const sumOf = (table: string, column: string): MoveCheck => ({
  table,
  what: `the sum of ${column}`,
  question: `SELECT CAST(sum(${column}) AS TEXT) FROM ${table}`,
});

/** What a sale must have kept when it has been moved, beside every single row: the money, the seats and the lines. */
export const SALE_CHECKS: readonly MoveCheck[] = [
  sumOf('wallets', 'balance'),
  sumOf('wallet_entries', 'amount'),
  sumOf('payments', 'amount'),
  {
    table: 'seats',
    what: 'how many are free, held and sold',
    question: 'SELECT schedule_id, status, count(*) FROM seats GROUP BY schedule_id, status',
  },
  {
    table: 'rooms',
    what: 'how far a line goes and has been admitted',
    question: 'SELECT concert_id, last_number, admitted_through FROM rooms',
  },
  {
    table: 'places',
    what: 'how many wait, are in and are out',
    question: 'SELECT concert_id, status, count(*) FROM places GROUP BY concert_id, status',
  },
];

/** Nobody could be seen while the sale was moved: idling starts anew, the lifetime of a place does not. */
export const SEEN_ANEW = `UPDATE places SET last_seen_at = CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)
  WHERE status = 'ACTIVE'`;
