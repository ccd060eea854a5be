import type { IncomingMessage } from 'node:http';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Caller } from '../../kernel/caller.js';
import { denied, Refusal } from '../../kernel/refusal.js';
import type { Identify } from '../../platform/web/index.js';
import type { Next } from './request-barrier.js';

export type FindDenial = (caller: Caller) => Refusal | undefined | Promise<Refusal | undefined>;

export interface Authentication {
  /** The first hook of every API call: identifies the caller before parsing or validation, then waits at the barrier. */
  readonly authenticate: onRequestHookHandler;
  /** Marks a request that has already passed the barrier, with the barrier's result. */
  readonly passedBarrier: (request: IncomingMessage, error: Error | undefined) => void;
}

export function createAuthenticate(deps: {
  readonly identify: Identify;
  /** Why a token no longer serves: revoked, or ended with its place. Asked after the barrier: another process may know. */
  readonly findDenial: FindDenial;
  readonly requireOperator: (caller: Caller) => Promise<unknown>;
  readonly afterBarrier: (next: Next) => void;
  /** Called after the barrier, once this process knows what other processes did for the caller before the request. */
  readonly onCallerPassed?: ((caller: Caller) => void) | undefined;
}): Authentication {
  const { identify, findDenial, requireOperator, afterBarrier, onCallerPassed } = deps;
  const barrierResults = new WeakMap<IncomingMessage, Error | undefined>();

  /** Also identifies an optional credential on public routes, because any request keeps its user's place from being idle. */
  function findCaller(request: FastifyRequest): Caller | undefined {
    const { credential } = request.routeOptions.config;
    if (credential !== undefined) return requireKind(identify(request), credential);
    if (request.raw.headers.authorization === undefined) return undefined;
    try {
      return identify(request);
    } catch (error) {
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  }

  function checkCaller(request: FastifyRequest, caller: Caller, done: (error?: Error) => void): void {
    const { credential } = request.routeOptions.config;
    const denial = credential === undefined ? undefined : findDenial(caller);
    // Without a promise, because this is the path of most requests.
    if (denial instanceof Refusal || (denial === undefined && credential !== 'operator')) {
      done(denial);
      return;
    }
    Promise.resolve(denial)
      .then(async (refusal) => {
        if (refusal) throw refusal;
        if (credential === 'operator') await requireOperator(caller);
      })
      .then(() => {
        done();
      }, done);
  }

  return {
    authenticate(request, _reply, done) {
      // A refusal thrown here is answered by the error handler.
      const caller = findCaller(request);
      const next = (error?: Error): void => {
        if (error || !caller) {
          done(error);
          return;
        }
        onCallerPassed?.(caller);
        checkCaller(request, caller, done);
      };
      if (barrierResults.has(request.raw)) next(barrierResults.get(request.raw));
      else afterBarrier(next);
    },
    passedBarrier(request, error) {
      barrierResults.set(request, error);
    },
  };
}

/** A token of the other kind is as good as none. An operator call refuses a queue token as FORBIDDEN, later. */
function requireKind(caller: Caller, credential: string): Caller {
  if ((credential === 'access' || credential === 'queue') && caller.kind !== credential)
    throw denied('INVALID');
  return caller;
}
