import type { Catalog } from '../catalog/index.js';
import type { Refunded } from '../payments/index.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import type { Seating } from '../seating/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { createCountSeats } from './count-seats.js';
import { createDesk, type Desk } from './desk.js';
import { createHistory } from './history.js';
import { type OperatorRouteDeps, operatorRoutes } from './routes.js';

export { createChangePolicy } from './change-policy.js';
export type { History } from './history.js';

export function createOperator(deps: {
  readonly sql: Sql;
  readonly currency: string;
  readonly catalog: Catalog;
  readonly seating: Seating;
  readonly waitingRoom: WaitingRoom;
  readonly refund: (tx: Tx, paymentId: string) => Promise<Refunded>;
}) {
  const { sql, catalog, seating, waitingRoom } = deps;
  const desk = createDesk(deps);
  const countSeats = createCountSeats(catalog.concertCache, seating.inventories, () => sql.nowMs());
  const history = createHistory({ sql, catalog, waitingRoom, countSeats });

  return {
    history,
    /** Without an operator: from the command line, or at the start. */
    createConcert: (tx: Tx, concert: Parameters<Desk['create']>[2]) => desk.create(tx, null, concert),
    routes: (routeDeps: Pick<OperatorRouteDeps, 'identify' | 'idempotently' | 'requireOperator'>) =>
      operatorRoutes({ sql, desk, catalog, seating, waitingRoom, countSeats, ...routeDeps }),
  };
}
