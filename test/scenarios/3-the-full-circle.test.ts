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
  describe(`the full circle, on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const joined = (count: number, policy: object = {}, balance = 0) =>
      startLine(foyer, count, { ...SETTINGS, ...policy }, balance);

    it('is a matter of settings', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      expect(await policyOf(client, operator, sale)).toMatchObject(SETTINGS);
    });

    it('asks for a place at the position check', async () => {
      const { client } = foyer;
      expectDenied(await client.get('/queue-tokens/me'), 401, 'MISSING');
      expectDenied(await poll(client, 'not-a-token'), 401, 'INVALID');
      expectDenied(await poll(client, (await signUpFan(client)).accessToken), 401, 'INVALID');
    });

    it('asks for an active place in everything after that, to the payment', async () => {
      const { client, sale, fans, first } = await joined(1, { admitCount: 1 });
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

    it('lets in portions of N, and nobody more until M minutes have passed', async () => {
      const { client, operator, sale, tokens, first } = await joined(4);
      const places = await Promise.all(tokens.map(async (token) => (await poll(client, token)).body));
      expect(places.map(({ status, rank }) => [status, rank])).toEqual([
        ['ACTIVE', 0],
        ['ACTIVE', 0],
        ['WAITING', 1],
        ['WAITING', 2],
      ]);
      // A free place inside is no free place in the portion.
      await leave(client, first);
      expect((await poll(client, tokens[2]!)).body).toMatchObject({ status: 'WAITING', rank: 1 });
      expect(await statsOf(client, operator, sale)).toMatchObject({
        active: 1,
        waiting: 2,
        admittedLastMinute: 2,
      });
    });

    it('lets in the next portion of N when the time has passed, though nobody asks', async () => {
      const { client, operator, sale, tokens } = await joined(5, { admitEverySeconds: 2 });
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

    it('shows all seats together: reserved, paid or held, and free', async () => {
      const { client, sale, first, second } = await joined(2, {}, PRICE);
      const [paid, held] = await seatsOf(client, first, sale);
      await payFor(client, first, (await claim(client, first, sale, [paid!.id])).id);
      await claim(client, second, sale, [held!.id]);
      expect(await seatStates(client, second, sale)).toEqual([
        'SOLD',
        'HELD',
        ...Array<string>(8).fill('AVAILABLE'),
      ]);
    });

    it('holds for 5 minutes when I reserve', async () => {
      const { client, sale, first } = await joined(1);
      const [seat] = await seatsOf(client, first, sale);
      const { status, createdAt, expiresAt } = await claim(client, first, sale, [seat!.id]);
      expect([status, msBetween(createdAt, expiresAt)]).toEqual(['HELD', 300_000]);
    });

    it('takes an unpaid hold back and closes it, though nobody asks', async () => {
      const { client, operator, sale, first, second } = await joined(2, { holdSeconds: 1 });
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

    it('goes round: charge, token, poll, seats, reserve, pay, not enough, charge, pay again, done', async () => {
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

    it('answers "token expired" at each step, as an answer of its own', async () => {
      const { client, sale, fans, first } = await joined(1, { activeSeconds: 2 }, PRICE);
      const steps = await stepsWithHold(client, first, sale);
      await untilExpired(client, first);
      await expectEachDenied({ ...steps, ...walletSteps(client) }, first, 'EXPIRED');
      expect(await balanceOf(client, fans[0]!.accessToken)).toBe(PRICE);
    });

    it('lets me join again after "token expired" and pay for what I still hold', async () => {
      const { client, sale, fans, first } = await joined(1, { activeSeconds: 2 }, PRICE);
      const [seat] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      await untilExpired(client, first);
      const token = await joinActive(client, fans[0]!, sale);
      expect(token).not.toBe(first);
      expectDenied(await pay(client, first, id), 403, 'EXPIRED');
      expect(await payFor(client, token, id)).toMatchObject({ reservationId: id, balanceAfter: 0 });
    });

    it('answers "hold expired" at each step that has to do with the hold, as an answer of its own', async () => {
      const { client, sale, first } = await joined(1, { holdSeconds: 1 }, PRICE);
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

    it('answers "hold expired" and not "not enough" when both are so', async () => {
      const { client, sale, first } = await joined(1, { holdSeconds: 1 });
      const [seat] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      expectProblem(await pay(client, first, id), 402, 'NOT_ENOUGH_BALANCE', { balance: 0, amount: PRICE });
      await untilHoldExpired(client, first, id);
      expectProblem(await pay(client, first, id), 409, 'RESERVATION_EXPIRED');
    });
  });
}
