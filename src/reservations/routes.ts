import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Caller, requireScope, scopeOf } from '../kernel/caller.js';
import { Refusal } from '../kernel/refusal.js';
import type { Sql, Tx } from '../platform/sql/index.js';
import {
  closed,
  Id,
  type Identify,
  IdParams,
  type Limit,
  listOf,
  type Idempotently,
  pageOfRows,
  PageQuery,
  type Routes,
} from '../platform/web/index.js';
import type { BestSeatsRequest } from './hold-best-seats.js';
import type { HoldSeats } from './hold-seats.js';
import { findReservation, listReservationsOf, type ReservationRow } from './queries.js';
import { releaseHold } from './release-hold.js';
import { ReservationSchema, toReservation } from './reservation.js';

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
  readonly identify: Identify;
  readonly idempotently: Idempotently;
  readonly holdSeats: HoldSeats;
  readonly holdBestSeats: (tx: Tx, request: BestSeatsRequest) => Promise<ReservationRow>;
  readonly requireUser: (userId: string) => Promise<unknown>;
  readonly limit: { readonly hold: Limit; readonly release: Limit };
}

export const reservationRoutes =
  ({
    sql,
    identify,
    idempotently,
    holdSeats,
    holdBestSeats,
    requireUser,
    limit,
  }: ReservationRouteDeps): Routes =>
  (app) => {
    /** Runs the hold idempotently, within the rate limit for holds. */
    const answerHold = (
      request: FastifyRequest,
      reply: FastifyReply,
      work: (tx: Tx, caller: Caller) => Promise<ReservationRow>,
    ): Promise<FastifyReply> => {
      const caller = identify(request);
      return idempotently(
        request,
        reply,
        caller,
        async (tx) => ({ status: 201, body: toReservation(await work(tx, caller), tx.nowMs) }),
        () => limit.hold(request, caller),
      );
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
          response: { 201: ReservationSchema },
        },
        config: {
          credential: 'either',
          idempotent: true,
          refuses: [...HOLD_REFUSES, 'ALREADY_RESERVED_SEAT', 'SEAT_NOT_FOUND'],
        },
      },
      async (request, reply) =>
        answerHold(request, reply, (tx, caller) => holdSeats(tx, { caller, ...request.body })),
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
          response: { 201: ReservationSchema },
        },
        config: { credential: 'either', idempotent: true, refuses: [...HOLD_REFUSES, 'NO_SEATS_TOGETHER'] },
      },
      async (request, reply) =>
        answerHold(request, reply, (tx, caller) => holdBestSeats(tx, { caller, ...request.body })),
    );

    app.get(
      '/reservations',
      {
        schema: {
          ...TAGS,
          summary: 'Your reservations, newest first',
          querystring: PageQuery,
          response: { 200: listOf(ReservationSchema) },
        },
        config: { credential: 'either', refuses: ['ACCESS_DENIED', 'USER_NOT_FOUND'] },
      },
      async (request) => {
        const caller = identify(request);
        const { userId } = caller;
        const page = await pageOfRows(
          request.query,
          (before, limit) => sql.reader.all(listReservationsOf, [userId, ...before, limit, scopeOf(caller)]),
          (row) => toReservation(row, sql.nowMs()),
          (row) => [row.createdAtMs, row.id],
        );
        if (page.items.length === 0) await requireUser(userId);
        return page;
      },
    );

    app.get(
      '/reservations/:id',
      {
        schema: {
          ...TAGS,
          summary: 'One of your reservations',
          params: IdParams,
          response: { 200: ReservationSchema },
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
        return toReservation(row, sql.nowMs());
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
        return idempotently(
          request,
          reply,
          caller,
          async (tx) => {
            await releaseHold(tx, caller, request.params.id);
            return { status: 204, body: null };
          },
          async () => {
            await limit.release(request, caller);
            await requireUser(caller.userId);
          },
        );
      },
    );
  };
