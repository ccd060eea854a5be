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

/** Derives the types of a handler from the schemas of its route. */
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

export const API_PREFIX = '/api/v1';

/** Adds the routes of a module, under `API_PREFIX`. */
export type Routes = (app: App) => void;

/** Returns the caller of a request by its `Authorization` header, or refuses with `ACCESS_DENIED`. */
export type Identify = (request: FastifyRequest) => Caller;

/** Counts the call for the rate limits of its caller, or refuses it with `TOO_MANY_REQUESTS`. */
export type Limit = (request: FastifyRequest, caller: Caller) => Promise<void>;

export interface Answer<T> {
  readonly status: 200 | 201 | 204;
  readonly body: T;
}

/**
 * Runs a writing use case in one transaction and sends its answer. With an `Idempotency-Key` the answer is stored in
 * the same transaction, and a request with the same key and body gets the stored answer without running the work.
 */
export type Idempotently = <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  work: (tx: Tx) => Promise<Answer<T>>,
  /** A check that runs before the work. A replay skips it, so a client can always fetch a lost answer again. */
  before?: () => Promise<void> | void,
) => Promise<FastifyReply>;

/** Sends serialized JSON. */
export const sendJson = (reply: FastifyReply, json: Buffer | string): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(json);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The refusal codes of this route, for the API reference. */
    readonly refuses?: readonly RefusalCode[];
    /** A media type that the route sends besides, or instead of, JSON. */
    readonly produces?: 'text/event-stream' | 'text/csv' | 'image/*';
    /** The credential that the route requires, checked before anything else. Public if absent. */
    readonly credential?: 'access' | 'queue' | 'either' | 'operator';
    /** Whether the route honours an `Idempotency-Key`, for the API reference. */
    readonly idempotent?: boolean;
  }
}
