import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createIdentify } from '../../src/http/index.js';
import type { Caller, PlaceClaim } from '../../src/kernel/caller.js';
import { createHttpApp } from '../support/http-app.js';

const NOW_MS = 1_800_000_000_000;
const PLACE: PlaceClaim = {
  token: 'queue-token',
  userId: 'user-2',
  concertId: 'concert-1',
  placeId: 'place-1',
  number: 7,
  joinedAt: '1970-01-01T00:00:00.001Z',
  credentialVersion: 0,
  expiresAtMs: NOW_MS,
};

const ACCOUNT = { userId: 'user-1', credentialVersion: 2, sessionId: 'session-1' };

let lookups: string[] = [];
let reported: [Caller, number][] = [];

const identify = createIdentify({
  identifyAccess(token, nowMs) {
    lookups.push(`access ${token} ${nowMs}`);
    return token === 'access-token' ? ACCOUNT : undefined;
  },
  identifyPlace(token) {
    lookups.push(`place ${token}`);
    return token === PLACE.token ? PLACE : undefined;
  },
  nowMs: () => NOW_MS,
  onCaller: (caller, nowMs) => reported.push([caller, nowMs]),
});

const { app } = createHttpApp([
  (routes) => {
    routes.get('/me', (request) => {
      const caller = identify(request);
      return { caller, isSame: identify(request) === caller };
    });
  },
]);
afterAll(() => app.close());
beforeEach(() => {
  lookups = [];
  reported = [];
});

const call = async (authorization?: string) => {
  const answer = await app.inject({
    url: '/api/v1/me',
    headers: authorization === undefined ? {} : { authorization },
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
};

describe('identify', () => {
  it('returns the account of an access token', async () => {
    const caller = { kind: 'access', ...ACCOUNT };
    expect((await call('Bearer access-token')).body).toEqual({ caller, isSame: true });
    expect(lookups).toEqual(['place access-token', `access access-token ${NOW_MS}`]);
  });

  it('returns the place and the account of a queue token', async () => {
    const caller = { kind: 'queue', userId: 'user-2', place: PLACE };
    expect((await call('Bearer queue-token')).body).toEqual({ caller, isSame: true });
  });

  it('verifies the token and reports the caller once per request', async () => {
    await call('Bearer queue-token');
    expect(lookups).toEqual(['place queue-token']);
    expect(reported).toEqual([[{ kind: 'queue', userId: 'user-2', place: PLACE }, NOW_MS]]);
  });

  it.each(['bearer access-token', 'BEARER access-token', 'Bearer   access-token'])(
    'accepts "%s"',
    async (authorization) => {
      expect((await call(authorization)).status).toBe(200);
    },
  );

  it('refuses a request without a credential', async () => {
    const answer = await call();
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 'ACCESS_DENIED', reason: 'MISSING' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'access-token',
    'Basic access-token',
    'Bearer forged',
    'Beareraccess-token',
  ])('refuses "%s"', async (authorization) => {
    const answer = await call(authorization);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 'ACCESS_DENIED', reason: 'INVALID' });
    expect(reported).toEqual([]);
  });
});
