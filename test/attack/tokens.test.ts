import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { operations } from '../support/attack/operations.js';
import { poll, startBooking } from '../support/booking.js';
import { sqlite } from '../support/databases.js';
import { forgeAccess, readToken, resign, secondsFromNow } from '../support/forge.js';
import { useFoyer } from '../support/foyer.js';
import { join, openSale, PRICE, signUpFan } from '../support/sale.js';
import { expectDenied } from '../support/shapes.js';
import { claim, leave, payFor } from '../support/steps.js';

const CALLS_WITH_TOKEN = operations().filter(
  ({ acceptsAccessToken, acceptsQueueToken }) => acceptsAccessToken || acceptsQueueToken,
);
const PUBLIC_CALLS = [
  'POST /users',
  'POST /sessions',
  // The mailed token in the path is the credential.
  'POST /password-resets',
  'POST /password-resets/{token}',
  'POST /email-verifications/{token}',
  'GET /concerts',
  'GET /concerts/{id}',
  'GET /concerts/{id}/overview',
  'GET /concerts/{id}/posters/{hash}',
];

describe('tokens', () => {
  const foyer = useFoyer(sqlite);

  it('are required by every call except the public ones', () => {
    const withoutToken = operations().filter(
      ({ acceptsAccessToken, acceptsQueueToken }) => !acceptsAccessToken && !acceptsQueueToken,
    );
    expect(withoutToken.map(({ name }) => name).sort()).toEqual([...PUBLIC_CALLS].sort());
  });

  it.each(CALLS_WITH_TOKEN)('that are forged are refused with 401: $name', async ({ method, path, body }) => {
    const { client, operator } = foyer;
    const { sub } = readToken(operator).claims;
    const me = String(sub);
    const [header = '', payload = '', signature = ''] = operator.split('.');
    const [, othersPayload = ''] = forgeAccess(randomUUID()).split('.');
    const place = {
      header: { alg: 'HS256', typ: 'queue+jwt' },
      claims: { aud: randomUUID(), jti: randomUUID(), num: 1, at: Date.now(), ver: 0 },
    };
    const forgeries = {
      'signed by another Foyer': forgeAccess(me, { secret: 'the secret of another one' }),
      'a queue token signed by another Foyer': forgeAccess(me, {
        ...place,
        secret: 'the secret of another one',
      }),
      'signed with an empty secret': forgeAccess(me, { secret: '' }),
      unsigned: forgeAccess(me, { header: { alg: 'none' } }),
      'without its signature': `${header}.${payload}.`,
      'with the claims of another token': `${header}.${othersPayload}.${signature}`,
      'signed with HS512': forgeAccess(me, { header: { alg: 'HS512' } }),
      'with the algorithm RS256 in the header': forgeAccess(me, { header: { alg: 'RS256' } }),
      'with an unknown type': forgeAccess(me, { header: { typ: 'JWT' } }),
      'with another issuer': forgeAccess(me, { claims: { iss: 'someone' } }),
      expired: forgeAccess(me, { claims: { exp: secondsFromNow(-1) } }),
      'with a key id in the header': forgeAccess(me, { header: { kid: '../../dev/null', crit: ['kid'] } }),
    };
    const answers: Record<string, unknown> = {};
    for (const [name, token] of Object.entries(forgeries)) {
      const answer = await client.call(method, path, { token, body });
      answers[name] = [answer.status, answer.body?.code, answer.body?.reason];
    }
    const refused = Object.keys(forgeries).map((name) => [name, [401, 'ACCESS_DENIED', 'INVALID']]);
    expect(answers).toEqual(Object.fromEntries(refused));
    expectDenied(await client.call(method, path, { body }), 401, 'MISSING');
  });

  it('of one kind are not accepted as the other kind, even with a valid signature', async () => {
    const { client, operator } = foyer;
    const booking = await startBooking(foyer);
    const accessAsQueue = resign(booking.fan.accessToken, { header: { typ: 'queue+jwt' } });
    const queueAsAccess = resign(booking.token, { header: { typ: 'access+jwt' } });
    for (const token of [accessAsQueue, queueAsAccess])
      expectDenied(await client.get('/users/me', token), 401, 'INVALID');
    for (const { method, path, body } of CALLS_WITH_TOKEN.filter(
      ({ acceptsQueueToken }) => !acceptsQueueToken,
    )) {
      const status = (await client.call(method, path, { token: booking.token, body })).status;
      expect([401, 403], `${method} ${path}`).toContain(status);
    }
    for (const { method, path, body } of CALLS_WITH_TOKEN.filter(
      ({ acceptsAccessToken }) => !acceptsAccessToken,
    ))
      expectDenied(await client.call(method, path, { token: operator, body }), 401, 'INVALID');
  });

  it('do not decide the role, which is read from the database at each call', async () => {
    const { client } = foyer;
    const fan = await signUpFan(client);
    const promoted = resign(fan.accessToken, { claims: { role: 'OPERATOR', admin: true } });
    expect((await client.get('/operator/concerts', promoted)).status).toBe(403);
  });

  it('of a left or consumed place are refused, even after the fan has joined again', async () => {
    const { client, operator } = foyer;
    const used = await startBooking(foyer, { balance: PRICE });
    const reservation = await claim(client, used.token, used.sale, used.seats.slice(0, 1));
    await payFor(client, used.token, reservation.id);
    const seats = (token: string) => client.get(`/schedules/${used.scheduleId}/seats`, token);
    expectDenied(await seats(used.token), 403, 'USED');
    // Joining again creates a new place and does not revive the old token.
    expect((await join(client, used.fan, used.sale)).status).toBe(201);
    expectDenied(await seats(used.token), 403, 'USED');

    const sale = await openSale(client, operator);
    const fan = await signUpFan(client);
    const { token } = (await join(client, fan, sale)).body;
    await leave(client, token);
    await join(client, fan, sale);
    expectDenied(await poll(client, token), 403, 'LEFT');
  });

  it('are not accepted in the URL or in a cookie', async () => {
    const { url, operator } = foyer;
    for (const name of ['token', 'access_token', 'authorization']) {
      const answer = await fetch(`${url}/api/v1/users/me?${name}=${operator}`);
      expect(answer.status).toBe(401);
    }
    const answer = await fetch(`${url}/api/v1/users/me`, { headers: { cookie: `token=${operator}` } });
    expect(answer.status).toBe(401);
  });
});
