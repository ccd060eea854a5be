import { describe, expect, it } from 'vitest';
import { poll } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { eventually, hold, join, joinActive, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { expectDenied, expectProblem } from '../support/shapes.js';
import {
  balanceOf,
  charge,
  claim,
  expectEachDenied,
  leave,
  msBetween,
  payFor,
  policyOf,
  seatsOf,
  seatStates,
  startLine,
  stepsWithHold,
  statsOf,
  untilExpired,
  untilHoldExpired,
  walletSteps,
} from '../support/steps.js';

const SETTINGS = {
  admitCount: 2,
  admitEverySeconds: 600,
  activeSeconds: 600,
  holdSeconds: 300,
  consumeOn: 'PAYMENT',
};

for (const database of DATABASES) {
  describe(`the recipe "ten-minute rounds" on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const startQueue = (count: number, policy: object = {}, balance = 0) =>
      startLine(foyer, count, { ...SETTINGS, ...policy }, balance);

    it('is configured by the policy alone', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      expect(await policyOf(client, operator, sale)).toMatchObject(SETTINGS);
    });

    it('returns 401 for a poll without a queue token', async () => {
      const { client } = foyer;
      expectDenied(await client.get('/queue-tokens/me'), 401, 'MISSING');
      expectDenied(await poll(client, 'not-a-token'), 401, 'INVALID');
      expectDenied(await poll(client, (await signUpFan(client)).accessToken), 401, 'INVALID');
    });

    it('needs an ACTIVE place for every booking step up to the payment', async () => {
      const { client, sale, fans, first } = await startQueue(1, { admitCount: 1 });
      const steps = await stepsWithHold(client, first, sale);
      await expectEachDenied(steps, undefined, 'MISSING');
      await expectEachDenied(steps, 'not-a-token', 'INVALID');
      const { paying: _, ...beforePaying } = steps;
      await expectEachDenied(beforePaying, (await signUpFan(client)).accessToken, 'NOT_ACTIVE');

      await leave(client, first);
      await expectEachDenied(steps, first, 'LEFT');
      const { body: again } = await join(client, fans[0]!, sale);
      expect(again).toMatchObject({ status: 'WAITING', rank: 1 });
      await expectEachDenied(steps, again.token, 'NOT_ACTIVE');
    });

    it('admits 2 fans per round, and no more until the round has ended', async () => {
      const { client, operator, sale, tokens, first } = await startQueue(4);
      const places = await Promise.all(tokens.map(async (token) => (await poll(client, token)).body));
      expect(places.map(({ status, rank }) => [status, rank])).toEqual([
        ['ACTIVE', 0],
        ['ACTIVE', 0],
        ['WAITING', 1],
        ['WAITING', 2],
      ]);
      // Leaving frees a slot, but the portion of this round stays used up.
      await leave(client, first);
      expect((await poll(client, tokens[2]!)).body).toMatchObject({ status: 'WAITING', rank: 1 });
      expect(await statsOf(client, operator, sale)).toMatchObject({
        active: 1,
        waiting: 2,
        admittedLastMinute: 2,
      });
    });

    it('admits the next 2 fans in the next round without a request', async () => {
      const { client, operator, sale, tokens } = await startQueue(5, { admitEverySeconds: 2 });
      await eventually(
        () => statsOf(client, operator, sale),
        ({ waiting, active }) => waiting === 0 && active === 5,
      );
      const times = await Promise.all(
        tokens.map(async (token) => (await poll(client, token)).body.activatedAt),
      );
      for (const index of [2, 3, 4]) {
        expect(msBetween(times[index - 1], times[index])).toBeGreaterThanOrEqual(0);
        expect(msBetween(times[index - 2], times[index])).toBeGreaterThanOrEqual(2000);
      }
    });

    it('lists all seats as SOLD, HELD or AVAILABLE', async () => {
      const { client, sale, first, second } = await startQueue(2, {}, PRICE);
      const [paid, held] = await seatsOf(client, first, sale);
      await payFor(client, first, (await claim(client, first, sale, [paid!.id])).id);
      await claim(client, second, sale, [held!.id]);
      expect(await seatStates(client, second, sale)).toEqual([
        'SOLD',
        'HELD',
        ...Array<string>(8).fill('AVAILABLE'),
      ]);
    });

    it('holds seats for 5 minutes', async () => {
      const { client, sale, first } = await startQueue(1);
      const [seat] = await seatsOf(client, first, sale);
      const { status, createdAt, expiresAt } = await claim(client, first, sale, [seat!.id]);
      expect([status, msBetween(createdAt, expiresAt)]).toEqual(['HELD', 300_000]);
    });

    it('expires an unpaid hold without a request', async () => {
      const { client, operator, sale, first, second } = await startQueue(2, { holdSeconds: 1 });
      const [seat] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      await eventually(
        () => statsOf(client, operator, sale),
        ({ seatsHeld }) => seatsHeld === 0,
      );
      await claim(client, second, sale, [seat!.id]);
      expect((await client.get(`/reservations/${id}`, first)).body).toMatchObject({ id, status: 'EXPIRED' });
      expectProblem(await client.delete(`/reservations/${id}`, first), 409, 'RESERVATION_NOT_HELD');
    });

    it('works from charging to the receipt when the first payment is refused for lack of balance', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      const fan = await signUpFan(client);
      expect((await charge(client, fan.accessToken, PRICE)).body).toMatchObject({ balance: PRICE });
      const token = await joinActive(client, fan, sale);
      expect((await poll(client, token)).body).toMatchObject({ status: 'ACTIVE', rank: 0 });
      const [one, two] = await seatsOf(client, token, sale);
      const { id } = await claim(client, token, sale, [one!.id, two!.id]);

      const money = { balance: PRICE, amount: 2 * PRICE };
      expectProblem(await pay(client, token, id), 402, 'NOT_ENOUGH_BALANCE', money);
      expect((await client.get(`/reservations/${id}`, token)).body).toMatchObject({ status: 'HELD' });
      expect((await charge(client, token, PRICE)).body).toMatchObject({ balance: 2 * PRICE });
      const receipt = await payFor(client, token, id);
      expect(receipt).toMatchObject({ reservationId: id, amount: 2 * PRICE, balanceAfter: 0 });

      expect((await poll(client, token)).body).toMatchObject({ status: 'DONE' });
      expect(await pay(client, token, id)).toMatchObject({ status: 200, body: receipt });
      expect(await balanceOf(client, fan.accessToken)).toBe(0);
      const types = (await client.get('/wallet/entries', fan.accessToken)).body.items.map(
        ({ type, amount }: { type: string; amount: number }) => [type, amount],
      );
      expect(types).toEqual([
        ['PAYMENT', -2 * PRICE],
        ['CHARGE', PRICE],
        ['CHARGE', PRICE],
      ]);
    });

    it('returns 403 EXPIRED at every step after the place has expired', async () => {
      const { client, sale, fans, first } = await startQueue(1, { activeSeconds: 2 }, PRICE);
      const steps = await stepsWithHold(client, first, sale);
      await untilExpired(client, first);
      await expectEachDenied({ ...steps, ...walletSteps(client) }, first, 'EXPIRED');
      expect(await balanceOf(client, fans[0]!.accessToken)).toBe(PRICE);
    });

    it('lets a fan join again after the place has expired and pay for a live hold', async () => {
      const { client, sale, fans, first } = await startQueue(1, { activeSeconds: 2 }, PRICE);
      const [seat] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      await untilExpired(client, first);
      const token = await joinActive(client, fans[0]!, sale);
      expect(token).not.toBe(first);
      expectDenied(await pay(client, first, id), 403, 'EXPIRED');
      expect(await payFor(client, token, id)).toMatchObject({ reservationId: id, balanceAfter: 0 });
    });

    it('returns 409 RESERVATION_EXPIRED after the hold has expired, and lets the fan hold again', async () => {
      const { client, sale, first } = await startQueue(1, { holdSeconds: 1 }, PRICE);
      const [seat] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      await untilHoldExpired(client, first, id);

      expectProblem(await pay(client, first, id), 409, 'RESERVATION_EXPIRED');
      const { body } = await client.get('/reservations', first);
      expect(body.items).toMatchObject([{ id, status: 'EXPIRED' }]);
      expect((await seatStates(client, first, sale))[0]).toBe('AVAILABLE');
      expect(await balanceOf(client, first)).toBe(PRICE);
      expect((await poll(client, first)).body).toMatchObject({ status: 'ACTIVE' });
      expect(await hold(client, first, sale, [seat!.id])).toMatchObject({
        status: 201,
        body: { status: 'HELD' },
      });
    });

    it('returns RESERVATION_EXPIRED rather than NOT_ENOUGH_BALANCE when both apply', async () => {
      const { client, sale, first } = await startQueue(1, { holdSeconds: 1 });
      const [seat] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      expectProblem(await pay(client, first, id), 402, 'NOT_ENOUGH_BALANCE', { balance: 0, amount: PRICE });
      await untilHoldExpired(client, first, id);
      expectProblem(await pay(client, first, id), 409, 'RESERVATION_EXPIRED');
    });
  });
}
