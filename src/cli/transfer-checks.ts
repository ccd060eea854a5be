import type { TransferCheck } from '../platform/sql/index.js';

/** As text, because a sum may exceed the range of a JavaScript number. */
const sumOf = (table: string, column: string): TransferCheck => ({
  table,
  what: `the sum of ${column}`,
  question: `SELECT CAST(sum(${column}) AS TEXT) FROM ${table}`,
});

/** Totals that must be equal after the transfer, in addition to every row: money, seats and queues. */
export const SALE_CHECKS: readonly TransferCheck[] = [
  sumOf('wallets', 'balance'),
  sumOf('wallet_entries', 'amount'),
  sumOf('payments', 'amount'),
  {
    table: 'payments',
    what: 'the refunds',
    question:
      'SELECT concert_id, count(*), CAST(sum(amount) AS TEXT) FROM payments WHERE refunded_at IS NOT NULL GROUP BY concert_id',
  },
  {
    table: 'seats',
    what: 'the number of seats by status',
    question: 'SELECT schedule_id, status, count(*) FROM seats GROUP BY schedule_id, status',
  },
  {
    table: 'queues',
    what: 'the last and the admitted queue number',
    question: 'SELECT concert_id, last_number, admitted_through, admitted_count FROM queues',
  },
  {
    table: 'places',
    what: 'the number of places by status',
    question: 'SELECT concert_id, status, count(*) FROM places GROUP BY concert_id, status',
  },
  {
    table: 'audit_entries',
    what: 'the number of entries by action',
    question: 'SELECT concert_id, action, count(*) FROM audit_entries GROUP BY concert_id, action',
  },
  {
    table: 'samples',
    what: 'the number and the last time',
    question: 'SELECT concert_id, count(*), max(taken_at) FROM samples GROUP BY concert_id',
  },
];

/** No request could be seen during the transfer: restarts the idle time of ACTIVE places, but not their lifetime. */
export const RESET_LAST_SEEN = `UPDATE places SET last_seen_at = CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)
  WHERE status = 'ACTIVE'`;
