import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../kernel/caller.js';
import type { Sql } from '../platform/sql/index.js';
import {
  closed,
  type Identify,
  IdParams,
  listOf,
  pageOfArray,
  pageQuery,
  type Routes,
  sendJson,
} from '../platform/web/index.js';
import type { ConcertCache } from '../catalog/concert-cache.js';
import { SeatSchema, SeatStatusSchema } from '../catalog/schemas.js';
import type { SeatRow } from '../catalog/queries.js';
import { toSeat } from './seat-inventory.js';
import type { SeatInventories } from './seat-inventories.js';
import type { SeatMapDoor } from './seat-map-routes.js';
import type { SeatStreams } from './seat-streams.js';

export interface SeatRouteDeps {
  readonly sql: Sql;
  readonly concertCache: ConcertCache;
  readonly inventories: SeatInventories;
  readonly streams: SeatStreams;
  readonly seatMapRoutes: (door: SeatMapDoor) => Routes;
  readonly identify: Identify;
  /** Lets in whoever has an ACTIVE place in that concert's room, and says which place it is. */
  readonly requireActive: (caller: Caller, concertId: string) => Promise<{ readonly placeId: string }>;
}

const TAGS = { tags: ['Concerts'] };
const GATED = {
  credential: 'either',
  refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND', 'SCHEDULE_NOT_FOUND'],
} as const;

/** A date's seats: for whoever has been let in. */
export const seatRoutes =
  ({
    sql,
    identify,
    concertCache,
    inventories,
    streams,
    seatMapRoutes,
    requireActive,
  }: SeatRouteDeps): Routes =>
  (app) => {
    /** The date that was asked for, if the caller may see its seats. */
    async function enter(request: FastifyRequest, scheduleId: string) {
      const caller = identify(request);
      const schedule = await concertCache.schedule(scheduleId);
      const { placeId } = await requireActive(caller, schedule.concertId);
      return { schedule, placeId };
    }

    app.get(
      '/schedules/:id/seats',
      {
        schema: {
          ...TAGS,
          summary: 'Every seat of a date and its state',
          params: IdParams,
          querystring: closed({ ...pageQuery, status: Type.Optional(SeatStatusSchema) }),
          response: { 200: listOf(SeatSchema) },
        },
        config: GATED,
      },
      async (request, reply) => {
        const { schedule } = await enter(request, request.params.id);
        const inventory = await inventories.of(schedule.id);
        const { status, limit, cursor } = request.query;
        if (status === undefined && limit === undefined && cursor === undefined) {
          // Already JSON: the same bytes for everybody until a seat changes.
          return sendJson(reply, inventory.body(sql.nowMs()));
        }
        const isShown = (seat: SeatRow): boolean => status === undefined || seat.status === status;
        return pageOfArray(inventory.seats(sql.nowMs()), request.query, isShown, toSeat);
      },
    );

    seatMapRoutes({
      under: '/schedules',
      ...TAGS,
      config: GATED,
      enter: async (request, scheduleId) => (await enter(request, scheduleId)).schedule,
    })(app);

    app.get(
      '/schedules/:id/seats/events',
      {
        // A HEAD would open a stream.
        exposeHeadRoute: false,
        schema: { ...TAGS, summary: 'Changes of seats as they happen (text/event-stream)', params: IdParams },
        config: {
          credential: 'either',
          produces: 'text/event-stream',
          refuses: [...GATED.refuses, 'TOO_MANY_STREAMS'],
        },
      },
      async (request, reply) => {
        const { schedule, placeId } = await enter(request, request.params.id);
        await streams.open(reply, schedule.id, placeId);
        return reply;
      },
    );
  };
