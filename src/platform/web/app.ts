import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type {} from '@fastify/swagger';
import type { Static, TSchema } from 'typebox';
import type { Caller } from '../../kernel/caller.js';
import type { RefusalCode } from '../../kernel/refusal.js';
import type { Tx } from '../sql/index.js';

/** Makes a route's schemas the types of its handler. */
export interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  SchemaTypes
>;

/** What a room hands to the server: its routes, added under `/api/v1`. */
export type Routes = (app: App) => void;

/** Who is calling, by the request's `Authorization`; refuses with `ACCESS_DENIED` when nobody can be told. */
export type Identify = (request: FastifyRequest) => Caller;

export interface Answer<T> {
  readonly status: 200 | 201 | 204;
  readonly body: T;
}

/**
 * Runs a writing use case in one transaction and sends its answer. With an `Idempotency-Key` the answer is kept in that
 * same transaction, and the same key and body are answered with it again before the work is even asked.
 */
export type Idempotently = <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  work: (tx: Tx) => Promise<Answer<T>>,
  /** Asked first, unless the answer is a replay: whoever lost an answer may always ask for it again. */
  before?: () => Promise<void> | void,
) => Promise<FastifyReply>;

/** Sends what is JSON already, past the serializer. */
export const sendJson = (reply: FastifyReply, json: Buffer | string): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(json);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The refusals this route may answer, for the API reference. */
    readonly refuses?: readonly RefusalCode[];
    /** What it answers beside JSON, or instead of it. */
    readonly produces?: 'text/event-stream' | 'text/csv';
    /** Which credentials the route takes: nothing else of a request is looked at before them. None: public. */
    readonly credential?: 'access' | 'queue' | 'either' | 'operator';
    /** Whether the route honours an `Idempotency-Key`, for the API reference. */
    readonly idempotent?: boolean;
  }
}
