import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { poll } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { forgeAccess, readToken, resign } from '../support/forge.js';
import { useFoyer } from '../support/foyer.js';
import { eventually, hold, join, joinActive, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { expectDenied, expectProblem } from '../support/shapes.js';
import {
  balanceOf,
  bookingSteps,
  charge,
  claim,
  expectEachDenied,
  leave,
  payFor,
  policyOf,
  seatsOf,
  seatStates,
  startLine,
  statsOf,
  untilHoldExpired,
  walletSteps,
} from '../support/steps.js';

const SETTINGS = { maxActive: 2, consumeOn: 'RESERVATION' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

for (const database of DATABASES) {
  describe(`the recipe "straight to the seat" on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const startQueue = (count: number, policy: object = {}, balance = 0) =>
      startLine(foyer, count, { ...SETTINGS, ...policy }, balance);

    /** A fan with a hold, which has consumed the place, and a second fan without one. */
    async function startWithHold(policy: object = {}, balance = 0) {
      const { client, sale, fans, first, ...rest } = await startQueue(2, policy, balance);
      const [seat] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      return { client, sale, fan: fans[0]!, rival: fans[1]!, first, id, ...rest };
    }

    it('is configured by the policy alone', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      expect(await policyOf(client, operator, sale)).toMatchObject(SETTINGS);
    });

    it('works from joining to the receipt', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      const fan = await signUpFan(client, PRICE);
      const token = await joinActive(client, fan, sale);
      const [seat] = await seatsOf(client, token, sale);
      const { id } = await claim(client, token, sale, [seat!.id]);
      expect((await poll(client, token)).body).toMatchObject({ status: 'DONE', rank: 0 });
      const receipt = await payFor(client, fan.accessToken, id);
      expect(receipt).toMatchObject({ reservationId: id, seats: [{ label: seat!.label }], balanceAfter: 0 });
      expect(await statsOf(client, operator, sale)).toMatchObject({ seatsSold: 1, revenue: PRICE, done: 1 });
    });

    it('returns a token with a unique id, the rank and the status', async () => {
      const { client, sale, tokens } = await startQueue(3);
      const ids = tokens.map((token) => readToken(token).claims['jti']);
      for (const id of ids) expect(id).toMatch(UUID);
      expect(new Set(ids).size).toBe(3);
      const last = await join(client, await signUpFan(client), sale);
      expect(last).toMatchObject({ status: 201, body: { status: 'WAITING', rank: 2 } });
      expect(typeof last.body.token).toBe('string');
      expect((await poll(client, tokens[0]!)).body).toMatchObject({
        token: tokens[0],
        status: 'ACTIVE',
        rank: 0,
      });
    });

    it('returns ACCESS_DENIED without a token, or with an unknown token', async () => {
      const { client, sale, first } = await startQueue(1);
      const [seat] = await seatsOf(client, first, sale);
      const { paying: _, ...booking } = bookingSteps(client, sale, { seatId: seat!.id, reservationId: '' });
      const steps = { ...booking, polling: (token?: string) => client.get('/queue-tokens/me', token) };
      await expectEachDenied(steps, undefined, 'MISSING');
      await expectEachDenied(steps, randomUUID(), 'INVALID');
      await expectEachDenied(steps, resign(first, { secret: 'another secret' }), 'INVALID');
      const unknown = resign(first, { claims: { jti: randomUUID() } });
      for (const [name, step] of Object.entries(steps)) {
        expect((await step(unknown)).body, name).toMatchObject({ code: 'ACCESS_DENIED' });
      }
    });

    it('admits the next fan immediately when an ACTIVE fan leaves', async () => {
      const { client, operator, sale, fans, tokens } = await startQueue(4);
      const [active = '', , third = '', fourth = ''] = tokens;
      expect((await poll(client, fourth)).body).toMatchObject({ status: 'WAITING', rank: 2 });
      expect((await leave(client, active)).status).toBe(204);
      expect((await leave(client, active)).status).toBe(204);
      expect((await poll(client, third)).body).toMatchObject({ status: 'ACTIVE', rank: 0 });
      expect((await poll(client, fourth)).body).toMatchObject({ status: 'WAITING', rank: 1 });

      expectDenied(await poll(client, active), 403, 'LEFT');
      expectDenied(await client.get(`/concerts/${sale.concertId}/schedules`, active), 403, 'LEFT');
      expect(await statsOf(client, operator, sale)).toMatchObject({ left: 1, active: 2, waiting: 1 });
      expect((await join(client, fans[0]!, sale)).body).toMatchObject({ status: 'WAITING', rank: 2 });
    });

    it('expires places and reservations and admits the next fans without a request', async () => {
      const policy = { activeSeconds: 2, holdSeconds: 1 };
      const { client, operator, sale, fans, tokens } = await startQueue(5, policy);
      const [holder = '', idle = '', , , last = ''] = tokens;
      const [seat] = await seatsOf(client, idle, sale);
      const { id } = await claim(client, holder, sale, [seat!.id]);
      const activeSeen: number[] = [];
      await eventually(
        async () => {
          const stats = await statsOf(client, operator, sale);
          activeSeen.push(stats['active']!);
          return stats;
        },
        ({ waiting }) => waiting === 0,
      );

      // The last fan was admitted by the background job alone, and by then the hold had expired.
      expect((await client.get(`/reservations/${id}`, fans[0]!.accessToken)).body).toMatchObject({
        status: 'EXPIRED',
      });
      const statuses = await Promise.all(
        tokens.map(async (token) => (await poll(client, token)).body.status),
      );
      expect(statuses).toEqual(['DONE', 'EXPIRED', 'EXPIRED', 'ACTIVE', 'ACTIVE']);
      expect(Math.max(...activeSeen)).toBe(2);
      expect((await seatStates(client, last, sale))[0]).toBe('AVAILABLE');
      expect(await statsOf(client, operator, sale)).toMatchObject({ done: 1, expired: 2, seatsHeld: 0 });
    });

    it('gives a seat to one of several concurrent requests; the others return ALREADY_RESERVED_SEAT', async () => {
      const { client, operator, sale, tokens, first } = await startQueue(6, { maxActive: 6 });
      const [seat] = await seatsOf(client, first, sale);
      const answers = await Promise.all(tokens.map((token) => hold(client, token, sale, [seat!.id])));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
      for (const [index, answer] of answers.entries()) {
        const lost = answer.status === 409;
        if (lost) expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT', { seatIds: [seat!.id] });
        // Only a successful reservation consumes the place.
        expect((await poll(client, tokens[index]!)).body.status).toBe(lost ? 'ACTIVE' : 'DONE');
      }
      expect(await statsOf(client, operator, sale)).toMatchObject({ active: 5, done: 1, seatsHeld: 1 });
    });

    it('holds the seat, creates the reservation and consumes the place', async () => {
      const { client, operator, sale, fan, first, second, id } = await startWithHold();
      expect((await seatStates(client, second, sale)).slice(0, 2)).toEqual(['HELD', 'AVAILABLE']);
      expect((await client.get('/reservations', fan.accessToken)).body.items).toMatchObject([
        { id, status: 'HELD' },
      ]);
      expect((await poll(client, first)).body).toMatchObject({ status: 'DONE', rank: 0 });
      const [, next] = await seatsOf(client, second, sale);
      const { paying: _, ...steps } = bookingSteps(client, sale, { seatId: next!.id, reservationId: id });
      await expectEachDenied(steps, first, 'USED');
      await expectEachDenied(steps, fan.accessToken, 'USED');
      expect(await statsOf(client, operator, sale)).toMatchObject({ active: 1, done: 1 });
    });

    it('admits the next waiting fan when a reservation consumes a place', async () => {
      const { client, sale, tokens, first } = await startQueue(3);
      const [seat] = await seatsOf(client, first, sale);
      expect((await poll(client, tokens[2]!)).body).toMatchObject({ status: 'WAITING', rank: 1 });
      await claim(client, first, sale, [seat!.id]);
      // A poll waits for an admission for a moment only.
      const { body } = await eventually(
        () => poll(client, tokens[2]!),
        (answer) => answer.body.status === 'ACTIVE',
      );
      expect(body.rank).toBe(0);
    });

    it.each(['access token', 'consumed queue token'])('accepts a payment with the %s', async (kind) => {
      const { client, fan, first, id } = await startWithHold({}, PRICE);
      const token = kind === 'access token' ? fan.accessToken : first;
      expect(await payFor(client, token, id)).toMatchObject({
        reservationId: id,
        amount: PRICE,
        balanceAfter: 0,
      });
    });

    it("returns 404 RESERVATION_NOT_FOUND for a payment of another fan's reservation", async () => {
      const { client, rival, second, id } = await startWithHold({}, PRICE);
      expectProblem(await pay(client, second, id), 404, 'RESERVATION_NOT_FOUND');
      expectProblem(await pay(client, rival.accessToken, id), 404, 'RESERVATION_NOT_FOUND');
    });

    it('returns 409 RESERVATION_EXPIRED for a payment after the hold has expired', async () => {
      const { client, fan, id } = await startWithHold({ holdSeconds: 1 }, PRICE);
      await untilHoldExpired(client, fan.accessToken, id);
      expectProblem(await pay(client, fan.accessToken, id), 409, 'RESERVATION_EXPIRED');
      expect(await balanceOf(client, fan.accessToken)).toBe(PRICE);
    });

    it('returns 402 NOT_ENOUGH_BALANCE when the price is above the balance', async () => {
      const { client, fan, id } = await startWithHold({}, PRICE - 1);
      const money = { balance: PRICE - 1, amount: PRICE };
      expectProblem(await pay(client, fan.accessToken, id), 402, 'NOT_ENOUGH_BALANCE', money);
      expect(await balanceOf(client, fan.accessToken)).toBe(PRICE - 1);
      await charge(client, fan.accessToken, 1);
      await payFor(client, fan.accessToken, id);
    });

    it('accepts one of two concurrent payments when the balance covers one', async () => {
      const { client, sale, fan, second, id } = await startWithHold({}, PRICE);
      const [, next] = await seatsOf(client, second, sale);
      const again = await joinActive(client, fan, sale);
      const other = await claim(client, again, sale, [next!.id]);
      const answers = await Promise.all([id, other.id].map((each) => pay(client, fan.accessToken, each)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 402]);
      expect(await balanceOf(client, fan.accessToken)).toBe(0);
    });

    it('debits the balance and records a wallet entry when a fan pays', async () => {
      const { client, fan, id } = await startWithHold({}, 3 * PRICE);
      await payFor(client, fan.accessToken, id);
      expect(await balanceOf(client, fan.accessToken)).toBe(2 * PRICE);
      expect((await client.get('/wallet/entries', fan.accessToken)).body.items).toMatchObject([
        { type: 'PAYMENT', amount: -PRICE, balanceAfter: 2 * PRICE },
        { type: 'CHARGE', amount: 3 * PRICE, balanceAfter: 3 * PRICE },
      ]);
    });

    it('returns 404 USER_NOT_FOUND for the wallet of an unknown user', async () => {
      const unknownUser = forgeAccess(randomUUID());
      for (const step of Object.values(walletSteps(foyer.client))) {
        expectProblem(await step(unknownUser), 404, 'USER_NOT_FOUND');
      }
    });

    it('applies and records every one of ten concurrent charges', async () => {
      const { client } = foyer;
      const { accessToken } = await signUpFan(client);
      const amounts = Array.from({ length: 10 }, (_, index) => index + 1);
      const answers = await Promise.all(amounts.map((amount) => charge(client, accessToken, amount)));
      for (const { status } of answers) expect(status).toBe(201);
      expect(await balanceOf(client, accessToken)).toBe(55);
      const { items } = (await client.get('/wallet/entries', accessToken)).body;
      expect(items).toHaveLength(10);
      let balance = 0;
      for (const { type, amount, balanceAfter } of [...items].reverse()) {
        balance += Number(amount);
        expect([type, balanceAfter]).toEqual(['CHARGE', balance]);
      }
    });
  });
}
