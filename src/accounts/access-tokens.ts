import { HOUR_MS, SECOND_MS } from '../kernel/time.js';
import type { Jwt } from '../platform/jwt/index.js';

const ACCESS_TYP = 'access+jwt';
const ACCESS_LIFETIME_MS = 12 * HOUR_MS;

export interface AccessToken {
  readonly token: string;
  readonly expiresAtMs: number;
}

export interface AccessTokens {
  issue(userId: string, nowMs: number): AccessToken;
  identify(token: string, nowMs: number): { readonly userId: string } | undefined;
}

export function createAccessTokens(jwt: Jwt): AccessTokens {
  return {
    issue(userId, nowMs) {
      // JWTs use whole seconds. The response shows the same, rounded expiry.
      const exp = Math.floor((nowMs + ACCESS_LIFETIME_MS) / SECOND_MS);
      return { token: jwt.sign(ACCESS_TYP, { sub: userId, exp }), expiresAtMs: exp * SECOND_MS };
    },

    identify(token, nowMs) {
      const claims = jwt.verify(ACCESS_TYP, token);
      if (!claims) return undefined;
      const { sub, exp } = claims;
      if (typeof sub !== 'string' || sub === '' || typeof exp !== 'number') return undefined;
      return nowMs < exp * SECOND_MS ? { userId: sub } : undefined;
    },
  };
}
