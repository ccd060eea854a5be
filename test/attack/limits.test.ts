import { describe, expect, it } from 'vitest';
import { enterSale } from '../support/booking.js';
import type { Answer, Client } from '../support/client.js';
import { sqlite } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { type Fan, hold, join, openSale, signUpFan } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { leave } from '../support/steps.js';

const LIMITS = { FOYER_RATE_LIMITS: 'on' };
const LARGE_HALL = { sections: [{ name: 'A', rows: 10, seatsPerRow: 20, grade: 'R', price: 1 }] };
/** More than the burst limit of an account, and less than that of a client. */
const REQUESTS = 80;
/** More than the burst limit of a client. */
const GUESSES = 400;
const GUESSES_AT_OTHER_ACCOUNTS = 40;

/** Headers in which proxies name the client they forward for. */
const FORWARDING_HEADERS = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
];

const statusesOf = (answers: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const guess = (client: Client, email: string, from: string): Promise<Answer> =>
  client.call('POST', '/sessions', {
    body: { email, password: 'a-wrong-guess' },
    headers: { 'x-forwarded-for': from },
  });

const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `203.0.113.${index + 1}`);

/** Sends requests one after another: concurrent sign-ins would only wait for each other's password hash. */
async function sequentially<T>(items: readonly T[], send: (item: T) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const item of items) answers.push(await send(item));
  return answers;
}

describe('guessing a password', () => {
  describe('behind a trusted proxy', () => {
    const foyer = useOwnFoyer(sqlite, { ...LIMITS, FOYER_TRUST_PROXY: '127.0.0.1' });

    it('is limited per account, even from many addresses', async () => {
      const { client } = foyer;
      const victim = await signUpFan(client);
      const answers = await sequentially(addresses(20), (from) => guess(client, victim.email, from));
      expect(statusesOf(answers)[429]).toBeGreaterThanOrEqual(8);
      expect(statusesOf(answers)[401]).toBeLessThanOrEqual(12);
      // Another spelling of the email address does not help.
      expect((await guess(client, victim.email.toUpperCase(), '203.0.113.99')).status).toBe(429);
      // An unknown email address is limited as well, so the limit does not reveal which accounts exist.
      const unknown = await sequentially(addresses(20), (from) => guess(client, 'nobody@fans.example', from));
      expect(statusesOf(unknown)[429]).toBeGreaterThanOrEqual(8);
      expectProblem(await guess(client, victim.email, '203.0.113.98'), 429, 'TOO_MANY_REQUESTS');
    });

    it('is limited by the address that the proxy added, not by addresses the client put before it', async () => {
      const { client } = foyer;
      const answers = await burst(client, (index) => ({
        'x-forwarded-for': `198.51.100.${index % 250}, 203.0.113.200`,
      }));
      expect(statusesOf(answers)[429]).toBeGreaterThan(0);
    });

    it('is limited per IPv6 network, not per IPv6 address', async () => {
      const { client } = foyer;
      const answers = await burst(client, (index) => ({
        'x-forwarded-for': `2001:db8::${(index + 1).toString(16)}`,
      }));
      expect(statusesOf(answers)[429]).toBeGreaterThan(0);
    });
  });

  describe('without a trusted proxy', () => {
    const foyer = useOwnFoyer(sqlite, LIMITS);

    it('is limited per client, whatever its forwarding headers say', async () => {
      const answers = await burst(foyer.client, (index) =>
        Object.fromEntries(FORWARDING_HEADERS.map((name) => [name, `203.0.113.${index % 250}`])),
      );
      expect(statusesOf(answers)[429]).toBeGreaterThan(0);
    });
  });
});

/**
 * Sends more guesses than one client may make, and returns the responses to the last 40. The first guesses are at one
 * account, which soon reaches its own limit and then costs no hash. Each of the last is at another account, so only the limit
 * of the client can refuse it.
 */
async function burst(
  client: Client,
  headersOf: (index: number) => Record<string, string>,
): Promise<Answer[]> {
  const answers = await Promise.all(
    Array.from({ length: GUESSES }, (_, index) => {
      const email =
        index < GUESSES - GUESSES_AT_OTHER_ACCOUNTS ? 'one@fans.example' : `guess-${index}@fans.example`;
      return client.call('POST', '/sessions', { body: { email, password: 'x' }, headers: headersOf(index) });
    }),
  );
  return answers.slice(-GUESSES_AT_OTHER_ACCOUNTS);
}

describe('one account', () => {
  const foyer = useOwnFoyer(sqlite, LIMITS);

  it('gets one place and is rate limited when it joins many times', async () => {
    const { client, operator } = foyer;
    const sale = await openSale(client, operator, { policy: { maxActive: 0 } });
    const fan = await signUpFan(client);
    const answers = await Promise.all(Array.from({ length: REQUESTS }, () => join(client, fan, sale)));
    const { 201: made = 0, 429: refused = 0 } = statusesOf(answers);
    expect(made).toBe(1);
    expect(refused).toBeGreaterThan(REQUESTS / 4);
    expect(new Set(answers.flatMap(({ body }) => body.token ?? [])).size).toBe(1);
    const next = await join(client, await signUpFan(client), sale);
    expect(next.body.rank).toBe(2);
  });

  it('cannot exceed the seat limit with single holds, one large hold, or by leaving and rejoining', async () => {
    const { client, operator } = foyer;
    const sale = await openSale(client, operator, LARGE_HALL);
    const { fan, token, seats } = await enterSale(client, sale);
    const answers = await Promise.all(seats.slice(0, 20).map((seat) => hold(client, token, sale, [seat])));
    expect(statusesOf(answers)).toEqual({ 201: 4, 409: 16 });
    expectProblem(await hold(client, token, sale, seats.slice(100, 105)), 409, 'SEAT_LIMIT_EXCEEDED');
    await leave(client, token);
    const newToken = await rejoin(client, fan, sale);
    expectProblem(await hold(client, newToken, sale, seats.slice(100, 101)), 409, 'SEAT_LIMIT_EXCEEDED');
    const best = await client.post('/reservations/best', newToken, {
      scheduleId: sale.scheduleIds[0],
      count: 1,
    });
    expectProblem(best, 409, 'SEAT_LIMIT_EXCEEDED');
  });

  it('is rate limited when it holds and releases seats repeatedly', async () => {
    const { client, operator } = foyer;
    const sale = await openSale(client, operator, LARGE_HALL);
    const { token, seats } = await enterSale(client, sale);
    const answers = await sequentially(seats.slice(0, REQUESTS), async (seat) => {
      const held = await hold(client, token, sale, [seat]);
      if (held.status === 201) await client.delete(`/reservations/${String(held.body.id)}`, token);
      return held;
    });
    expect(statusesOf(answers)[429]).toBeGreaterThan(0);
  });
});

async function rejoin(client: Client, fan: Fan, sale: Parameters<typeof join>[2]): Promise<string> {
  const answer = await join(client, fan, sale);
  expect(answer.status).toBe(201);
  return answer.body.token;
}
