import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Sql } from '../platform/sql/index.js';
import {
  encodingFor,
  IdParams,
  type Routes,
  sendEncodedJson,
  sendNotModified,
} from '../platform/web/index.js';
import type { ConcertCache, Schedule } from '../catalog/concert-cache.js';
import { ChartSchema, SeatStateSchema } from '../catalog/schemas.js';
import type { SeatInventories } from './seat-inventories.js';

/** Private: it is behind the gate. A day: no sale keeps anybody for longer, and asking again costs a 304. */
const CHART_CACHING = 'private, max-age=86400, immutable';

/** Where the two calls are, and for whom. */
export interface SeatMapDoor {
  readonly under: '/schedules' | '/operator/schedules';
  readonly tags: string[];
  readonly config: FastifyContextConfig;
  /** The date that was asked for, if the caller may see its seats. */
  readonly enter: (request: FastifyRequest, scheduleId: string) => Promise<Schedule>;
}

/** The seat map in two parts: the chart is fetched once and kept by the browser; the state changes, and is small. */
export const createSeatMapRoutes =
  (deps: { readonly sql: Sql; readonly concertCache: ConcertCache; readonly inventories: SeatInventories }) =>
  ({ under, tags, config, enter }: SeatMapDoor): Routes =>
  (app) => {
    const { sql, concertCache, inventories } = deps;

    app.get(
      `${under}/:id/chart`,
      {
        schema: {
          tags,
          summary: 'What never changes of a date: where every seat is, and what it costs',
          params: IdParams,
          response: { 200: ChartSchema, 304: Type.Null() },
        },
        config,
      },
      async (request, reply) => {
        const { id, concertId } = await enter(request, request.params.id);
        const { currency } = await concertCache.concert(concertId);
        const chart = (await inventories.of(id)).chart(currency);
        const encoding = encodingFor(request, ['br', 'gzip']);
        const body = isKnown(request, chart.etag) ? undefined : await chart.body(encoding);
        reply.headers({ etag: chart.etag, 'cache-control': CHART_CACHING, vary: 'Accept-Encoding' });
        return body ? sendEncodedJson(reply, body, encoding) : sendNotModified(reply);
      },
    );

    app.get(
      `${under}/:id/state`,
      {
        schema: {
          tags,
          summary: 'What does change of a date: the state of every seat, in 2 bits each',
          params: IdParams,
          response: { 200: SeatStateSchema },
        },
        config,
      },
      async (request, reply) => {
        const { id } = await enter(request, request.params.id);
        const inventory = await inventories.of(id);
        const { body, encoding } = await inventory.state(sql.nowMs(), encodingFor(request, ['gzip']));
        return sendEncodedJson(reply.header('vary', 'Accept-Encoding'), body, encoding);
      },
    );
  };

const isKnown = ({ headers }: FastifyRequest, etag: string): boolean =>
  headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag) ?? false;
