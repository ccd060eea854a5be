import { Type } from 'typebox';
import { iso } from '../kernel/time.js';
import {
  closed,
  IdParams,
  listOf,
  pageOfArray,
  pageOfRows,
  PageQuery,
  pageQuery,
  type Routes,
} from '../platform/web/index.js';
import { Refusal } from '../kernel/refusal.js';
import { toConcert } from './concert.js';
import { createOverview } from './overview.js';
import { type Schedule, saleState } from './concert-cache.js';
import { type ConcertRow, findConcert, listConcerts } from './queries.js';
import { ConcertSchema, OverviewSchema, ScheduleSchema } from './schemas.js';
import { type SeatRouteDeps, seatRoutes } from '../seating/seat-routes.js';

export type CatalogRouteDeps = SeatRouteDeps & {
  /** How many seats of a date one may hold and own: the room's policy knows. */
  readonly policyOf: (concertId: string) => { readonly maxSeatsPerUser: number };
};

const TAGS = { tags: ['Concerts'] };

const toShown = ({ soldOut, ...row }: ConcertRow & { soldOut: 0 | 1 }) => ({
  ...toConcert(row),
  soldOut: soldOut === 1,
});

export const catalogRoutes =
  (deps: CatalogRouteDeps): Routes =>
  (app) => {
    const { sql, identify, concertCache, inventories, requireActive } = deps;
    const overviewOf = createOverview(deps);

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
          toShown,
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
        return toShown(row);
      },
    );

    app.get(
      '/concerts/:id/overview',
      {
        schema: {
          ...TAGS,
          summary: 'Dates, prices by grade and the state of the sale, for everybody',
          params: IdParams,
          response: { 200: OverviewSchema },
        },
        config: { refuses: ['CONCERT_NOT_FOUND'] },
      },
      ({ params }) => overviewOf(params.id, sql.nowMs()),
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
        const concert = await concertCache.concert(request.params.id);
        const { id } = concert;
        await requireActive(caller, id);
        const nowMs = sql.nowMs();
        const isOnSale = saleState(concert, nowMs) === 'OPEN';
        const dates = await Promise.all(
          (await concertCache.schedulesOf(id)).map((date) => toSchedule(date, nowMs)),
        );
        const { all } = request.query;
        return pageOfArray(
          dates,
          request.query,
          ({ bookable }) => all === 'true' || (bookable && isOnSale),
          ({ schedule }) => schedule,
        );
      },
    );

    async function toSchedule(date: Schedule, nowMs: number) {
      const { total, available, sold } = (await inventories.of(date.id)).counts(nowMs);
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
