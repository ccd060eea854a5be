import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../support/client.js';
import { sqlite } from '../support/databases.js';
import { isSigned } from '../support/forge.js';
import { join, joinActive, openSale, signInOperator, signUpFan } from '../support/sale.js';
import { SECRET, startServer } from '../support/server.js';
import { expectDenied } from '../support/shapes.js';

const NEXT = 'the secret from tomorrow on';

it('the secret is changed without signing anyone out or moving anyone in line', async () => {
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

  const during = await restart({ FOYER_SECRET: NEXT, FOYER_SECRET_OTHER: SECRET });
  expect((await during.get('/users/me', fan.accessToken)).body.id).toBe(fan.id);
  expect((await during.get('/queue-tokens/me', token)).body).toMatchObject({ status: 'WAITING', rank: 1 });
  // Whoever signs in or joins meanwhile gets a token of the new secret, for the same account and place.
  const session = await during.post('/sessions', undefined, { email: fan.email, password: 'fan-password' });
  expect(isSigned(session.body.accessToken)).toBe(false);
  const again = await join(during, fan, sale);
  expect(again.status).toBe(200);
  expect(isSigned(again.body.token)).toBe(false);

  const after = await restart({ FOYER_SECRET: NEXT });
  expectDenied(await after.get('/users/me', fan.accessToken), 401, 'INVALID');
  expectDenied(await after.get('/queue-tokens/me', token), 401, 'INVALID');
  expect((await after.get('/users/me', session.body.accessToken)).body.id).toBe(fan.id);
  expect((await after.get('/queue-tokens/me', again.body.token)).body).toMatchObject({
    status: 'WAITING',
    rank: 1,
  });
});
