import { describe, expect, it } from 'vitest';
import { holdSeats, startBooking, untilPast } from '../support/booking.js';
import type { Answer, Client } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer, useOwnFoyer } from '../support/foyer.js';
import { join, joinActive, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { anEntry, expectDenied, expectList, expectProblem } from '../support/shapes.js';
import { balanceOf, charge, leave } from '../support/steps.js';

const BALANCE_MAX = 1_000_000_000_000;

/** Sends every wallet request with this credential. */
const walletCalls = async (
  client: Client,
  token: string,
): Promise<[balance: Answer, entries: Answer, charged: Answer]> => [
  await client.get('/wallet', token),
  await client.get('/wallet/entries', token),
  await charge(client, token, 100),
];

async function expectAccess(client: Client, token: string): Promise<void> {
  const statuses = (await walletCalls(client, token)).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 201]);
}

async function expectNoAccess(
  client: Client,
  token: string,
  status: 401 | 403,
  reason: string,
): Promise<void> {
  for (const answer of await walletCalls(client, token)) expectDenied(answer, status, reason);
}

for (const database of DATABASES) {
  describe(`the wallet on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const entriesOf = async (token: string) => expectList(await foyer.client.get('/wallet/entries', token));

    it('is empty for a new account', async () => {
      const { accessToken } = await signUpFan(foyer.client);
      expect(await foyer.client.get('/wallet', accessToken)).toMatchObject({
        status: 200,
        body: { balance: 0, currency: 'KRW' },
      });
      expect(await entriesOf(accessToken)).toEqual([]);
    });

    it('returns the new balance and the entry of a charge', async () => {
      const { accessToken } = await signUpFan(foyer.client);
      await charge(foyer.client, accessToken, 1000);
      const answer = await charge(foyer.client, accessToken, 234);
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body).toMatchObject({ balance: 1234, currency: 'KRW', entry: anEntry });
      expect(answer.body.entry).toMatchObject({ type: 'CHARGE', amount: 234, balanceAfter: 1234 });
      expect(await balanceOf(foyer.client, accessToken)).toBe(1234);
      expect((await entriesOf(accessToken))[0]).toEqual(answer.body.entry);
    });

    it('lists its entries newest first, with signed amounts that add up', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer, { balance: 3 * PRICE });
      const { accessToken } = booking.fan;
      await charge(client, accessToken, 500);
      const receipt = await pay(client, booking.token, (await holdSeats(client, booking, 0)).id);
      expect(receipt.status).toBe(201);
      await charge(client, accessToken, 7);

      const entries = await entriesOf(accessToken);
      for (const entry of entries) expect(entry).toMatchObject(anEntry);
      expect(entries).toMatchObject([
        { type: 'CHARGE', amount: 7, balanceAfter: 2 * PRICE + 507 },
        { type: 'PAYMENT', amount: -PRICE, balanceAfter: 2 * PRICE + 500, reference: expect.any(String) },
        { type: 'CHARGE', amount: 500, balanceAfter: 3 * PRICE + 500 },
        { type: 'CHARGE', amount: 3 * PRICE, balanceAfter: 3 * PRICE },
      ]);
      expect(await balanceOf(client, accessToken)).toBe(2 * PRICE + 507);
    });

    it.each([0, -1, -PRICE, -Number.MAX_SAFE_INTEGER])(
      'returns 400 INVALID_AMOUNT for a charge of %d',
      async (amount) => {
        const { accessToken } = await signUpFan(foyer.client, 100);
        expectProblem(await charge(foyer.client, accessToken, amount), 400, 'INVALID_AMOUNT');
        expect(await balanceOf(foyer.client, accessToken)).toBe(100);
        expect(await entriesOf(accessToken)).toHaveLength(1);
      },
    );

    it('accepts a balance of 1,000,000,000,000 and returns 422 for 1 more', async () => {
      const { client } = foyer;
      const { accessToken } = await signUpFan(client);
      for (const amount of [BALANCE_MAX + 1, Number.MAX_SAFE_INTEGER]) {
        expectProblem(await charge(client, accessToken, amount), 422, 'BALANCE_LIMIT_EXCEEDED');
      }
      expect(await charge(client, accessToken, BALANCE_MAX)).toMatchObject({
        status: 201,
        body: { balance: BALANCE_MAX },
      });
      expectProblem(await charge(client, accessToken, 1), 422, 'BALANCE_LIMIT_EXCEEDED');
      expect(await balanceOf(client, accessToken)).toBe(BALANCE_MAX);
      expect(await entriesOf(accessToken)).toHaveLength(1);
    });

    it('applies every one of several concurrent charges', async () => {
      const { accessToken } = await signUpFan(foyer.client);
      const amounts = Array.from({ length: 20 }, (_, index) => index + 1);
      const answers = await Promise.all(amounts.map((amount) => charge(foyer.client, accessToken, amount)));
      expect(answers.map(({ status }) => status)).toEqual(amounts.map(() => 201));
      expect(await balanceOf(foyer.client, accessToken)).toBe(210);
      const entries = await entriesOf(accessToken);
      expect(entries.map(({ amount }) => Number(amount)).sort((a, b) => a - b)).toEqual(amounts);
      const balances = entries.map(({ balanceAfter }) => Number(balanceAfter));
      expect(balances, 'each entry adds to the balance of the one before').toEqual(
        [...balances].sort((a, b) => b - a),
      );
    });

    it('accepts an access token, with or without a place', async () => {
      const { client } = foyer;
      const fan = await signUpFan(client);
      await expectAccess(client, fan.accessToken);
      const { fan: left, token } = await startBooking(foyer);
      await leave(client, token);
      await expectAccess(client, left.accessToken);
    });

    it('accepts a queue token that is ACTIVE or WAITING', async () => {
      const { client, operator } = foyer;
      const active = await startBooking(foyer);
      await expectAccess(client, active.token);
      const sale = await openSale(client, operator, { policy: { paused: true } });
      const waiting = await join(client, await signUpFan(client), sale);
      expect(waiting.body.status).toBe('WAITING');
      await expectAccess(client, waiting.body.token);
    });

    it('returns 403 for a queue token that has ended', async () => {
      const { client } = foyer;
      const left = await startBooking(foyer);
      await leave(client, left.token);
      await expectNoAccess(client, left.token, 403, 'LEFT');
      const used = await startBooking(foyer, { balance: PRICE });
      await pay(client, used.token, (await holdSeats(client, used, 0)).id);
      await expectNoAccess(client, used.token, 403, 'USED');
      const expired = await startBooking(foyer, { policy: { activeSeconds: 2 } });
      await untilPast((await client.get('/queue-tokens/me', expired.token)).body.expiresAt);
      await expectNoAccess(client, expired.token, 403, 'EXPIRED');
    });
  });

  describe(`the wallet with FOYER_WALLET_GATE=queue-token on ${database.name}`, () => {
    const foyer = useOwnFoyer(database, { FOYER_WALLET_GATE: 'queue-token' });

    it('accepts a live queue token only', async () => {
      const { client, operator } = foyer;
      const fan = await signUpFan(client);
      await expectNoAccess(client, fan.accessToken, 401, 'INVALID');
      const token = await joinActive(client, fan, await openSale(client, operator));
      await expectAccess(client, token);
      await expectNoAccess(client, fan.accessToken, 401, 'INVALID');
      await leave(client, token);
      await expectNoAccess(client, token, 403, 'LEFT');

      const sale = await openSale(client, operator, { policy: { paused: true } });
      const waiting = await join(client, fan, sale);
      expect(waiting.body.status).toBe('WAITING');
      await expectAccess(client, waiting.body.token);
    });

    it('still allows payments', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer);
      await charge(client, booking.token, PRICE);
      const { id } = await holdSeats(client, booking, 0);
      expect((await pay(client, booking.token, id)).status).toBe(201);
      await expectNoAccess(client, booking.token, 403, 'USED');
    });
  });
}
