import {
  type AddedConcert,
  checkRefundRules,
  type ConcertBuild,
  serializeRefundRules,
  toConcert,
  writeBuild,
} from '../../catalog/index.js';
import { assertDefined } from '../../kernel/assert.js';
import { FaultList } from '../../kernel/fault-list.js';
import { iso } from '../../kernel/time.js';
import type { Tx } from '../../platform/sql/index.js';
import { IdParams, listOf, NoBody, PageQuery, type Routes } from '../../platform/web/index.js';
import { PolicyPatchSchema, PolicySchema } from '../../waiting-room/index.js';
import { type OperatorContext, operatorOnly, TAGS } from '../route-options.js';
import { sumRevenue } from '../sales/queries.js';
import { createConcertViews } from './concert-views.js';
import { checkTimeZone, parseOptionalTime } from './create-concert.js';
import {
  AddedConcertSchema,
  ConcertDefaultsSchema,
  ConcertDetailsSchema,
  ConcertEditSchema,
  ConcertViewSchema,
  ConcertWithDatesSchema,
  DuplicateSchema,
  NewConcertSchema,
  StatsSchema,
} from './schemas.js';

/** The imported seating plan of an arena is larger than any other body. */
const NEW_CONCERT_BODY_MAX_BYTES = 16 * 1024 * 1024;

export const concertRoutes =
  (context: OperatorContext): Routes =>
  (app) => {
    const { sql, actions, catalog, seating, waitingRoom, countSeats, defaults } = context;
    const { idempotently, asOperator } = context;
    const views = createConcertViews(context);
    const config = operatorOnly('CONCERT_NOT_FOUND');

    app.post(
      '/operator/concerts',
      {
        bodyLimit: NEW_CONCERT_BODY_MAX_BYTES,
        schema: {
          ...TAGS,
          summary: 'Add a concert with its dates, seats and waiting room',
          body: NewConcertSchema,
          response: { 201: AddedConcertSchema },
        },
        config: { ...operatorOnly(), idempotent: true },
      },
      async (request, reply) => {
        const caller = await asOperator(request);
        const build = actions.create(caller.userId, request.body);
        return idempotently(request, reply, caller, completing(build), () => writeBuild(sql, build));
      },
    );

    app.get(
      '/operator/concert-defaults',
      {
        schema: {
          ...TAGS,
          summary: 'The currency and time zone of a concert that is added without them',
          response: { 200: ConcertDefaultsSchema },
        },
        config: operatorOnly(),
      },
      async (request) => {
        await asOperator(request);
        return defaults;
      },
    );

    app.get(
      '/operator/concerts',
      {
        schema: {
          ...TAGS,
          summary: 'All concerts with their policies and sales, newest first',
          querystring: PageQuery,
          response: { 200: listOf(ConcertViewSchema) },
        },
        config: operatorOnly(),
      },
      async (request) => {
        await asOperator(request);
        return views.list(request.query);
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
        config,
      },
      async (request) => {
        const { userId } = await asOperator(request);
        const { salesOpenAt, salesCloseAt, refundRules, ...rest } = request.body;
        const faults = new FaultList();
        checkTimeZone(rest.timeZone, faults);
        checkRefundRules(refundRules ?? [], faults);
        const edit = {
          ...rest,
          refundRules: refundRules && serializeRefundRules(refundRules),
          salesOpenAtMs: parseOptionalTime(salesOpenAt, '/salesOpenAt', faults),
          salesCloseAtMs: parseOptionalTime(salesCloseAt, '/salesCloseAt', faults),
        };
        faults.requireNone();
        return toConcert(await sql.transaction((tx) => actions.edit(tx, userId, request.params.id, edit)));
      },
    );

    app.post(
      '/operator/concerts/:id/publish',
      {
        schema: {
          ...TAGS,
          summary: 'Show a draft to everybody; again: no change',
          params: IdParams,
          body: NoBody,
          response: { 200: ConcertDetailsSchema },
        },
        config,
      },
      async (request) => {
        const { userId } = await asOperator(request);
        return toConcert(await sql.transaction((tx) => actions.publish(tx, userId, request.params.id)));
      },
    );

    app.get(
      '/operator/concerts/:id',
      {
        schema: {
          ...TAGS,
          summary: 'One concert with its dates and their sections',
          params: IdParams,
          response: { 200: ConcertWithDatesSchema },
        },
        config,
      },
      async (request) => {
        await asOperator(request);
        return views.find(request.params.id);
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
        config,
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
        config,
      },
      async (request) => {
        const { userId } = await asOperator(request);
        return sql.transaction((tx) => actions.changePolicy(tx, userId, request.params.id, request.body));
      },
    );

    app.get(
      '/operator/concerts/:id/stats',
      {
        schema: { ...TAGS, summary: 'The sale in numbers', params: IdParams, response: { 200: StatsSchema } },
        config,
      },
      async (request) => {
        await asOperator(request);
        const { id } = await catalog.concertCache.concert(request.params.id);
        const { revenue } = assertDefined(await sql.desk.get(sumRevenue, [id]), 'an aggregate has a row');
        return { ...(await waitingRoom.statsOf(id)), ...(await countSeats(id)), revenue };
      },
    );

    seating.mapRoutes({
      prefix: '/operator/schedules',
      ...TAGS,
      config: operatorOnly('SCHEDULE_NOT_FOUND'),
      currencyOf: catalog.currencyOf,
      async requireAccess(request, scheduleId) {
        await asOperator(request);
        await catalog.concertCache.schedule(scheduleId);
      },
    })(app);

    app.post(
      '/operator/concerts/:id/duplicate',
      {
        schema: {
          ...TAGS,
          summary: 'Add the same concert again on other dates: same charts, same policy, nothing sold',
          params: IdParams,
          body: DuplicateSchema,
          response: { 201: AddedConcertSchema },
        },
        config: { ...config, idempotent: true },
      },
      async (request, reply) => {
        const caller = await asOperator(request);
        const build = await actions.duplicate(sql.desk, caller.userId, request.params.id, request.body);
        return idempotently(request, reply, caller, completing(build), () => writeBuild(sql, build));
      },
    );
  };

const completing = (build: ConcertBuild) => async (tx: Tx) => {
  await build.complete(tx);
  return { status: 201, body: toAddedConcert(build.added) } as const;
};

const toAddedConcert = ({ id, schedules }: AddedConcert) => ({
  id,
  schedules: schedules.map(({ startsAtMs, ...rest }) => ({ ...rest, startsAt: iso(startsAtMs) })),
});
