import type { TransferCheck } from '../platform/sql/index.js';

/** Sums are compared as texts: they may have more digits than a number holds. */
const sumOf = (table: string, column: string): TransferCheck => ({
  table,
  what: `the sum of ${column}`,
  question: `SELECT CAST(sum(${column}) AS TEXT) FROM ${table}`,
});

/** What a sale must have kept when it has been moved, beside every single row: the money, the seats and the lines. */
export const SALE_CHECKS: readonly TransferCheck[] = [
  sumOf('wallets', 'balance'),
  sumOf('wallet_entries', 'amount'),
  sumOf('payments', 'amount'),
  {
    table: 'payments',
    what: 'what was given back',
    question:
      'SELECT concert_id, count(*), CAST(sum(amount) AS TEXT) FROM payments WHERE refunded_at IS NOT NULL GROUP BY concert_id',
  },
  {
    table: 'seats',
    what: 'how many are free, held and sold',
    question: 'SELECT schedule_id, status, count(*) FROM seats GROUP BY schedule_id, status',
  },
  {
    table: 'queues',
    what: 'how far a line goes and has been admitted',
    question: 'SELECT concert_id, last_number, admitted_through, admitted_count FROM queues',
  },
  {
    table: 'places',
    what: 'how many wait, are in and are out',
    question: 'SELECT concert_id, status, count(*) FROM places GROUP BY concert_id, status',
  },
  {
    table: 'audit_entries',
    what: 'how often what was done',
    question: 'SELECT concert_id, action, count(*) FROM audit_entries GROUP BY concert_id, action',
  },
  {
    table: 'samples',
    what: 'how many there are, and up to when',
    question: 'SELECT concert_id, count(*), max(taken_at) FROM samples GROUP BY concert_id',
  },
];

/** Nobody could be seen while the sale was moved: idling starts anew, the lifetime of a place does not. */
export const SEEN_ANEW = `UPDATE places SET last_seen_at = CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)
  WHERE status = 'ACTIVE'`;
