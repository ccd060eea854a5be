import type { FastifyRequest } from 'fastify';
import type { Catalog } from '../catalog/index.js';
import type { Caller } from '../kernel/caller.js';
import type { Sql } from '../platform/sql/index.js';
import type { Idempotently, Identify, Routes } from '../platform/web/index.js';
import type { Seating } from '../seating/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import type { OperatorActions } from './actions.js';
import { auditRoutes } from './audit/routes.js';
import type { CountSeats } from './concerts/count-seats.js';
import { concertRoutes } from './concerts/routes.js';
import { historyRoutes } from './history/routes.js';
import { salesRoutes } from './sales/routes.js';

export interface OperatorRouteDeps {
  readonly sql: Sql;
  readonly actions: OperatorActions;
  readonly catalog: Pick<Catalog, 'concertCache' | 'currencyOf'>;
  readonly seating: Pick<Seating, 'inventories' | 'mapRoutes'>;
  readonly waitingRoom: Pick<WaitingRoom, 'policyOf' | 'statsOf'>;
  readonly countSeats: CountSeats;
  readonly identify: Identify;
  readonly idempotently: Idempotently;
  readonly requireOperator: (caller: Caller) => Promise<unknown>;
}

/** All routes under `/operator`, in the order in which openapi.json lists them. */
export const operatorRoutes =
  (deps: OperatorRouteDeps): Routes =>
  (app) => {
    const asOperator = async (request: FastifyRequest): Promise<Caller> => {
      const caller = deps.identify(request);
      await deps.requireOperator(caller);
      return caller;
    };
    const { concertCache } = deps.catalog;
    for (const addRoutes of [concertRoutes, historyRoutes, auditRoutes, salesRoutes])
      addRoutes({ ...deps, concertCache, asOperator })(app);
  };
