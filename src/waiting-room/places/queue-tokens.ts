import type { Place, PlaceClaim } from '../../kernel/caller.js';
import { iso, SECOND_MS } from '../../kernel/time.js';
import type { Jwt } from '../../platform/jwt/index.js';

const TYP = 'queue+jwt';
/** The latest time that a `Date` can represent. */
const TIME_MAX_MS = 8.64e15;

/**
 * A queue token carries its place's number, so a rank needs no look-up. The token is a pure function of the place, the
 * version of the account's credentials, the concert's last date and the signing key: joining again returns the same token, and no token is stored.
 */
export interface QueueTokens {
  issue(place: Place, credentialVersion: number, expiresAtMs: number): string;
  read(token: string): PlaceClaim | undefined;
}

export function createQueueTokens(jwt: Jwt): QueueTokens {
  /** Parsed claims, by the verified JWT claims that the JWT cache returns for a repeated token. */
  const known = new WeakMap<object, PlaceClaim>();

  return {
    issue: ({ userId, concertId, placeId, number, joinedAt }, credentialVersion, expiresAtMs) =>
      jwt.sign(TYP, {
        sub: userId,
        aud: concertId,
        jti: placeId,
        num: number,
        at: Date.parse(joinedAt),
        ver: credentialVersion,
        exp: Math.floor(expiresAtMs / SECOND_MS),
      }),

    read(token) {
      const claims = jwt.verify(TYP, token);
      if (!claims) return undefined;
      const before = known.get(claims);
      if (before) return before;
      const { sub, aud, jti, num, at, ver, exp } = claims;
      if (typeof sub !== 'string' || typeof aud !== 'string' || typeof jti !== 'string') return undefined;
      if (!isCount(num) || !isCount(at) || at > TIME_MAX_MS) return undefined;
      if (typeof ver !== 'number' || typeof exp !== 'number') return undefined;
      const claim = {
        token,
        userId: sub,
        concertId: aud,
        placeId: jti,
        number: num,
        joinedAt: iso(at),
        credentialVersion: ver,
        expiresAtMs: exp * SECOND_MS,
      };
      known.set(claims, claim);
      return claim;
    },
  };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
