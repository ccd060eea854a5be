import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuditDetails, recordAudit } from '../../audit/index.js';
import type { Caller } from '../../kernel/caller.js';
import { RefundSchema } from '../../payments/index.js';
import {
  IdParams,
  listOf,
  NoBody,
  pageOfScan,
  type PageRequest,
  type Routes,
} from '../../platform/web/index.js';
import { type OperatorContext, operatorOnly, TAGS } from '../route-options.js';
import {
  csvOf,
  paymentList,
  readSales,
  reservationList,
  type SalesList,
  type SalesQuery,
} from './sales-lists.js';
import {
  PaymentQuery,
  ReservationQuery,
  SeatOwnerSchema,
  SeatParams,
  SoldPaymentSchema,
  SoldReservationSchema,
} from './schemas.js';
import { findSeatOwner } from './seat-owner.js';

type SalesListName = 'reservations' | 'payments';

/** Reservations and payments of a concert, as JSON pages or one CSV download, the owner of a seat, and refunds. */
export const salesRoutes =
  (context: OperatorContext): Routes =>
  (app) => {
    const { sql, actions, concertCache, idempotently, asOperator } = context;
    const config = { ...operatorOnly('CONCERT_NOT_FOUND'), produces: 'text/csv' } as const;

    app.post(
      '/operator/payments/:id/refund',
      {
        schema: {
          ...TAGS,
          summary: 'Give a payment back: the money to the wallet, the seats to whoever wants them',
          params: IdParams,
          body: NoBody,
          response: { 200: RefundSchema, 201: RefundSchema },
        },
        config: { ...operatorOnly('PAYMENT_NOT_FOUND', 'BALANCE_LIMIT_EXCEEDED'), idempotent: true },
      },
      async (request, reply) => {
        const caller = await asOperator(request);
        return idempotently(request, reply, caller, async (tx) => {
          const { refund, isNew } = await actions.refund(tx, caller.userId, request.params.id);
          return { status: isNew ? 201 : 200, body: refund };
        });
      },
    );

    app.get(
      '/operator/concerts/:id/reservations',
      {
        schema: {
          ...TAGS,
          summary: 'All reservations, newest first, or those that match; `Accept: text/csv` downloads them',
          params: IdParams,
          querystring: ReservationQuery,
          response: { 200: listOf(SoldReservationSchema) },
        },
        config,
      },
      async (request, reply) => {
        const caller = await asOperator(request);
        const { id } = await concertCache.concert(request.params.id);
        const query = salesQuery(id, request.query);
        await recordRead(caller, request, 'reservations', query);
        if (wantsCsv(request)) return sendCsv(reply, `reservations-${id}.csv`, csv(reservationList, query));
        return page(reservationList, query, request.query);
      },
    );

    app.get(
      '/operator/concerts/:id/payments',
      {
        schema: {
          ...TAGS,
          summary: 'All payments, newest first, or those that match; `Accept: text/csv` downloads them',
          params: IdParams,
          querystring: PaymentQuery,
          response: { 200: listOf(SoldPaymentSchema) },
        },
        config,
      },
      async (request, reply) => {
        const caller = await asOperator(request);
        const { id } = await concertCache.concert(request.params.id);
        const query = salesQuery(id, request.query);
        await recordRead(caller, request, 'payments', query);
        if (wantsCsv(request)) return sendCsv(reply, `payments-${id}.csv`, csv(paymentList, query));
        return page(paymentList, query, request.query);
      },
    );

    app.get(
      '/operator/schedules/:id/seats/:seatId',
      {
        schema: {
          ...TAGS,
          summary: 'One seat, and who holds or bought it',
          params: SeatParams,
          response: { 200: SeatOwnerSchema },
        },
        config: operatorOnly('SCHEDULE_NOT_FOUND', 'SEAT_NOT_FOUND'),
      },
      async (request) => {
        const { userId } = await asOperator(request);
        const { id, concertId } = await concertCache.schedule(request.params.id);
        return findSeatOwner(source(), id, request.params.seatId, (label) =>
          recordSearch(userId, concertId, { list: 'seats', q: label }),
        );
      },
    );

    /** Records a search or an export before anything is read: if it cannot be recorded, nothing is answered. */
    async function recordRead(
      { userId }: Caller,
      request: FastifyRequest,
      list: SalesListName,
      { concertId, ...filters }: SalesQuery,
    ): Promise<void> {
      const isExport = wantsCsv(request);
      if (!isExport && filters.q === undefined) return;
      if (!isExport) return recordSearch(userId, concertId, { list, ...filters });
      const action = 'SALES_EXPORTED';
      await sql.transaction((tx) =>
        recordAudit(tx, { concertId, actorId: userId, action, details: { list, ...filters } }),
      );
    }

    const recordSearch = (actorId: string, concertId: string, details: AuditDetails): Promise<void> =>
      sql.transaction((tx) => recordAudit(tx, { concertId, actorId, action: 'SALES_SEARCHED', details }));

    const source = () => ({ reader: sql.desk, nowMs: sql.nowMs() });

    const csv = <Row, Item>(list: SalesList<Row, Item>, query: SalesQuery) => csvOf(list, source(), query);

    const page = <Row, Item>(list: SalesList<Row, Item>, query: SalesQuery, request: PageRequest) =>
      pageOfScan(
        request,
        (before, limit) => readSales(list, source(), query, before, limit),
        (row) => list.toItem(row, sql.nowMs()),
      );
  };

const salesQuery = (
  concertId: string,
  { q, status, scheduleId }: Omit<SalesQuery, 'concertId'>,
): SalesQuery => ({ concertId, q, status, scheduleId });

const wantsCsv = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/csv') ?? false;

function sendCsv(reply: FastifyReply, file: string, lines: AsyncGenerator<string>): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(Readable.from(lines));
}
