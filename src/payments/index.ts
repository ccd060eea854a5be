import type { ConcertCache } from '../catalog/index.js';
import type { Reader, Sql } from '../platform/sql/index.js';
import type { PayableReservations } from '../reservations/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { ledger } from '../wallet/index.js';
import { createPay } from './pay.js';
import { createRefund } from './refund.js';
import { type PaymentRouteDeps, paymentRoutes } from './routes.js';

export { receiptOf, ReceiptSchema } from './receipt.js';
export { type Refunded, RefundSchema } from './refund.js';

export function createPayments(deps: {
  readonly sql: Sql;
  readonly concertCache: ConcertCache;
  readonly payableReservations: PayableReservations;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'consumePlace'>;
  readonly requireUser: (userId: string, reader?: Reader) => Promise<unknown>;
  readonly onPaid: (amount: number) => void;
}) {
  const { sql, ...rest } = deps;
  const pay = createPay({ ...rest, wallet: ledger });
  return {
    refund: createRefund({ payableReservations: deps.payableReservations, wallet: ledger }),
    routes: (routeDeps: Pick<PaymentRouteDeps, 'identify' | 'idempotently'>) =>
      paymentRoutes({ sql, pay, requireUser: deps.requireUser, ...routeDeps }),
  };
}
