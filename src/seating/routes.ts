import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Sql } from '../platform/sql/index.js';
import {
  closed,
  IdParams,
  listOf,
  pageOfArray,
  pageQuery,
  type Routes,
  sendJson,
  startIndexOf,
} from '../platform/web/index.js';
import type { SeatInventories } from './inventory/seat-inventories.js';
import { SEATS_PER_PAGE, toSeat } from './inventory/seat-list.js';
import type { SeatRow } from './queries.js';
import { SeatSchema, SeatStatusSchema } from './schemas.js';
import { type CurrencyOf, seatMapRoutes } from './seat-map-routes.js';
import type { SeatAccess, SeatStreams } from './seat-streams.js';

const TAGS = { tags: ['Concerts'] };
const GATED = {
  credential: 'either',
  refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND', 'SCHEDULE_NOT_FOUND', 'SALES_CLOSED', 'TOO_MANY_REQUESTS'],
} as const;

export interface SeatRouteDeps {
  readonly sql: Sql;
  readonly inventories: SeatInventories;
  readonly streams: SeatStreams;
  /** Refuses unless the caller has an ACTIVE place in the queue of this date's concert. */
  readonly requireAccess: (request: FastifyRequest, scheduleId: string) => Promise<SeatAccess>;
  readonly currencyOf: CurrencyOf;
}

/** The seats of a date, for admitted fans. */
export const seatRoutes =
  ({ sql, inventories, streams, requireAccess, currencyOf }: SeatRouteDeps): Routes =>
  (app) => {
    app.get(
      '/schedules/:id/seats',
      {
        schema: {
          ...TAGS,
          summary: `Every seat of a date and its state; without \`limit\`, pages of ${SEATS_PER_PAGE} seats`,
          params: IdParams,
          querystring: closed({ ...pageQuery, status: Type.Optional(SeatStatusSchema) }),
          response: { 200: listOf(SeatSchema) },
        },
        config: GATED,
      },
      async (request, reply) => {
        await requireAccess(request, request.params.id);
        const inventory = await inventories.of(request.params.id);
        const { status, limit } = request.query;
        if (status === undefined && limit === undefined) {
          const page = inventory.listPage(sql.nowMs(), startIndexOf(request.query));
          if (page) return sendJson(reply, page);
        }
        const isShown = (seat: SeatRow): boolean => status === undefined || seat.status === status;
        return pageOfArray(inventory.seats(sql.nowMs()), request.query, isShown, toSeat, SEATS_PER_PAGE);
      },
    );

    seatMapRoutes({
      sql,
      inventories,
      prefix: '/schedules',
      ...TAGS,
      config: GATED,
      requireAccess,
      currencyOf,
    })(app);

    app.get(
      '/schedules/:id/seats/events',
      {
        // A HEAD request would open a stream.
        exposeHeadRoute: false,
        schema: { ...TAGS, summary: 'Changes of seats as they happen (text/event-stream)', params: IdParams },
        config: {
          credential: 'either',
          produces: 'text/event-stream',
          refuses: [...GATED.refuses, 'TOO_MANY_STREAMS'],
        },
      },
      async (request, reply) => {
        const access = await requireAccess(request, request.params.id);
        streams.open(reply, request.params.id, access);
        return reply;
      },
    );
  };
