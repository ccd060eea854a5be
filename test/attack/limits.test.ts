import { describe, expect, it } from 'vitest';
import { enterSale } from '../support/booking.js';
import type { Answer, Client } from '../support/client.js';
import { sqlite } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { type Fan, hold, join, openSale, signUpFan } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { leave } from '../support/steps.js';

const LIMITS = { FOYER_RATE_LIMITS: 'on' };
const HOARD = { sections: [{ name: 'A', rows: 10, seatsPerRow: 20, grade: 'R', price: 1 }] };
/** More than any account may do at once, and less than any client. */
const TRIES = 80;
/** More than one client may make at once. */
const GUESSES = 400;
const FRESH = 40;

/** Headers in which proxies say whom they speak for. */
const CLAIMS = [
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
  Array.from({ length: count }, (_, at) => `203.0.113.${at + 1}`);

/** One after another: what is refused costs the server no hash, and what is not would only wait for the others. */
async function inTurn<T>(items: readonly T[], ask: (item: T) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const item of items) answers.push(await ask(item));
  return answers;
}

describe('guessing a password', () => {
  describe('behind a proxy that is trusted', () => {
    const foyer = useOwnFoyer(sqlite, { ...LIMITS, FOYER_TRUST_PROXY: '127.0.0.1' });

    it('is slowed down for one account, however many addresses it comes from', async () => {
      const { client } = foyer;
      const victim = await signUpFan(client);
      const answers = await inTurn(addresses(20), (from) => guess(client, victim.email, from));
      expect(statusesOf(answers)[429]).toBeGreaterThanOrEqual(8);
      expect(statusesOf(answers)[401]).toBeLessThanOrEqual(12);
      // Nor does another spelling of the address help.
      expect((await guess(client, victim.email.toUpperCase(), '203.0.113.99')).status).toBe(429);
      // The same for an address that nobody has: the limit does not tell who has an account.
      const nobody = await inTurn(addresses(20), (from) => guess(client, 'nobody@fans.example', from));
      expect(statusesOf(nobody)[429]).toBeGreaterThanOrEqual(8);
      expectProblem(await guess(client, victim.email, '203.0.113.98'), 429, 'TOO_MANY_REQUESTS');
    });

    it('takes the last address that the proxy saw, not what the client put before it', async () => {
      const { client } = foyer;
      const answers = await burst(client, (at) => ({
        'x-forwarded-for': `198.51.100.${at % 250}, 203.0.113.200`,
      }));
      expect(statusesOf(answers)[429]).toBeGreaterThan(0);
    });

    it('takes a whole IPv6 network for one client, however its addresses are written', async () => {
      const { client } = foyer;
      const answers = await burst(client, (at) => ({
        'x-forwarded-for': `2001:db8::${(at + 1).toString(16)}`,
      }));
      expect(statusesOf(answers)[429]).toBeGreaterThan(0);
    });
  });

  describe('where no proxy is trusted', () => {
    const foyer = useOwnFoyer(sqlite, LIMITS);

    it('is not made easier by claiming to speak for others', async () => {
      const answers = await burst(foyer.client, (at) =>
        Object.fromEntries(CLAIMS.map((name) => [name, `203.0.113.${at % 250}`])),
      );
      expect(statusesOf(answers)[429]).toBeGreaterThan(0);
    });
  });
});

/**
 * More guesses than one client may make. All but the last are at one account, which is soon refused and then costs no hash;
 * each of the last is at another account, so that only its client can be what it is refused for. Answers these.
 */
async function burst(client: Client, headersOf: (at: number) => Record<string, string>): Promise<Answer[]> {
  const answers = await Promise.all(
    Array.from({ length: GUESSES }, (_, at) => {
      const email = at < GUESSES - FRESH ? 'one@fans.example' : `guess-${at}@fans.example`;
      return client.call('POST', '/sessions', { body: { email, password: 'x' }, headers: headersOf(at) });
    }),
  );
  return answers.slice(-FRESH);
}

describe('one account', () => {
  const foyer = useOwnFoyer(sqlite, LIMITS);

  it('cannot join en masse, and has one place however often it tries', async () => {
    const { client, operator } = foyer;
    const sale = await openSale(client, operator, { policy: { maxActive: 0 } });
    const fan = await signUpFan(client);
    const answers = await Promise.all(Array.from({ length: TRIES }, () => join(client, fan, sale)));
    const { 201: made = 0, 429: refused = 0 } = statusesOf(answers);
    expect(made).toBe(1);
    expect(refused).toBeGreaterThan(TRIES / 4);
    expect(new Set(answers.flatMap(({ body }) => body.token ?? [])).size).toBe(1);
    const next = await join(client, await signUpFan(client), sale);
    expect(next.body.rank).toBe(2);
  });

  it('cannot hoard seats: neither one by one, nor at once, nor by leaving and coming back', async () => {
    const { client, operator } = foyer;
    const sale = await openSale(client, operator, HOARD);
    const { fan, token, seats } = await enterSale(client, sale);
    const answers = await Promise.all(seats.slice(0, 20).map((seat) => hold(client, token, sale, [seat])));
    expect(statusesOf(answers)).toEqual({ 201: 4, 409: 16 });
    expectProblem(await hold(client, token, sale, seats.slice(100, 105)), 409, 'SEAT_LIMIT_EXCEEDED');
    await leave(client, token);
    const again = await comeBack(client, fan, sale);
    expectProblem(await hold(client, again, sale, seats.slice(100, 101)), 409, 'SEAT_LIMIT_EXCEEDED');
    const best = await client.post('/reservations/best', again, {
      scheduleId: sale.scheduleIds[0],
      count: 1,
    });
    expectProblem(best, 409, 'SEAT_LIMIT_EXCEEDED');
  });

  it('cannot keep taking and letting go of seats', async () => {
    const { client, operator } = foyer;
    const sale = await openSale(client, operator, HOARD);
    const { token, seats } = await enterSale(client, sale);
    const answers = await inTurn(seats.slice(0, TRIES), async (seat) => {
      const held = await hold(client, token, sale, [seat]);
      if (held.status === 201) await client.delete(`/reservations/${String(held.body.id)}`, token);
      return held;
    });
    expect(statusesOf(answers)[429]).toBeGreaterThan(0);
  });
});

async function comeBack(client: Client, fan: Fan, sale: Parameters<typeof join>[2]): Promise<string> {
  const answer = await join(client, fan, sale);
  expect(answer.status).toBe(201);
  return answer.body.token;
}
