import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordAudit } from '../../audit/index.js';
import type { Caller } from '../../kernel/caller.js';
import { ReceiptSchema, RefundSchema } from '../../payments/index.js';
import {
  closed,
  Id,
  IdParams,
  listOf,
  NoBody,
  pageOfScan,
  pageQuery,
  type PageRequest,
  type Routes,
} from '../../platform/web/index.js';
import { ReservationSchema } from '../../reservations/index.js';
import { type OperatorContext, operatorOnly, TAGS } from '../route-options.js';
import {
  csvOf,
  paymentList,
  readSales,
  reservationList,
  type SalesList,
  type SalesQuery,
} from './sales-lists.js';

type SalesListName = 'reservations' | 'payments';

const SearchQuery = closed({
  ...pageQuery,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      description: 'Part of an e-mail address, a name, a seat or a receipt number',
    }),
  ),
});

const BuyerSchema = closed({ id: Id, email: Type.String(), name: Type.String() });
const SoldReservationSchema = closed({ ...ReservationSchema.properties, user: BuyerSchema });
const SoldPaymentSchema = closed({ ...ReceiptSchema.properties, user: BuyerSchema });

/** Reservations and payments of a concert, as JSON pages or one CSV download, and refunds. */
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
          summary: 'All reservations, newest first, or those like `q`; `Accept: text/csv` downloads them',
          params: IdParams,
          querystring: SearchQuery,
          response: { 200: listOf(SoldReservationSchema) },
        },
        config,
      },
      async (request, reply) => {
        const caller = await asOperator(request);
        const { id } = await concertCache.concert(request.params.id);
        const query = { concertId: id, q: request.query.q };
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
          summary: 'All payments, newest first, or those like `q`; `Accept: text/csv` downloads them',
          params: IdParams,
          querystring: SearchQuery,
          response: { 200: listOf(SoldPaymentSchema) },
        },
        config,
      },
      async (request, reply) => {
        const caller = await asOperator(request);
        const { id } = await concertCache.concert(request.params.id);
        const query = { concertId: id, q: request.query.q };
        await recordRead(caller, request, 'payments', query);
        if (wantsCsv(request)) return sendCsv(reply, `payments-${id}.csv`, csv(paymentList, query));
        return page(paymentList, query, request.query);
      },
    );

    /** Records a search or an export before anything is read: if it cannot be recorded, nothing is answered. */
    async function recordRead(
      { userId }: Caller,
      request: FastifyRequest,
      list: SalesListName,
      { concertId, q }: SalesQuery,
    ): Promise<void> {
      const isExport = wantsCsv(request);
      if (!isExport && q === undefined) return;
      const action = isExport ? 'SALES_EXPORTED' : 'SALES_SEARCHED';
      await sql.transaction((tx) =>
        recordAudit(tx, { concertId, actorId: userId, action, details: { list, q } }),
      );
    }

    const csv = <Row, Item>(list: SalesList<Row, Item>, query: SalesQuery) =>
      csvOf(list, sql.desk, query, sql.nowMs());

    const page = <Row, Item>(list: SalesList<Row, Item>, query: SalesQuery, request: PageRequest) =>
      pageOfScan(
        request,
        (before, limit) => readSales(list, sql.desk, query, before, limit),
        (row) => list.toItem(row, sql.nowMs()),
      );
  };

const wantsCsv = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/csv') ?? false;

function sendCsv(reply: FastifyReply, file: string, lines: AsyncGenerator<string>): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(Readable.from(lines));
}
