import type { IncomingMessage } from 'node:http';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Caller } from '../../kernel/caller.js';
import { Refusal } from '../../kernel/refusal.js';
import type { Identify } from '../../platform/web/index.js';
import type { Next } from './request-barrier.js';

export interface Authentication {
  /**
   * Comes first at every call of the API: who is calling, before anything else of the request is looked at, and then its
   * turn, so that whatever was answered before it came, by whichever process, its answer knows of.
   */
  readonly authenticate: onRequestHookHandler;
  /** This request has had its turn already, with this outcome. */
  readonly passedBarrier: (request: IncomingMessage, error: Error | undefined) => void;
}

export function createAuthenticate(deps: {
  readonly identify: Identify;
  readonly requireOperator: (caller: Caller) => Promise<unknown>;
  readonly afterBarrier: (next: Next) => void;
}): Authentication {
  const { identify, requireOperator, afterBarrier } = deps;
  const turns = new WeakMap<IncomingMessage, Error | undefined>();

  /** Where anybody may call, whoever shows a credential all the same has been here, too. */
  function callerOf(request: FastifyRequest): Caller | undefined {
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
      // What this throws, the framework answers.
      const caller = callerOf(request);
      const next = (error?: Error): void => {
        if (error || !caller || request.routeOptions.config.credential !== 'operator') done(error);
        else
          requireOperator(caller).then(() => {
            done();
          }, done);
      };
      if (turns.has(request.raw)) next(turns.get(request.raw));
      else afterBarrier(next);
    },
    passedBarrier(request, error) {
      turns.set(request, error);
    },
  };
}
