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

const GUARDED = operations().filter(
  ({ acceptsAccessToken, acceptsQueueToken }) => acceptsAccessToken || acceptsQueueToken,
);
const OPEN = [
  'POST /users',
  'POST /sessions',
  'GET /concerts',
  'GET /concerts/{id}',
  'GET /concerts/{id}/overview',
];

describe('tokens', () => {
  const foyer = useFoyer(sqlite);

  it('are asked for by every call but those for everybody', () => {
    const open = operations().filter(
      ({ acceptsAccessToken, acceptsQueueToken }) => !acceptsAccessToken && !acceptsQueueToken,
    );
    expect(open.map(({ name }) => name).sort()).toEqual([...OPEN].sort());
  });

  it.each(GUARDED)('that are forged open nothing: $name', async ({ method, path, body }) => {
    const { client, operator } = foyer;
    const { sub } = readToken(operator).claims;
    const me = String(sub);
    const [header = '', payload = '', signature = ''] = operator.split('.');
    const [, othersPayload = ''] = forgeAccess(randomUUID()).split('.');
    const place = {
      header: { alg: 'HS256', typ: 'queue+jwt' },
      claims: { aud: randomUUID(), jti: randomUUID(), num: 1, at: Date.now(), exp: undefined },
    };
    const forgeries = {
      'of another Foyer': forgeAccess(me, { secret: 'the secret of another one' }),
      'of a place, of another Foyer': forgeAccess(me, { ...place, secret: 'the secret of another one' }),
      'of an empty secret': forgeAccess(me, { secret: '' }),
      unsigned: forgeAccess(me, { header: { alg: 'none' } }),
      'without its signature': `${header}.${payload}.`,
      'with claims swapped in': `${header}.${othersPayload}.${signature}`,
      'signed in another way': forgeAccess(me, { header: { alg: 'HS512' } }),
      'that claims to be signed by a key pair': forgeAccess(me, { header: { alg: 'RS256' } }),
      'of no kind': forgeAccess(me, { header: { typ: 'JWT' } }),
      'of another issuer': forgeAccess(me, { claims: { iss: 'someone' } }),
      'that has ended': forgeAccess(me, { claims: { exp: secondsFromNow(-1) } }),
      'that names its own key': forgeAccess(me, { header: { kid: '../../dev/null', crit: ['kid'] } }),
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

  it('of one kind never pass for the other, though rightly signed', async () => {
    const { client, operator } = foyer;
    const booking = await startBooking(foyer);
    const asPlace = resign(booking.fan.accessToken, { header: { typ: 'queue+jwt' } });
    const asAccess = resign(booking.token, { header: { typ: 'access+jwt' } });
    for (const token of [asPlace, asAccess])
      expectDenied(await client.get('/users/me', token), 401, 'INVALID');
    for (const { method, path, body } of GUARDED.filter(({ acceptsQueueToken }) => !acceptsQueueToken)) {
      const status = (await client.call(method, path, { token: booking.token, body })).status;
      expect([401, 403], `${method} ${path}`).toContain(status);
    }
    for (const { method, path, body } of GUARDED.filter(({ acceptsAccessToken }) => !acceptsAccessToken))
      expectDenied(await client.call(method, path, { token: operator, body }), 401, 'INVALID');
  });

  it('say nothing about the role: it is asked for at each call', async () => {
    const { client } = foyer;
    const fan = await signUpFan(client);
    const promoted = resign(fan.accessToken, { claims: { role: 'OPERATOR', admin: true } });
    expect((await client.get('/operator/concerts', promoted)).status).toBe(403);
  });

  it('of a place open nothing once it was left, used up or joined anew', async () => {
    const { client, operator } = foyer;
    const used = await startBooking(foyer, { balance: PRICE });
    const reservation = await claim(client, used.token, used.sale, used.seats.slice(0, 1));
    await payFor(client, used.token, reservation.id);
    const seats = (token: string) => client.get(`/schedules/${used.scheduleId}/seats`, token);
    expectDenied(await seats(used.token), 403, 'USED');
    // Joining again makes a new place; the old token stays worth nothing.
    expect((await join(client, used.fan, used.sale)).status).toBe(201);
    expectDenied(await seats(used.token), 403, 'USED');

    const sale = await openSale(client, operator);
    const fan = await signUpFan(client);
    const { token } = (await join(client, fan, sale)).body;
    await leave(client, token);
    await join(client, fan, sale);
    expectDenied(await poll(client, token), 403, 'LEFT');
  });

  it('cannot be asked for in the address, where logs and histories would keep them', async () => {
    const { url, operator } = foyer;
    for (const name of ['token', 'access_token', 'authorization']) {
      const answer = await fetch(`${url}/api/v1/users/me?${name}=${operator}`);
      expect(answer.status).toBe(401);
    }
    const answer = await fetch(`${url}/api/v1/users/me`, { headers: { cookie: `token=${operator}` } });
    expect(answer.status).toBe(401);
  });
});
