import { statement } from '../../platform/sql/index.js';
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
export type SearchParams = [...ListParams, pattern: string, scanMax: number];

const BUYER = `u.id AS "buyerId", u.email AS "buyerEmail", u.name AS "buyerName"`;

/** A LIKE pattern for texts that contain `part`, with LIKE's own wildcards escaped. */
export const likePattern = (part: string): string => `%${part.replace(/[!%_]/g, '!$&')}%`;

const matches = (column: string): string => `lower(${column}) LIKE lower(CAST($5 AS TEXT)) ESCAPE '!'`;

/** Matches the buyer's e-mail address or name, the receipt number, or the labels of the seats. */
const MATCHES_SEARCH = `(${['u.email', 'u.name', 'p.number', 'r.seat_labels'].map(matches).join(' OR ')})`;

/** The next reservations or payments of a concert, newest first. */
const newest = (table: 'reservations' | 'payments', time: string, limit: string): string =>
  `SELECT * FROM ${table} WHERE concert_id = $1 AND (${time}, id) < ($2, $3) ORDER BY ${time} DESC, id DESC LIMIT ${limit}`;

const reservations = (rows: string, condition: string): string =>
  `SELECT r.id, r.user_id AS "userId", r.concert_id AS "concertId", r.schedule_id AS "scheduleId", r.seats, r.amount,
     r.currency, r.consume_on AS "consumeOn", r.status, r.created_at AS "createdAtMs", r.expires_at AS "expiresAtMs", ${BUYER}
   FROM (${rows}) AS r JOIN users u ON u.id = r.user_id LEFT JOIN payments p ON p.reservation_id = r.id
   WHERE ${condition} ORDER BY r.created_at DESC, r.id DESC LIMIT $4`;

const payments = (rows: string, condition: string): string =>
  `SELECT p.id, p.receipt, p.paid_at AS "paidAtMs", p.refunded_at AS "refundedAtMs", ${BUYER}
   FROM (${rows}) AS p JOIN users u ON u.id = p.user_id JOIN reservations r ON r.id = p.reservation_id
   WHERE ${condition} ORDER BY p.paid_at DESC, p.id DESC LIMIT $4`;

/** The last row that a search over `scanMax` rows has looked at. No row: it has reached the oldest one. */
const scanEnd = (table: 'reservations' | 'payments', time: string): string =>
  `SELECT ${time} AS "timeMs", id FROM ${table} WHERE concert_id = $1 AND (${time}, id) < ($2, $3)
   ORDER BY ${time} DESC, id DESC LIMIT 1 OFFSET CAST($4 AS BIGINT) - 1`;

export interface ScanEndRow {
  timeMs: number;
  id: string;
}
export type ScanEndParams = [concertId: string, beforeMs: number, beforeId: string, scanMax: number];

export const listReservationsOfConcert = statement<ListParams, SoldReservationRow>(
  'list_reservations_of_concert',
  reservations(newest('reservations', 'created_at', '$4'), 'TRUE'),
);

export const searchReservationsOfConcert = statement<SearchParams, SoldReservationRow>(
  'search_reservations_of_concert',
  reservations(newest('reservations', 'created_at', '$6'), MATCHES_SEARCH),
);

export const findReservationScanEnd = statement<ScanEndParams, ScanEndRow>(
  'find_reservation_scan_end',
  scanEnd('reservations', 'created_at'),
);

export const listPaymentsOfConcert = statement<ListParams, SoldPaymentRow>(
  'list_payments_of_concert',
  payments(newest('payments', 'paid_at', '$4'), 'TRUE'),
);

export const searchPaymentsOfConcert = statement<SearchParams, SoldPaymentRow>(
  'search_payments_of_concert',
  payments(newest('payments', 'paid_at', '$6'), MATCHES_SEARCH),
);

export const findPaymentScanEnd = statement<ScanEndParams, ScanEndRow>(
  'find_payment_scan_end',
  scanEnd('payments', 'paid_at'),
);

/** Refunded payments do not count. */
export const sumRevenue = statement<[concertId: string], { revenue: number }>(
  'sum_revenue',
  `SELECT coalesce(sum(amount), 0) AS revenue FROM payments WHERE concert_id = $1 AND refunded_at IS NULL`,
);
