import type { FastifyRequest } from 'fastify';
import type { AccessCaller, Caller, PlaceClaim } from '../../kernel/caller.js';
import { denied } from '../../kernel/refusal.js';
import type { Clock } from '../../kernel/time.js';
import type { Identify } from '../../platform/web/index.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Cached by `identify`. */
    caller: Caller | null;
  }
}

export interface IdentifyDeps {
  /** The user of an access token; undefined if it is forged, expired, revoked or not an access token. */
  readonly identifyAccess: (token: string, nowMs: number) => Omit<AccessCaller, 'kind'> | undefined;
  /** The place of a queue token; undefined if it is forged, revoked or not a queue token. */
  readonly identifyPlace: (token: string) => PlaceClaim | undefined;
  readonly nowMs: Clock;
  /** Called once per identified request, so that the caller's place does not become idle. */
  readonly onCaller?: (caller: Caller, nowMs: number) => void;
}

const SCHEME = 'Bearer ';
const SCHEME_ANY_CASE = /^bearer +/i;

export function bearerToken(authorization: string): string | undefined {
  if (authorization.startsWith(SCHEME) && authorization.charCodeAt(SCHEME.length) !== 0x20) {
    return authorization.slice(SCHEME.length);
  }
  const scheme = SCHEME_ANY_CASE.exec(authorization);
  return scheme ? authorization.slice(scheme[0].length) : undefined;
}

export function createIdentify({ identifyAccess, identifyPlace, nowMs, onCaller }: IdentifyDeps): Identify {
  function callerOf(token: string, now: number): Caller | undefined {
    // Queue tokens first: most requests are polls.
    const place = identifyPlace(token);
    if (place) return { kind: 'queue', userId: place.userId, place };
    const account = identifyAccess(token, now);
    return account && { kind: 'access', ...account };
  }

  return (request: FastifyRequest): Caller => {
    // Undefined, contrary to its type, if the server has no `caller` decoration.
    if (request.caller) return request.caller;
    const { authorization } = request.raw.headers;
    if (authorization === undefined) throw denied('MISSING');
    const token = bearerToken(authorization);
    const now = nowMs();
    const caller = token === undefined ? undefined : callerOf(token, now);
    if (!caller) throw denied('INVALID');
    request.caller = caller;
    onCaller?.(caller, now);
    return caller;
  };
}
