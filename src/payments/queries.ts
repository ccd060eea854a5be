import { guard } from '../kernel/guard.js';
import { batchStatement, statement } from '../platform/sql/index.js';

export interface PaymentRow {
  id: string;
  userId: string;
  concertId: string;
  /** JSON: a `Snapshot`. */
  receipt: string;
  paidAtMs: number;
  refundedAtMs: number | null;
}

const COLUMNS = `id, user_id AS "userId", concert_id AS "concertId", receipt, paid_at AS "paidAtMs", refunded_at AS "refundedAtMs"`;

/** `reservation_id` is unique: the last guard against paying one reservation twice. */
export const insertPayments = batchStatement(
  'insert_payments',
  {
    id: 'text',
    number: 'text',
    reservation_id: 'text',
    user_id: 'text',
    concert_id: 'text',
    amount: 'bigint',
    receipt: 'text',
    paid_at: 'bigint',
  },
  ({
    row,
    from,
  }) => `INSERT INTO payments (id, number, reservation_id, user_id, concert_id, amount, receipt, paid_at)
   SELECT ${row.id}, ${row.number}, ${row.reservation_id}, ${row.user_id}, ${row.concert_id}, ${row.amount}, ${row.receipt},
     ${row.paid_at}${from}`,
);

/** Check and update are one statement: of two concurrent refunds, the second finds no row. */
export const markRefunded = statement<[id: string, nowMs: number], PaymentRow>(
  'mark_refunded',
  () => `UPDATE payments SET refunded_at = $2
   WHERE id = $1 AND ${guard('refund-once', 'refunded_at IS NULL')} RETURNING ${COLUMNS}`,
);

export const findPayment = statement<[id: string], PaymentRow>(
  'find_payment',
  `SELECT ${COLUMNS} FROM payments WHERE id = $1`,
);

export const findPaymentOf = statement<[reservationId: string], PaymentRow>(
  'find_payment_of',
  `SELECT ${COLUMNS} FROM payments WHERE reservation_id = $1`,
);

/** `concertId` limits the list to one concert; null: all. */
export const listPaymentsOf = statement<
  [userId: string, beforeMs: number, beforeId: string, limit: number, concertId: string | null],
  PaymentRow
>(
  'list_payments_of',
  `SELECT ${COLUMNS} FROM payments WHERE user_id = $1 AND (paid_at, id) < ($2, $3)
     AND (CAST($5 AS TEXT) IS NULL OR concert_id = $5)
   ORDER BY paid_at DESC, id DESC LIMIT $4`,
);
