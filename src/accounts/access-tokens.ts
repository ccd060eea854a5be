import type { AccessCaller } from '../kernel/caller.js';
import { newId } from '../kernel/id.js';
import { HOUR_MS, SECOND_MS } from '../kernel/time.js';
import type { Jwt } from '../platform/jwt/index.js';
import { FIRST_CREDENTIAL_VERSION } from './queries.js';

const ACCESS_TYP = 'access+jwt';
export const ACCESS_LIFETIME_MS = 12 * HOUR_MS;

interface AccessToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

export type AccessClaim = Omit<AccessCaller, 'kind'>;

export interface AccessTokens {
  issue(userId: string, credentialVersion: number, nowMs: number): AccessToken;
  identify(token: string, nowMs: number): AccessClaim | undefined;
}

export function createAccessTokens(jwt: Jwt): AccessTokens {
  return {
    issue(userId, credentialVersion, nowMs) {
      // JWTs use whole seconds. The response shows the same, rounded expiry.
      const iat = Math.floor(nowMs / SECOND_MS);
      const exp = Math.floor((nowMs + ACCESS_LIFETIME_MS) / SECOND_MS);
      const claims = { sub: userId, jti: newId(nowMs), ver: credentialVersion, iat, exp };
      return { token: jwt.sign(ACCESS_TYP, claims), expiresAtMs: exp * SECOND_MS };
    },

    identify(token, nowMs) {
      const claims = jwt.verify(ACCESS_TYP, token);
      if (!claims) return undefined;
      const { sub, exp, aud, jti, ver = FIRST_CREDENTIAL_VERSION } = claims;
      if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number') return undefined;
      // Only queue tokens have an audience.
      if (typeof ver !== 'number' || aud !== undefined || nowMs >= exp * SECOND_MS) return undefined;
      return { userId: sub, credentialVersion: ver, sessionId: typeof jti === 'string' ? jti : undefined };
    },
  };
}
