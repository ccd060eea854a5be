import { iso } from '../../kernel/time.js';
import { receiptOf } from '../../payments/index.js';
import type { Reader, Statement } from '../../platform/sql/index.js';
import { firstRows, NEWEST, type Position, type RowPage } from '../../platform/web/index.js';
import { toReservation } from '../../reservations/index.js';
import { csvLine } from './csv.js';
import {
  findPaymentScanEnd,
  findReservationScanEnd,
  listPaymentsOfConcert,
  type ListParams,
  listReservationsOfConcert,
  likePattern,
  type ScanEndParams,
  type ScanEndRow,
  searchPaymentsOfConcert,
  type SearchParams,
  searchReservationsOfConcert,
  type SoldPaymentRow,
  type SoldReservationRow,
} from './queries.js';

/** A list that is available as JSON pages and as a CSV download. */
export interface SalesList<Row, Item> {
  readonly query: Statement<ListParams, Row>;
  readonly search: (reader: Reader, params: SearchParams, nowMs: number) => Promise<Row[]>;
  readonly scanEnd: Statement<ScanEndParams, ScanEndRow>;
  readonly positionOf: (row: Row) => Position;
  readonly toItem: (row: Row, nowMs: number) => Item;
  readonly csvHead: readonly string[];
  readonly csvRow: (row: Row, nowMs: number) => (string | number)[];
}

const buyer = (row: { buyerId: string; buyerEmail: string; buyerName: string }) => ({
  id: row.buyerId,
  email: row.buyerEmail,
  name: row.buyerName,
});

export const reservationItem = (row: SoldReservationRow, nowMs: number) => ({
  ...toReservation(row, nowMs),
  user: buyer(row),
});

export const reservationList: SalesList<SoldReservationRow, ReturnType<typeof reservationItem>> = {
  query: listReservationsOfConcert,
  search: (reader, params, nowMs) => reader.all(searchReservationsOfConcert, [...params, nowMs]),
  scanEnd: findReservationScanEnd,
  positionOf: (row) => [row.createdAtMs, row.id],
  toItem: reservationItem,
  csvHead: [
    'id',
    'status',
    'scheduleId',
    'seats',
    'amount',
    'currency',
    'createdAt',
    'expiresAt',
    'email',
    'name',
  ],
  csvRow: (row, nowMs) => {
    const { id, status, scheduleId, seats, amount, currency, createdAt, expiresAt } = toReservation(
      row,
      nowMs,
    );
    const labels = seats.map(({ label }) => label).join('; ');
    return [
      id,
      status,
      scheduleId,
      labels,
      amount,
      currency,
      createdAt,
      expiresAt,
      row.buyerEmail,
      row.buyerName,
    ];
  },
};

export const paymentItem = (row: SoldPaymentRow) => ({ ...receiptOf(row), user: buyer(row) });

export const paymentList: SalesList<SoldPaymentRow, ReturnType<typeof paymentItem>> = {
  query: listPaymentsOfConcert,
  search: (reader, params) => reader.all(searchPaymentsOfConcert, params),
  scanEnd: findPaymentScanEnd,
  positionOf: (row) => [row.paidAtMs, row.id],
  toItem: paymentItem,
  csvHead: [
    'id',
    'number',
    'reservationId',
    'startsAt',
    'seats',
    'amount',
    'currency',
    'paidAt',
    'email',
    'name',
    'refundedAt',
  ],
  csvRow: (row) => {
    const { id, number, reservationId, schedule, seats, amount, currency, refundedAt } = receiptOf(row);
    const labels = seats.map(({ label }) => label).join('; ');
    const { buyerEmail, buyerName, paidAtMs } = row;
    return [
      id,
      number,
      reservationId,
      schedule.startsAt,
      labels,
      amount,
      currency,
      iso(paidAtMs),
      buyerEmail,
      buyerName,
      refundedAt ?? '',
    ];
  },
};

/** Selects the rows of one concert; with further members, only those that match all of them. */
export interface SalesQuery {
  readonly concertId: string;
  readonly q?: string | undefined;
  readonly status?: string | undefined;
  readonly scheduleId?: string | undefined;
}

/** Reservations or payments that one page of a search looks at. A search continues with the next page. */
const SEARCH_SCAN_MAX = 20_000;

/** Up to `limit` rows older than `before`, newest first. The next page of a search starts where this one stopped looking. */
export async function readSales<Row, Item>(
  list: SalesList<Row, Item>,
  { reader, nowMs }: { readonly reader: Reader; readonly nowMs: number },
  { concertId, q, status, scheduleId }: SalesQuery,
  before: Position,
  limit: number,
): Promise<RowPage<Row>> {
  const limitAndNext = limit + 1;
  if (q === undefined && status === undefined && scheduleId === undefined)
    return firstRows(
      await reader.all(list.query, [concertId, ...before, limitAndNext]),
      limit,
      list.positionOf,
    );
  const filters = [likePattern(q ?? ''), SEARCH_SCAN_MAX, status ?? '', scheduleId ?? ''] as const;
  const rows = await list.search(reader, [concertId, ...before, limitAndNext, ...filters], nowMs);
  const page = firstRows(rows, limit, list.positionOf);
  if (page.next) return page;
  const end = await reader.get(list.scanEnd, [concertId, ...before, SEARCH_SCAN_MAX]);
  return { ...page, next: end ? [end.timeMs, end.id] : null };
}

const CSV_PAGE_ROWS = 1000;

/** Streams the whole list page by page, so that a large sale neither fills the memory nor blocks other requests. */
export async function* csvOf<Row, Item>(
  list: SalesList<Row, Item>,
  source: { readonly reader: Reader; readonly nowMs: number },
  query: SalesQuery,
): AsyncGenerator<string> {
  // The byte order mark makes spreadsheets read the file as UTF-8.
  yield `\uFEFF${csvLine(list.csvHead)}`;
  let position: Position | null = NEWEST;
  while (position) {
    const page: RowPage<Row> = await readSales(list, source, query, position, CSV_PAGE_ROWS);
    if (page.rows.length > 0) yield page.rows.map((row) => csvLine(list.csvRow(row, source.nowMs))).join('');
    position = page.next;
  }
}
