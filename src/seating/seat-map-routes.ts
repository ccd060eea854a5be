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
import type { SeatInventories } from './inventory/seat-inventories.js';
import { ChartSchema, SeatStateSchema } from './schemas.js';

/** Private: access is restricted. One day: longer than any sale, and a revalidation costs only a 304. */
const CHART_CACHE_CONTROL = 'private, max-age=86400, immutable';

export type CurrencyOf = (scheduleId: string) => Promise<string>;

export interface SeatMapRouteDeps {
  readonly sql: Sql;
  readonly inventories: SeatInventories;
  readonly prefix: '/schedules' | '/operator/schedules';
  readonly tags: string[];
  readonly config: FastifyContextConfig;
  /** Refuses if the date does not exist or the caller may not see its seats. */
  readonly requireAccess: (request: FastifyRequest, scheduleId: string) => Promise<unknown>;
  readonly currencyOf: CurrencyOf;
}

/** The seat map in two parts: the browser caches the chart; the state changes and is small. */
export const seatMapRoutes =
  ({ sql, inventories, prefix, tags, config, requireAccess, currencyOf }: SeatMapRouteDeps): Routes =>
  (app) => {
    app.get(
      `${prefix}/:id/chart`,
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
        const { id } = request.params;
        await requireAccess(request, id);
        const currency = await currencyOf(id);
        const chart = (await inventories.of(id)).chart(currency);
        const encoding = encodingFor(request, ['br', 'gzip']);
        const body = matchesEtag(request, chart.etag) ? undefined : await chart.body(encoding);
        reply.headers({ etag: chart.etag, 'cache-control': CHART_CACHE_CONTROL, vary: 'Accept-Encoding' });
        return body ? sendEncodedJson(reply, body, encoding) : sendNotModified(reply);
      },
    );

    app.get(
      `${prefix}/:id/state`,
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
        await requireAccess(request, request.params.id);
        const inventory = await inventories.of(request.params.id);
        const { body, encoding } = await inventory.stateBody(sql.nowMs(), encodingFor(request, ['gzip']));
        return sendEncodedJson(reply.header('vary', 'Accept-Encoding'), body, encoding);
      },
    );
  };

const matchesEtag = ({ headers }: FastifyRequest, etag: string): boolean =>
  headers['if-none-match']?.split(',').some((tag) => tag.trim() === etag) ?? false;
