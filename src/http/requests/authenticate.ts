import type { IncomingMessage } from 'node:http';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Caller } from '../../kernel/caller.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Identify } from '../../platform/web/index.js';
import type { Next } from './request-barrier.js';

export interface Authentication {
  /** The first hook of every API call: identifies the caller before parsing or validation, then waits at the barrier. */
  readonly authenticate: onRequestHookHandler;
  /** Marks a request that has already passed the barrier, with the barrier's result. */
  readonly passedBarrier: (request: IncomingMessage, error: Error | undefined) => void;
}

export function createAuthenticate(deps: {
  readonly identify: Identify;
  readonly requireOperator: (caller: Caller) => Promise<unknown>;
  readonly afterBarrier: (next: Next) => void;
}): Authentication {
  const { identify, requireOperator, afterBarrier } = deps;
  const barrierResults = new WeakMap<IncomingMessage, Error | undefined>();

  /** Also identifies an optional credential on public routes, because any request keeps its user's place from being idle. */
  function findCaller(request: FastifyRequest): Caller | undefined {
    if (request.routeOptions.config.credential !== undefined) return identify(request);
    if (request.raw.headers.authorization === undefined) return undefined;
    try {
      return identify(request);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  return {
    authenticate(request, _reply, done) {
      // A refusal thrown here is answered by the error handler.
      const caller = findCaller(request);
      const next = (error?: Error): void => {
        if (error || !caller || request.routeOptions.config.credential !== 'operator') done(error);
        else
          requireOperator(caller).then(() => {
            done();
          }, done);
      };
      if (barrierResults.has(request.raw)) next(barrierResults.get(request.raw));
      else afterBarrier(next);
    },
    passedBarrier(request, error) {
      barrierResults.set(request, error);
    },
  };
}
