import type { FastifyRequest } from 'fastify';
import { type Catalog, CHART_RESPONSES, SeatStateSchema } from '../catalog/index.js';
import { IdParams, type Routes } from '../platform/web/index.js';
import { GUARDED, TAGS } from './route-words.js';

/** The seat map as fans see it, for the promoter, who needs no place. */
export const operatorSeatRoutes =
  (deps: {
    readonly catalog: Pick<Catalog, 'programme' | 'seatMap'>;
    readonly asOperator: (request: FastifyRequest) => Promise<unknown>;
  }): Routes =>
  (app) => {
    const { programme, seatMap } = deps.catalog;
    const config = { credential: 'access', refuses: [...GUARDED, 'SCHEDULE_NOT_FOUND'] } as const;

    app.get(
      '/operator/schedules/:id/chart',
      {
        schema: {
          ...TAGS,
          summary: 'The chart of a date, as fans get it',
          params: IdParams,
          response: CHART_RESPONSES,
        },
        config,
      },
      async (request, reply) => {
        await deps.asOperator(request);
        return seatMap.sendChart(request, reply, await programme.schedule(request.params.id));
      },
    );

    app.get(
      '/operator/schedules/:id/state',
      {
        schema: {
          ...TAGS,
          summary: 'The state of all seats of a date, as fans get it',
          params: IdParams,
          response: { 200: SeatStateSchema },
        },
        config,
      },
      async (request, reply) => {
        await deps.asOperator(request);
        return seatMap.sendState(request, reply, await programme.schedule(request.params.id));
      },
    );
  };
