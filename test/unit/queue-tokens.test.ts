import { describe, expect, it } from 'vitest';
import { createJwt } from '../../src/platform/jwt/index.js';
import { createQueueTokens } from '../../src/waiting-room/places/queue-tokens.js';

const jwt = createJwt('a secret of at least thirty-two characters');
const tokens = createQueueTokens(jwt);
const PLACE = { userId: 'u', concertId: 'c', placeId: 'p', number: 7, joinedAt: '2027-01-15T08:00:00.123Z' };
const CLAIMS = { sub: 'u', aud: 'c', jti: 'p', num: 7, at: 1_800_000_000_123, ver: 2, exp: 1_800_009_000 };
const EXPIRES_AT_MS = 1_800_009_000_000;

describe('a queue token', () => {
  it('returns what it was issued for, every time, and is the same for the same place and version', () => {
    const token = tokens.issue(PLACE, 2, EXPIRES_AT_MS);
    for (let time = 0; time < 3; time += 1)
      expect(tokens.read(token)).toEqual({
        ...PLACE,
        token,
        credentialVersion: 2,
        expiresAtMs: EXPIRES_AT_MS,
      });
    expect(tokens.issue(PLACE, 2, EXPIRES_AT_MS)).toBe(token);
    expect(tokens.issue(PLACE, 3, EXPIRES_AT_MS)).not.toBe(token);
  });

  it.each([
    ['no number', { num: undefined }],
    ['a fractional number', { num: 7.5 }],
    ['a number as text', { num: '7' }],
    ['no time', { at: undefined }],
    ['a time out of range', { at: 8.64e15 + 1 }],
    ['no place', { jti: undefined }],
    ['two concerts', { aud: ['c', 'd'] }],
    ['no version', { ver: undefined }],
    ['a version as text', { ver: '2' }],
    ['no expiry', { exp: undefined }],
  ])('with %s is refused although it is signed with our secret', (_name, claims) => {
    const token = jwt.sign('queue+jwt', { ...CLAIMS, ...claims });
    for (let time = 0; time < 2; time += 1) expect(tokens.read(token)).toBeUndefined();
    expect(tokens.read(jwt.sign('queue+jwt', CLAIMS))).toMatchObject({ placeId: 'p' });
  });
});
