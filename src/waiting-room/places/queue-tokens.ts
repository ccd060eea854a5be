import type { PlaceClaim } from '../../kernel/caller.js';
import { iso } from '../../kernel/time.js';
import type { Jwt } from '../../platform/jwt/index.js';

const TYP = 'queue+jwt';
/** The last instant that a `Date` can name. */
const TIME_MAX_MS = 8.64e15;

/**
 * A queue token carries its place's number, so that asking for the rank needs no look-up. It is a pure function of the
 * place and the key: joining again gives the very same token, and nothing has to be stored.
 */
export interface QueueTokens {
  issue(place: Omit<PlaceClaim, 'token' | 'joinedAt'> & { readonly joinedAtMs: number }): PlaceClaim;
  read(token: string): PlaceClaim | undefined;
}

export function createQueueTokens(jwt: Jwt): QueueTokens {
  /** Whoever polls once polls again: verified claims are remembered, and so is what they say. */
  const known = new WeakMap<object, PlaceClaim>();

  return {
    issue({ userId, concertId, placeId, number, joinedAtMs }) {
      const token = jwt.sign(TYP, { sub: userId, aud: concertId, jti: placeId, num: number, at: joinedAtMs });
      return { token, userId, concertId, placeId, number, joinedAt: iso(joinedAtMs) };
    },

    read(token) {
      const claims = jwt.verify(TYP, token);
      if (!claims) return undefined;
      const before = known.get(claims);
      if (before) return before;
      const { sub, aud, jti, num, at } = claims;
      if (typeof sub !== 'string' || typeof aud !== 'string' || typeof jti !== 'string') return undefined;
      if (!isCount(num) || !isCount(at) || at > TIME_MAX_MS) return undefined;
      const claim = { token, userId: sub, concertId: aud, placeId: jti, number: num, joinedAt: iso(at) };
      known.set(claims, claim);
      return claim;
    },
  };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
