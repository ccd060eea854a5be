import { describe, expect, it } from 'vitest';
import { enterSale } from '../support/booking.js';
import type { Answer, Client } from '../support/client.js';
import { sqlite } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { type Fan, hold, join, openSale, signUpFan } from '../support/sale.js';
import { mailsTo } from '../support/mailbox.js';
import { expectProblem } from '../support/shapes.js';
import { leave } from '../support/steps.js';

const LIMITS = {
  FOYER_RATE_LIMITS: 'on',
  FOYER_LIMIT_SIGN_IN_CLIENT: '20/0.01',
  FOYER_LIMIT_SIGN_IN_ACCOUNT: '10/0.1',
};
const LARGE_HALL = { sections: [{ name: 'A', rows: 10, seatsPerRow: 20, grade: 'R', price: 1 }] };
/** More than the burst limit of an account, and less than that of a client. */
const REQUESTS = 80;
/** Twice the burst limit of a client. */
const GUESSES = 40;

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

    it('is limited for an IPv4 address that is written as IPv6', async () => {
      const { client } = foyer;
      const spellings = ['198.18.0.1', '::ffff:198.18.0.1', '::FFFF:c612:1', '0:0:0:0:0:ffff:198.18.0.1'];
      const answers = await burst(client, (index) => ({ 'x-forwarded-for': spellings[index % 4] ?? '' }));
      expect(statusesOf(answers)[429]).toBeGreaterThan(0);
    });
  });

  describe('from a /48 of IPv6 addresses', () => {
    const foyer = useOwnFoyer(sqlite, {
      FOYER_RATE_LIMITS: 'on',
      FOYER_LIMIT_SIGN_IN_CLIENT: '2/0.001',
      FOYER_TRUST_PROXY: '127.0.0.1',
    });

    it('is limited although every guess comes from another /64 and another /56', async () => {
      const { client } = foyer;
      const from64 = (index: number) => guess(client, `a${index}@fans.example`, `2001:db8:1:${index}::1`);
      const within56 = await sequentially([...Array(12).keys()], from64);
      // 4 times the limit of a client.
      expect(statusesOf(within56)).toEqual({ 401: 8, 429: 4 });
      const from56 = (index: number) => guess(client, `b${index}@fans.example`, `2001:db8:2:${index}00::1`);
      const within48 = await sequentially([...Array(40).keys()], from56);
      // 16 times the limit of a client.
      expect(statusesOf(within48)).toEqual({ 401: 32, 429: 8 });
      // Another /48 is another client.
      expect((await guess(client, 'c@fans.example', '2001:db8:3::1')).status).toBe(401);
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

/** Sends more guesses than one client may make, each at another account, so only the limit of the client can refuse them. */
const burst = (client: Client, headersOf: (index: number) => Record<string, string>): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: GUESSES }, (_, index) =>
      client.call('POST', '/sessions', {
        body: { email: `guess-${index}@fans.example`, password: 'x' },
        headers: headersOf(index),
      }),
    ),
  );

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

  it.each(['/concerts/{concertId}/schedules', '/schedules/{scheduleId}/seats'])(
    'is rate limited when it reads %s again and again',
    async (path) => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator);
      const { token } = await enterSale(client, sale);
      const url = path
        .replace('{concertId}', sale.concertId)
        .replace('{scheduleId}', sale.scheduleIds[0] ?? '');
      // More than the burst limit of an account.
      const answers = await Promise.all(Array.from({ length: 160 }, () => client.get(url, token)));
      const { 200: read = 0, 429: refused = 0 } = statusesOf(answers);
      expect(read).toBeGreaterThanOrEqual(100);
      expect(refused).toBeGreaterThan(0);
    },
  );

  it('is rate limited when it gives up the same place again and again', async () => {
    const { client, operator } = foyer;
    const sale = await openSale(client, operator);
    const { token } = await enterSale(client, sale);
    const answers = await Promise.all(Array.from({ length: REQUESTS }, () => leave(client, token)));
    const { 204: done = 0, 429: refused = 0 } = statusesOf(answers);
    expect(done).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(REQUESTS / 4);
    const another = await enterSale(client, sale);
    expect((await leave(client, another.token)).status).toBe(204);
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

describe('asking for mails', () => {
  const foyer = useOwnFoyer(sqlite, { FOYER_RATE_LIMITS: 'on', FOYER_LIMIT_MAIL_CLIENT: '20/0.01' });
  const ask = (email: string): Promise<Answer> => foyer.client.post('/password-resets', undefined, { email });

  it('to reset a password answers 202 also when the address gets no more mails', async () => {
    const { client, operator } = foyer;
    const { email } = await signUpFan(client);
    const flood = (victim: string) => sequentially(Array<string>(5).fill(victim), ask);
    expect(statusesOf(await flood(email))).toEqual({ 202: 5 });
    expect(await mailsTo(client, operator, email)).toHaveLength(3);
    expect(statusesOf(await flood('nobody@fans.example'))).toEqual({ 202: 5 });
  });

  it('to verify an address is limited per address', async () => {
    const { accessToken } = await signUpFan(foyer.client);
    const verify = () => foyer.client.post('/email-verifications', accessToken);
    expect(statusesOf(await sequentially(Array<null>(5).fill(null), verify))).toEqual({ 202: 3, 429: 2 });
  });

  it('is limited per client', async () => {
    const others = Array.from({ length: 20 }, (_, index) => `fan${index}@fans.example`);
    const answers = await sequentially(others, ask);
    expect(answers.at(-1)?.status).toBe(429);
  });
});
