import type { FastifyRequest } from 'fastify';
import type { Caller } from '../kernel/caller.js';
import { type Catalog, toConcert } from '../catalog/index.js';
import { assertDefined } from '../kernel/assert.js';
import type { Sql } from '../platform/sql/index.js';
import { type Identify, IdParams, type Idempotently, type Routes } from '../platform/web/index.js';
import type { Seating } from '../seating/index.js';
import { PolicyPatchSchema, PolicySchema, type WaitingRoom } from '../waiting-room/index.js';
import type { CountSeats } from './count-seats.js';
import { parseTime } from './create-concert.js';
import type { Desk } from './desk.js';
import { deskRoutes } from './desk-routes.js';
import { sumRevenue } from './queries.js';
import { GUARDED, TAGS } from './route-words.js';
import { salesRoutes } from './sales-routes.js';
import {
  AddedConcertSchema,
  ConcertDetailsSchema,
  ConcertEditSchema,
  NewConcertSchema,
  StatsSchema,
} from './schemas.js';
import { toAdded } from './to-added.js';

/** An imported plan of an arena is larger than any other body. */
const CHART_BODY_MAX_BYTES = 16 * 1024 * 1024;

export interface OperatorRouteDeps {
  readonly sql: Sql;
  readonly desk: Desk;
  readonly catalog: Pick<Catalog, 'concertCache' | 'currencyOf'>;
  readonly seating: Pick<Seating, 'inventories' | 'mapRoutes'>;
  readonly waitingRoom: Pick<WaitingRoom, 'policyOf' | 'statsOf'>;
  readonly countSeats: CountSeats;
  readonly identify: Identify;
  readonly idempotently: Idempotently;
  readonly requireOperator: (caller: Caller) => Promise<unknown>;
}

export const operatorRoutes =
  (deps: OperatorRouteDeps): Routes =>
  (app) => {
    const { sql, desk, catalog, waitingRoom, countSeats, identify, idempotently } = deps;

    const asOperator = async (request: FastifyRequest): Promise<Caller> => {
      const caller = identify(request);
      await deps.requireOperator(caller);
      return caller;
    };

    app.post(
      '/operator/concerts',
      {
        bodyLimit: CHART_BODY_MAX_BYTES,
        schema: {
          ...TAGS,
          summary: 'Add a concert with its dates, seats and waiting room',
          body: NewConcertSchema,
          response: { 201: AddedConcertSchema },
        },
        config: { credential: 'operator', idempotent: true, refuses: GUARDED },
      },
      async (request, reply) => {
        const caller = await asOperator(request);
        return idempotently(request, reply, caller, async (tx) => {
          const added = await desk.create(tx, caller.userId, request.body);
          return { status: 201, body: toAdded(added) };
        });
      },
    );

    app.patch(
      '/operator/concerts/:id',
      {
        schema: {
          ...TAGS,
          summary: 'Change details and sale times',
          params: IdParams,
          body: ConcertEditSchema,
          response: { 200: ConcertDetailsSchema },
        },
        config: { credential: 'operator', refuses: [...GUARDED, 'CONCERT_NOT_FOUND'] },
      },
      async (request) => {
        const { userId } = await asOperator(request);
        const { salesOpenAt, salesCloseAt, ...rest } = request.body;
        const edit = {
          ...rest,
          salesOpenAtMs: editTime(salesOpenAt, 'salesOpenAt'),
          salesCloseAtMs: editTime(salesCloseAt, 'salesCloseAt'),
        };
        return toConcert(await sql.transaction((tx) => desk.edit(tx, userId, request.params.id, edit)));
      },
    );

    app.get(
      '/operator/concerts/:id/waiting-room',
      {
        schema: {
          ...TAGS,
          summary: "The waiting room's policy",
          params: IdParams,
          response: { 200: PolicySchema },
        },
        config: { credential: 'operator', refuses: [...GUARDED, 'CONCERT_NOT_FOUND'] },
      },
      async (request) => {
        await asOperator(request);
        return waitingRoom.policyOf(request.params.id);
      },
    );

    app.patch(
      '/operator/concerts/:id/waiting-room',
      {
        schema: {
          ...TAGS,
          summary: 'Change any part of the policy, with immediate effect',
          params: IdParams,
          body: PolicyPatchSchema,
          response: { 200: PolicySchema },
        },
        config: { credential: 'operator', refuses: [...GUARDED, 'CONCERT_NOT_FOUND'] },
      },
      async (request) => {
        const { userId } = await asOperator(request);
        return sql.transaction((tx) => desk.changePolicy(tx, userId, request.params.id, request.body));
      },
    );

    app.get(
      '/operator/concerts/:id/stats',
      {
        schema: { ...TAGS, summary: 'The sale in numbers', params: IdParams, response: { 200: StatsSchema } },
        config: { credential: 'operator', refuses: [...GUARDED, 'CONCERT_NOT_FOUND'] },
      },
      async (request) => {
        await asOperator(request);
        const { id } = await catalog.concertCache.concert(request.params.id);
        const { revenue } = assertDefined(await sql.reader.get(sumRevenue, [id]), 'a sum');
        return { ...(await waitingRoom.statsOf(id)), ...(await countSeats(id)), revenue };
      },
    );

    deps.seating.mapRoutes({
      prefix: '/operator/schedules',
      ...TAGS,
      config: { credential: 'operator', refuses: [...GUARDED, 'SCHEDULE_NOT_FOUND'] },
      currencyOf: catalog.currencyOf,
      async requireAccess(request, scheduleId) {
        await asOperator(request);
        await catalog.concertCache.schedule(scheduleId);
      },
    })(app);
    deskRoutes({ ...deps, asOperator })(app);
    salesRoutes({ sql, concertCache: catalog.concertCache, asOperator })(app);
  };

const editTime = (text: string | null | undefined, field: string): number | null | undefined =>
  typeof text === 'string' ? parseTime(text, field) : text;
