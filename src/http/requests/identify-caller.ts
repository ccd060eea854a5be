import type { FastifyRequest } from 'fastify';
import type { Caller, PlaceClaim } from '../../kernel/caller.js';
import { denied } from '../../kernel/refusal.js';
import type { Clock } from '../../kernel/time.js';
import type { Identify } from '../../platform/web/index.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling, once it has been asked. */
    caller: Caller | null;
  }
}

export interface IdentifyDeps {
  /** The account an access token speaks for, unless it is forged, expired or no access token. */
  readonly identifyAccess: (token: string, nowMs: number) => Pick<Caller, 'userId'> | undefined;
  /** The place a queue token speaks for, unless it is forged or no queue token. */
  readonly identifyPlace: (token: string) => PlaceClaim | undefined;
  readonly nowMs: Clock;
  /** Told once a request who made it: a place whose owner is heard of is not idle. */
  readonly onCaller?: (caller: Caller, nowMs: number) => void;
}

const SCHEME = 'Bearer ';
const SCHEME_ANY_CASE = /^bearer +/i;

export function tokenOf(authorization: string): string | undefined {
  if (authorization.startsWith(SCHEME) && authorization.charCodeAt(SCHEME.length) !== 0x20) {
    return authorization.slice(SCHEME.length);
  }
  const scheme = SCHEME_ANY_CASE.exec(authorization);
  return scheme ? authorization.slice(scheme[0].length) : undefined;
}

export function createIdentify({ identifyAccess, identifyPlace, nowMs, onCaller }: IdentifyDeps): Identify {
  function callerOf(token: string, now: number): Caller | undefined {
    // Polling is most of the traffic, and polls carry queue tokens.
    const place = identifyPlace(token);
    if (place) return { kind: 'queue', userId: place.userId, place };
    const account = identifyAccess(token, now);
    return account && { kind: 'access', userId: account.userId };
  }

  return (request: FastifyRequest): Caller => {
    // Absent, and not null, where a server was made without the decoration.
    if (request.caller) return request.caller;
    const { authorization } = request.raw.headers;
    if (authorization === undefined) throw denied('MISSING');
    const token = tokenOf(authorization);
    const now = nowMs();
    const caller = token === undefined ? undefined : callerOf(token, now);
    if (!caller) throw denied('INVALID');
    request.caller = caller;
    onCaller?.(caller, now);
    return caller;
  };
}
