import type { PlaceClaim } from '../kernel/caller.js';
import type { Jwt } from '../platform/jwt/index.js';

const TYP = 'queue+jwt';

/**
 * A queue token carries its place's number, so that asking for the rank needs no look-up. It is a pure function of the
 * place and the key: joining again gives the very same token, and nothing has to be stored.
 */
export interface QueueTokens {
  issue(place: Omit<PlaceClaim, 'token'>): PlaceClaim;
  read(token: string): PlaceClaim | undefined;
}

export const createQueueTokens = (jwt: Jwt): QueueTokens => ({
  issue(place) {
    const { userId, concertId, placeId, number, joinedAtMs } = place;
    const token = jwt.sign(TYP, { sub: userId, aud: concertId, jti: placeId, num: number, at: joinedAtMs });
    return { ...place, token };
  },

  read(token) {
    const claims = jwt.verify(TYP, token);
    if (!claims) return undefined;
    const { sub, aud, jti, num, at } = claims;
    if (typeof sub !== 'string' || typeof aud !== 'string' || typeof jti !== 'string') return undefined;
    if (!isCount(num) || !isCount(at)) return undefined;
    return { token, userId: sub, concertId: aud, placeId: jti, number: num, joinedAtMs: at };
  },
});

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
