import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Answer, Client } from '../support/client.js';
import { DATABASES, sqlite } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { linkTokenTo } from '../support/mailbox.js';
import { signUpFan } from '../support/sale.js';

/** Slower than in other tests, so that a flood fills the queue. */
const SLOW_HASHES = { FOYER_PASSWORD_MEMORY_MIB: '19' };
const PROXY = { FOYER_RATE_LIMITS: 'on', FOYER_TRUST_PROXY: '127.0.0.1' };
const PASSWORD = 'fan-password';
const FLOOD = 240;
const CLIENTS = 8;

const signIn = (client: Client, email: string, password: string, from: string): Promise<Answer> =>
  client.call('POST', '/sessions', { body: { email, password }, headers: { 'x-forwarded-for': from } });

/** Sends all of them concurrently and counts the answers. */
function flood(count: number, send: (index: number) => Promise<Answer>) {
  let answered = 0;
  const sent = Array.from({ length: count }, async (_, index) => {
    const answer = await send(index);
    answered += 1;
    return answer;
  });
  return { answered: () => answered, first: Promise.race(sent), all: Promise.all(sent) };
}

describe('a flood of password hashes', () => {
  const foyer = useOwnFoyer(sqlite, { ...PROXY, ...SLOW_HASHES });

  it('of sign-ins by eight clients does not keep a ninth client from signing in', async () => {
    const { client } = foyer;
    const fan = await signUpFan(client);
    const guesses = flood(FLOOD, (index) =>
      signIn(client, `g${index}@fans.example`, 'a-wrong-guess', `198.51.100.${index % CLIENTS}`),
    );
    await guesses.first;
    expect((await signIn(client, fan.email, PASSWORD, '203.0.113.1')).status).toBe(201);
    // Those who are signed in need no hash.
    expect((await client.get('/wallet', fan.accessToken)).status).toBe(200);
    expect(guesses.answered()).toBeLessThan(FLOOD / 2);
    await guesses.all;
  });

  it('from every /56 of one /48 does not keep a client elsewhere from signing in', async () => {
    const { client } = foyer;
    const fan = await signUpFan(client);
    const guesses = flood(FLOOD, (index) =>
      signIn(client, `h${index}@fans.example`, 'a-wrong-guess', `2001:db8:1:${index.toString(16)}00::1`),
    );
    await guesses.first;
    expect((await signIn(client, fan.email, PASSWORD, '2001:db8:2::1')).status).toBe(201);
    expect(guesses.answered()).toBeLessThan(FLOOD / 2);
    await guesses.all;
  });

  it('of clients that disconnect is not hashed', async () => {
    const { client, url } = foyer;
    const accounts = Array.from({ length: 40 }, (_, index) => ({
      email: `gone${index}@fans.example`,
      password: PASSWORD,
      name: 'F',
    }));
    const requests = accounts.map((account) => {
      const request = httpRequest(`${url}/api/v1/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
      });
      request.on('error', () => undefined);
      request.end(JSON.stringify(account));
      return request;
    });
    await Promise.all(requests.map((request) => once(request, 'finish')));
    await once(requests[0]!, 'response');
    for (const request of requests) request.destroy();
    // Waits behind all of them.
    await signUpFan(client);
    const again = await Promise.all(
      accounts.map(({ email }) => signIn(client, email, PASSWORD, '203.0.113.3')),
    );
    expect(again.filter(({ status }) => status === 201).length).toBeLessThan(accounts.length / 2);
  });

  it('of sign-ups does not keep others from signing in', async () => {
    const { client } = foyer;
    const fan = await signUpFan(client);
    const signUps = flood(FLOOD, (index) =>
      client.call('POST', '/users', {
        body: { email: `up${index}@fans.example`, password: PASSWORD, name: 'F' },
        headers: { 'x-forwarded-for': `198.51.100.${index % CLIENTS}` },
      }),
    );
    await signUps.first;
    expect((await signIn(client, fan.email, PASSWORD, '203.0.113.2')).status).toBe(201);
    expect(signUps.answered()).toBeLessThan(FLOOD / 2);
    await signUps.all;
  });
});

for (const database of DATABASES) {
  describe(`strangers who guess the password of an account on ${database.name}`, () => {
    const foyer = useOwnFoyer(database, { ...PROXY, FOYER_LIMIT_SIGN_IN_ACCOUNT: '5/0.001' });

    it('are limited over all networks, but do not lock its owner out', async () => {
      const { client } = foyer;
      const { email } = await signUpFan(client);
      const home = '203.0.113.7';
      const sameHome6 = ['2001:db8:7:700::1', '2001:db8:7:7ff::2'] as const;
      for (const from of [home, sameHome6[0]])
        expect((await signIn(client, email, PASSWORD, from)).status).toBe(201);
      const statuses: number[] = [];
      for (let network = 1; network <= 12; network += 1)
        statuses.push((await signIn(client, email, 'a-wrong-guess', `198.51.100.${network}`)).status);
      // Two of the five tokens were taken by the first sign-ins from home.
      expect(statuses).toEqual([401, 401, 401, ...Array<number>(9).fill(429)]);
      expect((await signIn(client, email, PASSWORD, '198.51.100.99')).status).toBe(429);
      for (const from of [home, ...sameHome6])
        expect((await signIn(client, email, PASSWORD, from)).status).toBe(201);
    });

    it('do not lock out an owner who has just signed up, reset the password or accepted an invitation', async () => {
      const { client, operator } = foyer;
      const from = (address: string) => ({ 'x-forwarded-for': address });
      /** Empties the bucket of the account over all networks, and that of the owner's network. */
      const guessEverywhere = async (email: string, owner: string): Promise<void> => {
        for (let index = 1; index <= 15; index += 1)
          await signIn(client, email, 'a-wrong-guess', `198.51.100.${index}`);
        for (let index = 1; index <= 11; index += 1) await signIn(client, email, 'a-wrong-guess', owner);
      };
      const email = `${randomUUID()}@fans.example`;
      const body = { email, password: PASSWORD, name: 'F' };
      const signedUp = await client.call('POST', '/users', { body, headers: from('203.0.113.20') });
      expect(signedUp.status).toBe(201);
      await guessEverywhere(email, '203.0.113.21');
      expect((await signIn(client, email, PASSWORD, '203.0.113.20')).status).toBe(201);
      expect((await signIn(client, email, PASSWORD, '203.0.113.21')).status).toBe(429);

      const setPassword = async (address: string): Promise<void> => {
        const token = await linkTokenTo(client, operator, email);
        const answer = await client.call('POST', `/password-resets/${token}`, {
          body: { newPassword: PASSWORD },
          headers: from(address),
        });
        expect(answer.status).toBe(204);
      };
      await client.post('/password-resets', undefined, { email });
      await setPassword('203.0.113.21');
      expect((await signIn(client, email, PASSWORD, '203.0.113.21')).status).toBe(201);

      await guessEverywhere(email, '203.0.113.22');
      await client.post('/operator/operators', operator, { email, name: 'O' });
      await setPassword('203.0.113.22');
      expect((await signIn(client, email, PASSWORD, '203.0.113.22')).body.user).toMatchObject({
        role: 'OPERATOR',
      });
    });
  });
}
