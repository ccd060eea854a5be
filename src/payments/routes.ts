import { type Caller, requireScope, scopeOf } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import {
  closed,
  Id,
  type Identify,
  IdParams,
  type Limit,
  listOf,
  type Idempotently,
  pageOfRows,
  PageQuery,
  type Routes,
} from '../platform/web/index.js';
import type { Paid } from './pay.js';
import { findPayment, listPaymentsOf } from './queries.js';
import { receiptOf, ReceiptSchema } from './receipt.js';

const TAGS = { tags: ['Payments'] };

export interface PaymentRouteDeps {
  readonly sql: Sql;
  readonly identify: Identify;
  readonly idempotently: Idempotently;
  readonly pay: (tx: Tx, caller: Caller, reservationId: string) => Promise<Paid>;
  readonly requireUser: (userId: string) => Promise<unknown>;
  readonly limit: { readonly pay: Limit };
}

export const paymentRoutes =
  ({ sql, identify, idempotently, pay, requireUser, limit }: PaymentRouteDeps): Routes =>
  (app) => {
    app.post(
      '/payments',
      {
        schema: {
          ...TAGS,
          summary: 'Pay a held reservation from your wallet',
          body: closed({ reservationId: Id }),
          response: { 200: ReceiptSchema, 201: ReceiptSchema },
        },
        config: {
          credential: 'either',
          idempotent: true,
          refuses: [
            'ACCESS_DENIED',
            'USER_NOT_FOUND',
            'NOT_ENOUGH_BALANCE',
            'RESERVATION_EXPIRED',
            'RESERVATION_NOT_HELD',
            'RESERVATION_NOT_FOUND',
            'SALES_CLOSED',
            'TOO_MANY_REQUESTS',
          ],
        },
      },
      async (request, reply) => {
        const caller = identify(request);
        return idempotently(
          request,
          reply,
          caller,
          async (tx) => {
            const { receipt, isNew } = await pay(tx, caller, request.body.reservationId);
            return { status: isNew ? 201 : 200, body: receipt };
          },
          () => limit.pay(request, caller),
        );
      },
    );

    app.get(
      '/payments',
      {
        schema: {
          ...TAGS,
          summary: 'Your receipts, newest first',
          querystring: PageQuery,
          response: { 200: listOf(ReceiptSchema) },
        },
        config: { credential: 'either', refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND'] },
      },
      async (request) => {
        const caller = identify(request);
        const { userId } = caller;
        const page = await pageOfRows(
          request.query,
          (before, limit) => sql.reader.all(listPaymentsOf, [userId, ...before, limit, scopeOf(caller)]),
          receiptOf,
          (row) => [row.paidAtMs, row.id],
        );
        if (page.items.length === 0) await requireUser(userId);
        return page;
      },
    );

    app.get(
      '/payments/:id',
      {
        schema: {
          ...TAGS,
          summary: 'One of your receipts',
          params: IdParams,
          response: { 200: ReceiptSchema },
        },
        config: { credential: 'either', refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND', 'PAYMENT_NOT_FOUND'] },
      },
      async (request) => {
        const caller = identify(request);
        const row = await sql.reader.get(findPayment, [request.params.id]);
        if (row?.userId !== caller.userId) {
          await requireUser(caller.userId);
          throw new Refusal('PAYMENT_NOT_FOUND');
        }
        requireScope(caller, row.concertId);
        return receiptOf(row);
      },
    );
  };
