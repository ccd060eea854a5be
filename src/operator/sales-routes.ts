import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { ConcertCache } from '../catalog/index.js';
import type { Sql } from '../platform/sql/index.js';
import { IdParams, listOf, pageOfRows, type PageRequest, type Routes } from '../platform/web/index.js';
import { GUARDED, TAGS } from './route-words.js';
import {
  csvOf,
  paymentList,
  readSales,
  reservationList,
  type SalesList,
  type SalesQuery,
} from './sales-lists.js';
import { SearchQuery, SoldPaymentSchema, SoldReservationSchema } from './schemas.js';

/** What was reserved and paid, for the promoter: pages of JSON, or all of it as CSV. */
export const salesRoutes =
  (deps: {
    readonly sql: Sql;
    readonly concertCache: ConcertCache;
    readonly asOperator: (request: FastifyRequest) => Promise<unknown>;
  }): Routes =>
  (app) => {
    const { sql, concertCache, asOperator } = deps;
    const config = {
      credential: 'operator',
      produces: 'text/csv',
      refuses: [...GUARDED, 'CONCERT_NOT_FOUND'],
    } as const;

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
        await asOperator(request);
        const { id } = await concertCache.concert(request.params.id);
        const query = { concertId: id, q: request.query.q };
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
        await asOperator(request);
        const { id } = await concertCache.concert(request.params.id);
        const query = { concertId: id, q: request.query.q };
        if (wantsCsv(request)) return sendCsv(reply, `payments-${id}.csv`, csv(paymentList, query));
        return page(paymentList, query, request.query);
      },
    );

    const csv = <Row, Item>(list: SalesList<Row, Item>, query: SalesQuery) =>
      csvOf(list, sql.reader, query, sql.nowMs());

    const page = <Row, Item>(list: SalesList<Row, Item>, query: SalesQuery, request: PageRequest) =>
      pageOfRows(
        request,
        (before, limit) => readSales(list, sql.reader, query, before, limit),
        (row) => list.toItem(row, sql.nowMs()),
        list.positionOf,
      );
  };

const wantsCsv = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/csv') ?? false;

function sendCsv(reply: FastifyReply, file: string, lines: AsyncGenerator<string>): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(Readable.from(lines));
}
