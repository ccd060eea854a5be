import { statement } from '../platform/sql/index.js';
import type { ReservationRow } from '../reservations/index.js';

interface BuyerColumns {
  buyerId: string;
  buyerEmail: string;
  buyerName: string;
}

export type SoldReservationRow = ReservationRow & BuyerColumns;
export type SoldPaymentRow = { id: string; receipt: string; paidAtMs: number } & BuyerColumns;

const BUYER = `u.id AS "buyerId", u.email AS "buyerEmail", u.name AS "buyerName"`;

export const listReservationsOfConcert = statement<
  [concertId: string, beforeMs: number, beforeId: string, limit: number],
  SoldReservationRow
>(
  'list_reservations_of_concert',
  `SELECT r.id, r.user_id AS "userId", r.concert_id AS "concertId", r.schedule_id AS "scheduleId", r.seats, r.amount,
     r.currency, r.consume_on AS "consumeOn", r.status, r.created_at AS "createdAtMs", r.expires_at AS "expiresAtMs", ${BUYER}
   FROM reservations r JOIN users u ON u.id = r.user_id
   WHERE r.concert_id = $1 AND (r.created_at, r.id) < ($2, $3) ORDER BY r.created_at DESC, r.id DESC LIMIT $4`,
);

export const listPaymentsOfConcert = statement<
  [concertId: string, beforeMs: number, beforeId: string, limit: number],
  SoldPaymentRow
>(
  'list_payments_of_concert',
  `SELECT p.id, p.receipt, p.paid_at AS "paidAtMs", ${BUYER}
   FROM payments p JOIN users u ON u.id = p.user_id
   WHERE p.concert_id = $1 AND (p.paid_at, p.id) < ($2, $3) ORDER BY p.paid_at DESC, p.id DESC LIMIT $4`,
);

export const sumRevenue = statement<[concertId: string], { revenue: number }>(
  'sum_revenue',
  `SELECT coalesce(sum(amount), 0) AS revenue FROM payments WHERE concert_id = $1`,
);
