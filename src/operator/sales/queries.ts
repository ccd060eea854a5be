import { type Dialect, statement } from '../../platform/sql/index.js';
import type { ReservationRow } from '../../reservations/index.js';

interface BuyerColumns {
  buyerId: string;
  buyerEmail: string;
  buyerName: string;
}

export type SoldReservationRow = ReservationRow & BuyerColumns;
export type SoldPaymentRow = {
  id: string;
  receipt: string;
  paidAtMs: number;
  refundedAtMs: number | null;
} & BuyerColumns;

export type ListParams = [concertId: string, beforeMs: number, beforeId: string, limit: number];
export type SearchParams = [...ListParams, pattern: string];

const BUYER = `u.id AS "buyerId", u.email AS "buyerEmail", u.name AS "buyerName"`;

/** A LIKE pattern for texts that contain `part`, with LIKE's own wildcards escaped. */
export const likePattern = (part: string): string => `%${part.replace(/[!%_]/g, '!$&')}%`;

const matches = (column: string): string => `lower(${column}) LIKE lower(CAST($5 AS TEXT)) ESCAPE '!'`;

/** Matches the buyer's e-mail address or name, the receipt number, or the label of a seat. */
const matchesSearch = (
  dialect: Dialect,
): string => `(${matches('u.email')} OR ${matches('u.name')} OR ${matches('p.number')}
   OR EXISTS (SELECT 1 FROM ${dialect.rows('r.seats', { label: 'text' })} AS s WHERE ${matches('s.label')}))`;

const reservations = (condition: string): string =>
  `SELECT r.id, r.user_id AS "userId", r.concert_id AS "concertId", r.schedule_id AS "scheduleId", r.seats, r.amount,
     r.currency, r.consume_on AS "consumeOn", r.status, r.created_at AS "createdAtMs", r.expires_at AS "expiresAtMs", ${BUYER}
   FROM reservations r JOIN users u ON u.id = r.user_id LEFT JOIN payments p ON p.reservation_id = r.id
   WHERE r.concert_id = $1 AND (r.created_at, r.id) < ($2, $3) AND ${condition}
   ORDER BY r.created_at DESC, r.id DESC LIMIT $4`;

const payments = (condition: string): string =>
  `SELECT p.id, p.receipt, p.paid_at AS "paidAtMs", p.refunded_at AS "refundedAtMs", ${BUYER}
   FROM payments p JOIN users u ON u.id = p.user_id JOIN reservations r ON r.id = p.reservation_id
   WHERE p.concert_id = $1 AND (p.paid_at, p.id) < ($2, $3) AND ${condition}
   ORDER BY p.paid_at DESC, p.id DESC LIMIT $4`;

export const listReservationsOfConcert = statement<ListParams, SoldReservationRow>(
  'list_reservations_of_concert',
  reservations('TRUE'),
);

export const searchReservationsOfConcert = statement<SearchParams, SoldReservationRow>(
  'search_reservations_of_concert',
  (dialect) => reservations(matchesSearch(dialect)),
);

export const listPaymentsOfConcert = statement<ListParams, SoldPaymentRow>(
  'list_payments_of_concert',
  payments('TRUE'),
);

export const searchPaymentsOfConcert = statement<SearchParams, SoldPaymentRow>(
  'search_payments_of_concert',
  (dialect) => payments(matchesSearch(dialect)),
);

/** Refunded payments do not count. */
export const sumRevenue = statement<[concertId: string], { revenue: number }>(
  'sum_revenue',
  `SELECT coalesce(sum(amount), 0) AS revenue FROM payments WHERE concert_id = $1 AND refunded_at IS NULL`,
);
