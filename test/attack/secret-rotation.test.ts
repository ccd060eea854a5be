import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../support/client.js';
import { sqlite } from '../support/databases.js';
import { isSigned } from '../support/forge.js';
import { join, joinActive, openSale, signInOperator, signUpFan } from '../support/sale.js';
import { SECRET, startServer } from '../support/server.js';
import { expectDenied } from '../support/shapes.js';

const NEW_SECRET = 'the new secret of this test';

it('rotating the secret keeps sessions and queue places until the old secret is removed', async () => {
  const { env, remove } = await sqlite.create();
  onTestFinished(remove);
  let server = await startServer({ ...env, FOYER_SECRET: SECRET });
  onTestFinished(async () => {
    await server.stop();
  });
  const restart = async (secrets: Record<string, string>) => {
    await server.stop();
    server = await startServer({ ...env, ...secrets });
    return createClient(server.url);
  };
  const before = createClient(server.url);
  const sale = await openSale(before, await signInOperator(before), { policy: { maxActive: 1 } });
  await joinActive(before, await signUpFan(before), sale);
  const fan = await signUpFan(before);
  const { token } = (await join(before, fan, sale)).body;
  expect([isSigned(fan.accessToken), isSigned(token)]).toEqual([true, true]);

  const during = await restart({ FOYER_SECRET: NEW_SECRET, FOYER_SECRET_OTHER: SECRET });
  expect((await during.get('/users/me', fan.accessToken)).body.id).toBe(fan.id);
  expect((await during.get('/queue-tokens/me', token)).body).toMatchObject({ status: 'WAITING', rank: 1 });
  // Signing in or joining during the rotation returns a token signed with the new secret, for the same account and place.
  const session = await during.post('/sessions', undefined, { email: fan.email, password: 'fan-password' });
  expect(isSigned(session.body.accessToken)).toBe(false);
  const rejoined = await join(during, fan, sale);
  expect(rejoined.status).toBe(200);
  expect(isSigned(rejoined.body.token)).toBe(false);

  const after = await restart({ FOYER_SECRET: NEW_SECRET });
  expectDenied(await after.get('/users/me', fan.accessToken), 401, 'INVALID');
  expectDenied(await after.get('/queue-tokens/me', token), 401, 'INVALID');
  expect((await after.get('/users/me', session.body.accessToken)).body.id).toBe(fan.id);
  expect((await after.get('/queue-tokens/me', rejoined.body.token)).body).toMatchObject({
    status: 'WAITING',
    rank: 1,
  });
});
