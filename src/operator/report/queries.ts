import { statement } from '../../platform/sql/index.js';

export interface ReportRow {
  closedAtMs: number;
  /** JSON: a `SaleReport`. */
  report: string;
}

/** The sale closes at `salesCloseAt`, and at the latest when its last date begins, as `saleClosesAtMs` says. */
const CLOSES_AT = `CASE WHEN c.sales_close_at < d.last_starts_at THEN c.sales_close_at ELSE d.last_starts_at END`;

/** Sales that have closed and whose end has no report yet, oldest first, after the given one. */
export const listUnreportedSales = statement<
  [nowMs: number, afterClosedAtMs: number, afterConcertId: string, limit: number],
  { concertId: string; closedAtMs: number }
>(
  'list_unreported_sales',
  `SELECT s.concert_id AS "concertId", s.closes_at AS "closedAtMs"
   FROM (SELECT c.id AS concert_id, ${CLOSES_AT} AS closes_at
     FROM concerts c JOIN (SELECT concert_id, max(starts_at) AS last_starts_at FROM schedules GROUP BY concert_id) AS d
       ON d.concert_id = c.id WHERE c.state = 'PUBLISHED') AS s
   LEFT JOIN sale_reports r ON r.concert_id = s.concert_id
   WHERE s.closes_at <= $1 AND (r.closed_at IS NULL OR r.closed_at <> s.closes_at)
     AND (s.closes_at, s.concert_id) > ($2, $3)
   ORDER BY s.closes_at, s.concert_id LIMIT $4`,
);

/** `seat_count >= 1` is always true and selects the partial index: docs/adr/0015-stable-query-plans.md. */
export const listConcertsWithHolds = statement<[nowMs: number], { concertId: string }>(
  'list_concerts_with_holds',
  `SELECT DISTINCT concert_id AS "concertId" FROM reservations
   WHERE status = 'HELD' AND seat_count >= 1 AND expires_at > $1`,
);

/** The first process to write the report of an end wins; a later end replaces it. */
export const upsertReport = statement<
  [concertId: string, closedAtMs: number, report: string, writtenAtMs: number]
>(
  'upsert_report',
  `INSERT INTO sale_reports (concert_id, closed_at, report, written_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (concert_id) DO UPDATE SET closed_at = excluded.closed_at, report = excluded.report,
     written_at = excluded.written_at WHERE sale_reports.closed_at <> excluded.closed_at`,
);

export const findReport = statement<[concertId: string], ReportRow>(
  'find_report',
  `SELECT closed_at AS "closedAtMs", report FROM sale_reports WHERE concert_id = $1`,
);

export const findQueueTotals = statement<[concertId: string], { joined: number; admitted: number }>(
  'find_queue_totals',
  `SELECT last_number AS joined, admitted_count AS admitted FROM queues WHERE concert_id = $1`,
);

export interface GradeRow {
  grade: string;
  seatsTotal: number;
  seatsSold: number;
  revenue: number;
}

export const countSeatsByGrade = statement<[scheduleId: string], GradeRow>(
  'count_seats_by_grade',
  `SELECT grade, count(*) AS "seatsTotal", sum(CASE WHEN status = 'SOLD' THEN 1 ELSE 0 END) AS "seatsSold",
     sum(CASE WHEN status = 'SOLD' THEN price ELSE 0 END) AS revenue
   FROM seats WHERE schedule_id = $1 GROUP BY grade ORDER BY max(price) DESC, grade`,
);

export const sumPayments = statement<
  [concertId: string],
  {
    payments: number;
    revenue: number;
    refunds: number;
    refundedAmount: number;
    firstPaidAtMs: number | null;
    lastPaidAtMs: number | null;
  }
>(
  'sum_payments',
  `SELECT count(*) AS payments, coalesce(sum(CASE WHEN refunded_at IS NULL THEN amount ELSE 0 END), 0) AS revenue,
     count(refunded_at) AS refunds, coalesce(sum(CASE WHEN refunded_at IS NULL THEN 0 ELSE amount END), 0) AS "refundedAmount",
     min(paid_at) AS "firstPaidAtMs", max(paid_at) AS "lastPaidAtMs"
   FROM payments WHERE concert_id = $1`,
);

/** Includes reservations whose rows were deleted. A refunded reservation counts as paid, not as released. */
export const countHolds = statement<
  [concertId: string, nowMs: number],
  { held: number; expired: number; released: number }
>(
  'count_holds',
  `SELECT (SELECT count(*) FROM reservations WHERE concert_id = $1 AND status = 'HELD' AND seat_count >= 1
       AND expires_at > $2) AS held,
     (SELECT count(*) FROM reservations WHERE concert_id = $1
       AND (status = 'EXPIRED' OR (status = 'HELD' AND expires_at <= $2)))
       + coalesce((SELECT expired FROM purged_reservations WHERE concert_id = $1), 0) AS expired,
     (SELECT count(*) FROM reservations r WHERE r.concert_id = $1 AND r.status = 'CANCELLED'
       AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.reservation_id = r.id))
       + coalesce((SELECT cancelled FROM purged_reservations WHERE concert_id = $1), 0) AS released`,
);

export interface ReportSampleRow {
  takenAtMs: number;
  waiting: number;
  active: number;
  joinedCount: number;
  admittedCount: number;
  seatsHeld: number;
  seatsSold: number;
  revenue: number;
}

export const findSampleRange = statement<
  [concertId: string],
  { firstMs: number | null; lastMs: number | null }
>(
  'find_sample_range',
  `SELECT min(taken_at) AS "firstMs", max(taken_at) AS "lastMs" FROM samples WHERE concert_id = $1`,
);

/** One sample per step, oldest first. */
export const listSamplesByStep = statement<
  [concertId: string, stepMs: number, limit: number],
  ReportSampleRow
>(
  'list_samples_by_step',
  `SELECT taken_at AS "takenAtMs", waiting, active, joined_count AS "joinedCount", admitted_count AS "admittedCount",
     seats_held AS "seatsHeld", seats_sold AS "seatsSold", revenue
   FROM samples WHERE concert_id = $1 AND taken_at % $2 = 0 ORDER BY taken_at LIMIT $3`,
);
