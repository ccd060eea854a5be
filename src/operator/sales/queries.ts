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
/** An empty status or id of a date matches every row. */
export type SearchParams = [
  ...ListParams,
  pattern: string,
  scanMax: number,
  status: string,
  scheduleId: string,
];

const BUYER = `u.id AS "buyerId", u.email AS "buyerEmail", u.name AS "buyerName"`;

/** A LIKE pattern for texts that contain `part`, with LIKE's own wildcards escaped. */
export const likePattern = (part: string): string => `%${part.replace(/[!%_]/g, '!$&')}%`;

const matches = (column: string): string => `lower(${column}) LIKE lower(CAST($5 AS TEXT)) ESCAPE '!'`;

/** Matches the buyer's e-mail address or name, the receipt number, or the labels of the seats. */
const MATCHES_SEARCH = `(${['u.email', 'u.name', 'p.number', 'r.seat_labels'].map(matches).join(' OR ')})`;

/** The next reservations or payments of a concert, newest first. */
const newest = (table: 'reservations' | 'payments', time: string, limit: string): string =>
  `SELECT * FROM ${table} WHERE concert_id = $1 AND (${time}, id) < ($2, $3) ORDER BY ${time} DESC, id DESC LIMIT ${limit}`;

const reservations = (rows: string, rest: string): string =>
  `SELECT r.id, r.user_id AS "userId", r.concert_id AS "concertId", r.schedule_id AS "scheduleId", r.seats, r.amount,
     r.currency, r.consume_on AS "consumeOn", r.status, r.created_at AS "createdAtMs", r.expires_at AS "expiresAtMs", ${BUYER}
   FROM (${rows}) AS r JOIN users u ON u.id = r.user_id LEFT JOIN payments p ON p.reservation_id = r.id ${rest}`;

const NEWEST_RESERVATIONS_FIRST = `ORDER BY r.created_at DESC, r.id DESC LIMIT $4`;

const payments = (rows: string, rest: string): string =>
  `SELECT p.id, p.receipt, p.paid_at AS "paidAtMs", p.refunded_at AS "refundedAtMs", ${BUYER}
   FROM (${rows}) AS p JOIN users u ON u.id = p.user_id JOIN reservations r ON r.id = p.reservation_id ${rest}`;

const NEWEST_PAYMENTS_FIRST = `ORDER BY p.paid_at DESC, p.id DESC LIMIT $4`;

/** Equals the parameter, or the parameter is empty. */
const isOrAny = (value: string, parameter: string): string =>
  `(CAST(${parameter} AS TEXT) = '' OR ${value} = CAST(${parameter} AS TEXT))`;

/** A hold has expired once its time has passed, whether or not a job has marked it. */
const RESERVATION_STATUS = `CASE WHEN r.status = 'HELD' AND r.expires_at <= CAST($9 AS BIGINT) THEN 'EXPIRED' ELSE r.status END`;
const PAYMENT_STATUS = `CASE WHEN p.refunded_at IS NULL THEN 'PAID' ELSE 'REFUNDED' END`;

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
  reservations(newest('reservations', 'created_at', '$4'), NEWEST_RESERVATIONS_FIRST),
);

export const searchReservationsOfConcert = statement<[...SearchParams, nowMs: number], SoldReservationRow>(
  'search_reservations_of_concert',
  reservations(
    newest('reservations', 'created_at', '$6'),
    `WHERE ${MATCHES_SEARCH} AND ${isOrAny(RESERVATION_STATUS, '$7')} AND ${isOrAny('r.schedule_id', '$8')}
     ${NEWEST_RESERVATIONS_FIRST}`,
  ),
);

export const findReservationOfSeat = statement<[reservationId: string], SoldReservationRow>(
  'find_reservation_of_seat',
  reservations(`SELECT * FROM reservations WHERE id = $1`, ''),
);

export const findReservationScanEnd = statement<ScanEndParams, ScanEndRow>(
  'find_reservation_scan_end',
  scanEnd('reservations', 'created_at'),
);

export const listPaymentsOfConcert = statement<ListParams, SoldPaymentRow>(
  'list_payments_of_concert',
  payments(newest('payments', 'paid_at', '$4'), NEWEST_PAYMENTS_FIRST),
);

export const searchPaymentsOfConcert = statement<SearchParams, SoldPaymentRow>(
  'search_payments_of_concert',
  payments(
    newest('payments', 'paid_at', '$6'),
    `WHERE ${MATCHES_SEARCH} AND ${isOrAny(PAYMENT_STATUS, '$7')} AND ${isOrAny('r.schedule_id', '$8')}
     ${NEWEST_PAYMENTS_FIRST}`,
  ),
);

export const findPaymentOfReservation = statement<[reservationId: string], SoldPaymentRow>(
  'find_payment_of_reservation',
  payments(`SELECT * FROM payments WHERE reservation_id = $1`, ''),
);

export const findPaymentScanEnd = statement<ScanEndParams, ScanEndRow>(
  'find_payment_scan_end',
  scanEnd('payments', 'paid_at'),
);

/** Of `concerts c`. Refunded payments do not count. */
export const CONCERT_REVENUE = `(SELECT coalesce(sum(amount), 0) FROM payments WHERE concert_id = c.id AND refunded_at IS NULL)`;

/** Refunded payments do not count. */
export const sumRevenue = statement<[concertId: string], { revenue: number }>(
  'sum_revenue',
  `SELECT coalesce(sum(amount), 0) AS revenue FROM payments WHERE concert_id = $1 AND refunded_at IS NULL`,
);
