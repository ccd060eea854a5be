import { Type } from 'typebox';
import type { Caller } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import { iso } from '../kernel/time.js';
import type { Sql } from '../platform/sql/index.js';
import {
  closed,
  type Identify,
  IdParams,
  type Limit,
  listOf,
  pageOfArray,
  pageOfRows,
  PageQuery,
  pageQuery,
  type Routes,
} from '../platform/web/index.js';
import { gradeKey, type Seating } from '../seating/index.js';
import { type ConcertCache, saleState, type Schedule } from './concert-cache.js';
import type { Notice } from './notice.js';
import { createOverview } from './overview.js';
import { posterRoutes } from './poster/routes.js';
import { type ConcertRow, findPublishedConcert, listConcerts } from './queries.js';
import { ConcertSchema, OverviewSchema, ScheduleSchema, toConcert } from './schemas.js';

export interface CatalogRouteDeps {
  readonly sql: Sql;
  readonly concertCache: ConcertCache;
  readonly currencyOf: (scheduleId: string) => Promise<string>;
  readonly seating: Pick<Seating, 'counts' | 'routes'>;
  readonly identify: Identify;
  /** Refuses unless the caller has an ACTIVE place in the concert's queue. */
  readonly requireActive: (caller: Caller, concertId: string) => Promise<{ readonly placeId: string }>;
  /** Whether the sale has closed by now. */
  readonly hasClosed: (concertId: string) => boolean;
  readonly policyOf: (concertId: string) => {
    readonly maxSeatsPerUser: number;
    readonly notice: Notice | null;
  };
  readonly limit: { readonly readSeats: Limit };
}

const TAGS = { tags: ['Concerts'] };

const createToConcertItem =
  ({ concertCache }: Pick<CatalogRouteDeps, 'concertCache'>) =>
  async ({ soldOut, ...row }: ConcertRow & { soldOut: 0 | 1 }) => {
    const { draft: _, ...concert } = toConcert(row);
    const [first] = await concertCache.schedulesOf(row.id);
    const grades = await concertCache.gradesOf(row.id);
    return {
      ...concert,
      firstStartsAt: iso(first?.startsAtMs ?? row.lastStartsAtMs),
      lastStartsAt: iso(row.lastStartsAtMs),
      priceFrom: grades.at(-1)?.price ?? 0,
      soldOut: soldOut === 1,
    };
  };

export const catalogRoutes =
  (deps: CatalogRouteDeps): Routes =>
  (app) => {
    const { sql, identify, concertCache, seating, requireActive, limit } = deps;
    const overviewOf = createOverview(deps);
    const toConcertItem = createToConcertItem(deps);

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
      async ({ query }) => {
        const page = await pageOfRows(
          query,
          (before, limit) => sql.reader.all(listConcerts, [...before, limit, sql.nowMs()]),
          (row) => row,
          (row) => [row.createdAtMs, row.id],
        );
        return { ...page, items: await Promise.all(page.items.map(toConcertItem)) };
      },
    );

    app.get(
      '/concerts/:id',
      {
        schema: { ...TAGS, summary: 'One concert', params: IdParams, response: { 200: ConcertSchema } },
        config: { refuses: ['CONCERT_NOT_FOUND'] },
      },
      async ({ params }) => {
        const row = await sql.reader.get(findPublishedConcert, [params.id, sql.nowMs()]);
        if (!row) throw new Refusal('CONCERT_NOT_FOUND');
        return toConcertItem(row);
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
        config: {
          credential: 'either',
          refuses: [
            'ACCESS_DENIED',
            'USER_NOT_FOUND',
            'CONCERT_NOT_FOUND',
            'SALES_CLOSED',
            'TOO_MANY_REQUESTS',
          ],
        },
      },
      async (request) => {
        const caller = identify(request);
        await limit.readSeats(request, caller);
        const concert = await concertCache.publishedConcert(request.params.id);
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
      const { total, available, sold } = await seating.counts.of(date);
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
          grades: await gradesOf(date),
        },
      };
    }

    async function gradesOf(date: Schedule) {
      const [grades, left] = await Promise.all([
        concertCache.gradesOfDate(date),
        seating.counts.availableByGrade(date),
      ]);
      return grades.map(({ grade, price, seats }) => ({
        grade,
        price,
        seatsTotal: seats,
        seatsRemaining: left.get(gradeKey({ grade, price })) ?? 0,
      }));
    }

    posterRoutes({ sql, concertCache })(app);

    seating.routes({
      currencyOf: deps.currencyOf,
      async requireAccess(request, scheduleId) {
        const caller = identify(request);
        await limit.readSeats(request, caller);
        const { concertId } = await concertCache.publishedSchedule(scheduleId);
        const { placeId } = await requireActive(caller, concertId);
        return { placeId, hasClosed: () => deps.hasClosed(concertId) };
      },
    })(app);
  };
