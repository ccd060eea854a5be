/**
 * The operator module: everything a promoter can do with their concerts. It creates, duplicates and edits concerts, changes
 * waiting-room policies, refunds payments, lists what was sold, and keeps a history of samples and a report of each sale.
 *
 * Invariant: a change and its audit entry are written in the same transaction, so neither exists without the other.
 * Every route requires the OPERATOR role; only `createConcert` (seeding, command line) runs without an operator.
 * The module must never change seats, places or wallets itself: it calls the modules that own them.
 */
import { buildInOneTransaction, type Catalog } from '../catalog/index.js';
import type { Refunded } from '../payments/index.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import type { Seating } from '../seating/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { createOperatorActions, type OperatorActions } from './actions.js';
import { createCountSeats } from './concerts/count-seats.js';
import { createHistory } from './history/history.js';
import { createReports } from './report/reports.js';
import { type OperatorRouteDeps, operatorRoutes } from './routes.js';

export { createChangePolicy } from './concerts/change-policy.js';
export { purgeSamples } from './history/purge-samples.js';
export type { History } from './history/history.js';
export type { Reports } from './report/reports.js';

export function createOperator(deps: {
  readonly sql: Sql;
  readonly currency: string;
  readonly timeZone: string;
  readonly catalog: Catalog;
  readonly seating: Seating;
  readonly waitingRoom: WaitingRoom;
  readonly refund: (tx: Tx, paymentId: string) => Promise<Refunded>;
  /** A background task failed for one concert. */
  readonly onError: (error: unknown, concertId: string) => void;
}) {
  const { sql, currency, timeZone, catalog, seating, waitingRoom, onError } = deps;
  const reports = createReports({ sql, catalog, waitingRoom, onError });
  const actions = createOperatorActions(deps);
  const countSeats = createCountSeats(catalog.concertCache, seating.counts);

  return {
    history: createHistory({ sql, catalog, waitingRoom, countSeats, onError }),
    reports,
    /** Without an operator: the audit entry has no actor. */
    createConcert: (tx: Tx, concert: Parameters<OperatorActions['create']>[1]) =>
      buildInOneTransaction(tx, actions.create(null, concert)),
    routes: (routeDeps: Pick<OperatorRouteDeps, 'identify' | 'idempotently' | 'requireOperator'>) =>
      operatorRoutes({
        sql,
        actions,
        catalog,
        seating,
        waitingRoom,
        countSeats,
        defaults: { currency, timeZone },
        reports,
        ...routeDeps,
      }),
  };
}
