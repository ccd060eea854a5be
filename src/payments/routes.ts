import { requireScope, scopeOf } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import {
  closed,
  Id,
  type Identify,
  IdParams,
  type Limit,
  listOf,
  type InBatches,
  pageOfRows,
  PageQuery,
  type Routes,
} from '../platform/web/index.js';
import type { createPay } from './pay.js';
import { findPayment, listPaymentsOf } from './queries.js';
import { receiptOf, ReceiptSchema } from './receipt.js';

const TAGS = { tags: ['Payments'] };

export interface PaymentRouteDeps {
  readonly sql: Sql;
  readonly identify: Identify;
  readonly inBatches: InBatches;
  readonly pay: ReturnType<typeof createPay>;
  readonly requireUser: (userId: string) => Promise<unknown>;
  readonly limit: { readonly pay: Limit };
}

export const paymentRoutes =
  ({ sql, identify, inBatches, pay, requireUser, limit }: PaymentRouteDeps): Routes =>
  (app) => {
    const payInBatches = inBatches(pay);

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
        return payInBatches(request, reply, caller, {
          limit: () => limit.pay(request, caller),
          prepare: () => ({ caller, reservationId: request.body.reservationId }),
        });
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
