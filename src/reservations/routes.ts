import { Type } from 'typebox';
import type { ConcertCache } from '../catalog/index.js';
import { requireScope, scopeOf } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import {
  closed,
  Id,
  type Identify,
  IdParams,
  type Limit,
  listOf,
  type InBatches,
  pageOfRows,
  PageQuery,
  type Routes,
} from '../platform/web/index.js';
import type { createHoldSeats } from './hold-seats.js';
import { findReservation, listReservationsOf, type ReservationRow } from './queries.js';
import { releaseHold } from './release-hold.js';
import type { HoldRequests } from './request-hold.js';
import { FanReservationSchema, toFanReservation } from './reservation.js';

/** More than any policy allows: refused before any lookup. */
const SEATS_PER_CALL_MAX = 100;

const TAGS = { tags: ['Reservations'] };
const HOLD_REFUSES = [
  'ACCESS_DENIED',
  'USER_NOT_FOUND',
  'SCHEDULE_NOT_FOUND',
  'SEAT_LIMIT_EXCEEDED',
  'SCHEDULE_CLOSED',
  'TOO_MANY_REQUESTS',
] as const;

export interface ReservationRouteDeps {
  readonly sql: Sql;
  readonly concertCache: ConcertCache;
  readonly identify: Identify;
  readonly inBatches: InBatches;
  readonly holdSeats: ReturnType<typeof createHoldSeats>;
  readonly holdRequests: HoldRequests;
  readonly requireUser: (userId: string) => Promise<unknown>;
  readonly limit: { readonly hold: Limit; readonly release: Limit };
}

export const reservationRoutes =
  (deps: ReservationRouteDeps): Routes =>
  (app) => {
    const { sql, concertCache, identify, inBatches, holdSeats, holdRequests, requireUser, limit } = deps;
    const hold = inBatches(holdSeats);
    const release = inBatches(releaseHold);

    const show = async (row: ReservationRow) => {
      const concert = await concertCache.concert(row.concertId);
      const schedule = await concertCache.schedule(row.scheduleId);
      return toFanReservation(row, { concert, schedule }, sql.nowMs());
    };

    app.post(
      '/reservations',
      {
        schema: {
          ...TAGS,
          summary: 'Hold seats, all or none',
          body: closed({
            scheduleId: Id,
            seatIds: Type.Array(Id, { minItems: 1, maxItems: SEATS_PER_CALL_MAX, uniqueItems: true }),
          }),
          response: { 201: FanReservationSchema },
        },
        config: {
          credential: 'either',
          idempotent: true,
          refuses: [...HOLD_REFUSES, 'ALREADY_RESERVED_SEAT', 'SEAT_NOT_FOUND'],
        },
      },
      async (request, reply) => {
        const caller = identify(request);
        const { scheduleId, seatIds } = request.body;
        return hold(request, reply, caller, {
          limit: () => limit.hold(request, caller),
          prepare: () => holdRequests.forSeats(caller, scheduleId, seatIds),
        });
      },
    );

    app.post(
      '/reservations/best',
      {
        schema: {
          ...TAGS,
          summary: 'Hold the best free seats side by side, chosen for you',
          body: closed({
            scheduleId: Id,
            count: Type.Integer({ minimum: 1, maximum: SEATS_PER_CALL_MAX }),
            grade: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
          }),
          response: { 201: FanReservationSchema },
        },
        config: { credential: 'either', idempotent: true, refuses: [...HOLD_REFUSES, 'NO_SEATS_TOGETHER'] },
      },
      async (request, reply) => {
        const caller = identify(request);
        const { scheduleId, count, grade } = request.body;
        return hold(request, reply, caller, {
          limit: () => limit.hold(request, caller),
          prepare: () => holdRequests.forBestSeats(caller, scheduleId, count, grade),
        });
      },
    );

    app.get(
      '/reservations',
      {
        schema: {
          ...TAGS,
          summary: 'Your reservations, newest first',
          querystring: PageQuery,
          response: { 200: listOf(FanReservationSchema) },
        },
        config: { credential: 'either', refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND'] },
      },
      async (request) => {
        const caller = identify(request);
        const { userId } = caller;
        const page = await pageOfRows(
          request.query,
          (before, limit) => sql.reader.all(listReservationsOf, [userId, ...before, limit, scopeOf(caller)]),
          (row) => row,
          (row) => [row.createdAtMs, row.id],
        );
        if (page.items.length === 0) await requireUser(userId);
        return { ...page, items: await Promise.all(page.items.map(show)) };
      },
    );

    app.get(
      '/reservations/:id',
      {
        schema: {
          ...TAGS,
          summary: 'One of your reservations',
          params: IdParams,
          response: { 200: FanReservationSchema },
        },
        config: {
          credential: 'either',
          refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND', 'RESERVATION_NOT_FOUND'],
        },
      },
      async (request) => {
        const caller = identify(request);
        const row = await sql.reader.get(findReservation, [request.params.id]);
        if (row?.userId !== caller.userId) {
          await requireUser(caller.userId);
          throw new Refusal('RESERVATION_NOT_FOUND');
        }
        requireScope(caller, row.concertId);
        return show(row);
      },
    );

    app.delete(
      '/reservations/:id',
      {
        schema: {
          ...TAGS,
          summary: 'Release a held reservation',
          params: IdParams,
          response: { 204: Type.Null() },
        },
        config: {
          credential: 'either',
          idempotent: true,
          refuses: [
            'ACCESS_DENIED',
            'USER_NOT_FOUND',
            'RESERVATION_NOT_FOUND',
            'RESERVATION_NOT_HELD',
            'TOO_MANY_REQUESTS',
          ],
        },
      },
      async (request, reply) => {
        const caller = identify(request);
        return release(request, reply, caller, {
          async limit() {
            await limit.release(request, caller);
            await requireUser(caller.userId);
          },
          prepare: () => ({ caller, reservationId: request.params.id }),
        });
      },
    );
  };
