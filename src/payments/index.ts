import type { ConcertCache } from '../catalog/index.js';
import type { Reader, Sql } from '../platform/sql/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { createPay } from './pay.js';
import { createRefund } from './refund.js';
import { type PaymentRouteDeps, paymentRoutes } from './routes.js';

export { listPaymentsOf } from './queries.js';
export { receiptOf, ReceiptSchema } from './receipt.js';
export { type Refunded, RefundSchema } from './refund.js';

/**
 * Payments and refunds. A payment confirms a HELD reservation and writes its receipt; a refund reverses it. Wallet, seats,
 * reservation, receipt and place change in one transaction, so money never moves without its seats.
 *
 * Invariants: a reservation is paid at most once and a payment refunded at most once; repeating either returns the first
 * result. A receipt is a snapshot and never changes; only the time of its refund is added.
 *
 * This module writes only `payments`; wallets, reservations and places change through their own modules.
 */
export function createPayments(deps: {
  readonly sql: Sql;
  readonly concertCache: ConcertCache;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'consumePlaces' | 'closing'>;
  readonly requireUser: (userId: string, reader?: Reader) => Promise<unknown>;
  readonly onPaid: (amount: number) => void;
}) {
  const { sql, requireUser } = deps;
  const pay = createPay(deps);
  return {
    refund: createRefund(deps.waitingRoom),
    routes: (routeDeps: Pick<PaymentRouteDeps, 'identify' | 'inBatches' | 'limit'>) =>
      paymentRoutes({ sql, pay, requireUser, ...routeDeps }),
  };
}
