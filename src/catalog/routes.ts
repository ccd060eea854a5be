import { Type } from 'typebox';
import type { Caller } from '../kernel/caller.js';
import { iso, isoOrNull } from '../kernel/time.js';
import type { Sql } from '../platform/sql/index.js';
import {
  closed,
  type Identify,
  IdParams,
  listOf,
  pageOfArray,
  pageOfRows,
  PageQuery,
  pageQuery,
  type Routes,
  sendJson,
} from '../platform/web/index.js';
import { Refusal } from '../kernel/refusal.js';
import type { Programme, Schedule } from './programme.js';
import { type ConcertRow, findConcert, listConcerts } from './queries.js';
import { ConcertSchema, ScheduleSchema, SeatSchema, SeatStatusSchema } from './schemas.js';
import type { SeatBoards } from './seat-boards.js';
import { toSeat } from './seat-board.js';
import type { SeatStreams } from './seat-streams.js';

export interface CatalogRouteDeps {
  readonly sql: Sql;
  readonly programme: Programme;
  readonly boards: SeatBoards;
  readonly streams: SeatStreams;
  readonly identify: Identify;
  /** Lets in whoever has an ACTIVE place in that concert's room, and says which place it is. */
  readonly requireActive: (caller: Caller, concertId: string) => Promise<{ readonly placeId: string }>;
}

const TAGS = { tags: ['Concerts'] };

function toConcert(row: ConcertRow & { soldOut: 0 | 1 }) {
  const { salesOpenAtMs, salesCloseAtMs, createdAtMs: _, soldOut, ...rest } = row;
  return {
    ...rest,
    salesOpenAt: isoOrNull(salesOpenAtMs),
    salesCloseAt: isoOrNull(salesCloseAtMs),
    soldOut: soldOut === 1,
  };
}

export const catalogRoutes =
  (deps: CatalogRouteDeps): Routes =>
  (app) => {
    const { sql, identify, programme, boards, requireActive } = deps;

    app.get(
      '/concerts',
      {
        schema: {
          ...TAGS,
          summary: 'Concerts, newest first',
          querystring: PageQuery,
          response: { 200: listOf(ConcertSchema) },
        },
      },
      ({ query }) =>
        pageOfRows(
          query,
          (before, limit) => sql.reader.all(listConcerts, [...before, limit]),
          toConcert,
          (row) => [row.createdAtMs, row.id],
        ),
    );

    app.get(
      '/concerts/:id',
      {
        schema: { ...TAGS, summary: 'One concert', params: IdParams, response: { 200: ConcertSchema } },
        config: { refuses: ['CONCERT_NOT_FOUND'] },
      },
      async ({ params }) => {
        const row = await sql.reader.get(findConcert, [params.id]);
        if (!row) throw new Refusal('CONCERT_NOT_FOUND');
        return toConcert(row);
      },
    );

    app.get(
      '/concerts/:id/schedules',
      {
        schema: {
          ...TAGS,
          summary: 'Dates that can be booked; `all=true` adds sold-out and past ones',
          params: IdParams,
          querystring: closed({
            ...pageQuery,
            all: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])),
          }),
          response: { 200: listOf(ScheduleSchema) },
        },
        config: { credential: 'either', refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND', 'CONCERT_NOT_FOUND'] },
      },
      async (request) => {
        const caller = identify(request);
        const { id } = await programme.concert(request.params.id);
        await requireActive(caller, id);
        const nowMs = sql.nowMs();
        const dates = await Promise.all(
          (await programme.schedulesOf(id)).map((date) => toSchedule(date, nowMs)),
        );
        const { all } = request.query;
        const shown = dates
          .filter(({ bookable }) => all === 'true' || bookable)
          .map(({ schedule }) => schedule);
        return pageOfArray(shown, request.query);
      },
    );

    async function toSchedule(date: Schedule, nowMs: number) {
      const { total, available, sold } = (await boards.of(date.id)).counts(nowMs);
      const soldOut = sold === total;
      const { id, concertId, startsAtMs } = date;
      return {
        bookable: !soldOut && startsAtMs > nowMs,
        schedule: {
          id,
          concertId,
          startsAt: iso(startsAtMs),
          seatsTotal: total,
          seatsRemaining: available,
          soldOut,
        },
      };
    }

    seatRoutes(deps)(app);
  };

const seatRoutes =
  ({ sql, identify, programme, boards, streams, requireActive }: CatalogRouteDeps): Routes =>
  (app) => {
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
        config: { credential: 'either', refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND', 'SCHEDULE_NOT_FOUND'] },
      },
      async (request, reply) => {
        const caller = identify(request);
        const { id, concertId } = await programme.schedule(request.params.id);
        await requireActive(caller, concertId);
        const board = await boards.of(id);
        const { status, limit, cursor } = request.query;
        if (status === undefined && limit === undefined && cursor === undefined) {
          // Already JSON: the same bytes for everybody until a seat changes.
          return sendJson(reply, board.body(sql.nowMs()));
        }
        return pageOfArray(board.seats(sql.nowMs(), status).map(toSeat), request.query);
      },
    );

    app.get(
      '/schedules/:id/seats/events',
      {
        // A HEAD would open a stream.
        exposeHeadRoute: false,
        schema: { ...TAGS, summary: 'Changes of seats as they happen (text/event-stream)', params: IdParams },
        config: {
          credential: 'either',
          produces: 'text/event-stream',
          refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND', 'SCHEDULE_NOT_FOUND', 'TOO_MANY_STREAMS'],
        },
      },
      async (request, reply) => {
        const caller = identify(request);
        const { id, concertId } = await programme.schedule(request.params.id);
        const { placeId } = await requireActive(caller, concertId);
        await streams.open(reply, id, placeId);
        return reply;
      },
    );
  };
