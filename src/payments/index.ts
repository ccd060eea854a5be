import type { Programme } from '../catalog/index.js';
import type { Reader, Sql } from '../platform/sql/index.js';
import type { Settlement } from '../reservations/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { ledger } from '../wallet/index.js';
import { createPay } from './pay.js';
import { createRefund } from './refund.js';
import { type PaymentRouteDeps, paymentRoutes } from './routes.js';

export { receiptOf, ReceiptSchema } from './receipt.js';
export { type Refunded, RefundSchema } from './refund.js';

export function createPayments(deps: {
  readonly sql: Sql;
  readonly programme: Programme;
  readonly settlement: Settlement;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'useUp'>;
  readonly requireUser: (userId: string, reader?: Reader) => Promise<unknown>;
  readonly onPaid: (amount: number) => void;
}) {
  const { sql, ...rest } = deps;
  const pay = createPay({ ...rest, wallet: ledger });
  return {
    refund: createRefund({ settlement: deps.settlement, wallet: ledger }),
    routes: (routeDeps: Pick<PaymentRouteDeps, 'identify' | 'once'>) =>
      paymentRoutes({ sql, pay, requireUser: deps.requireUser, ...routeDeps }),
  };
}
