import type { FastifyRequest } from 'fastify';
import type { Caller } from '../kernel/caller.js';
import type { Identify, Routes } from '../platform/web/index.js';
import { auditRoutes } from './audit/routes.js';
import { posterRoutes } from './concerts/poster-routes.js';
import { concertRoutes } from './concerts/routes.js';
import { historyRoutes } from './history/routes.js';
import { reportRoutes } from './report/routes.js';
import type { OperatorContext } from './route-options.js';
import { salesRoutes } from './sales/routes.js';

export type OperatorRouteDeps = Omit<OperatorContext, 'concertCache' | 'asOperator'> & {
  readonly identify: Identify;
  readonly requireOperator: (caller: Caller) => Promise<unknown>;
};

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
    for (const addRoutes of [
      concertRoutes,
      posterRoutes,
      historyRoutes,
      reportRoutes,
      auditRoutes,
      salesRoutes,
    ])
      addRoutes({ ...deps, concertCache, asOperator })(app);
  };
