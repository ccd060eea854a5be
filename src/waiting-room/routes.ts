import { type FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { NullableNotice } from '../catalog/index.js';
import type { AccessCaller, PlaceClaim } from '../kernel/caller.js';
import { denied } from '../kernel/refusal.js';
import type { UserQueue } from '../platform/rate-limit/index.js';
import {
  closed,
  ConcertParams,
  Count,
  Id,
  type Identify,
  type Limit,
  NoBody,
  Nullable,
  type Routes,
  Timestamp,
} from '../platform/web/index.js';
import type { QueueToken } from './places/queue-token-view.js';
import type { Joined } from './join/join.js';
import type { PlaceStreams } from './streams/place-streams.js';

const QueueTokenSchema = closed({
  token: Type.String(),
  concertId: Id,
  status: Type.Unsafe<QueueToken['status']>({
    type: 'string',
    enum: ['WAITING', 'ACTIVE', 'DONE', 'EXPIRED', 'CLOSED'],
  }),
  rank: Count,
  ahead: Count,
  joinedAt: Timestamp,
  activatedAt: Nullable(Timestamp),
  expiresAt: Nullable(Timestamp),
  estimatedWaitSeconds: Nullable(Count),
  pollAfterMs: Count,
  paused: Type.Boolean({ description: 'While WAITING: no one is admitted at the moment' }),
  notice: NullableNotice,
});

const TAGS = { tags: ['Waiting room'] };

export interface WaitingRoomRouteDeps {
  readonly streams: PlaceStreams;
  readonly join: (caller: AccessCaller, concertId: string) => Promise<Joined>;
  readonly leave: (claim: PlaceClaim) => Promise<void>;
  readonly poll: (claim: PlaceClaim) => QueueToken | Promise<QueueToken>;
  readonly identify: Identify;
  readonly limit: { readonly join: Limit; readonly leave: Limit };
  readonly userQueue: UserQueue;
}

export const waitingRoomRoutes =
  (deps: WaitingRoomRouteDeps): Routes =>
  (app) => {
    const { streams, join, leave, poll, identify, limit, userQueue } = deps;

    const placeOf = (request: FastifyRequest): PlaceClaim => {
      const caller = identify(request);
      if (caller.kind !== 'queue') throw denied('INVALID');
      return caller.place;
    };

    app.post(
      '/concerts/:concertId/queue-tokens',
      {
        schema: {
          ...TAGS,
          summary: 'Join the waiting room, or get the place you already have',
          params: ConcertParams,
          body: NoBody,
          response: { 200: QueueTokenSchema, 201: QueueTokenSchema },
        },
        config: {
          credential: 'access',
          refuses: [
            'ACCESS_DENIED',
            'CONCERT_NOT_FOUND',
            'USER_NOT_FOUND',
            'SALES_NOT_OPEN',
            'SALES_CLOSED',
            'SOLD_OUT',
            'TOO_MANY_REQUESTS',
          ],
        },
      },
      async (request, reply) => {
        const caller = identify(request);
        if (caller.kind !== 'access') throw denied('INVALID');
        await limit.join(request, caller);
        const { queueToken, isNew } = await join(caller, request.params.concertId);
        return reply.code(isNew ? 201 : 200).send(queueToken);
      },
    );

    app.get(
      '/queue-tokens/me',
      {
        schema: { ...TAGS, summary: 'How your place stands', response: { 200: QueueTokenSchema } },
        config: { credential: 'queue', refuses: ['ACCESS_DENIED'] },
      },
      (request) => poll(placeOf(request)),
    );

    app.delete(
      '/queue-tokens/me',
      {
        schema: { ...TAGS, summary: 'Give your place up for good', response: { 204: Type.Null() } },
        config: { credential: 'queue', refuses: ['ACCESS_DENIED', 'TOO_MANY_REQUESTS'] },
      },
      async (request, reply) => {
        const place = placeOf(request);
        await limit.leave(request, identify(request));
        await userQueue(place.userId, () => leave(place));
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/queue-tokens/me/events',
      {
        // A HEAD request would open a stream.
        exposeHeadRoute: false,
        schema: {
          ...TAGS,
          summary:
            'Your place as it changes (text/event-stream): position, admitted, expired, closed, hold-expired',
        },
        config: {
          credential: 'queue',
          produces: 'text/event-stream',
          refuses: ['ACCESS_DENIED', 'TOO_MANY_STREAMS'],
        },
      },
      async (request, reply) => {
        await streams.open(reply, placeOf(request));
        return reply;
      },
    );
  };
