import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { poll } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { eventually, hold, join, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import {
  balanceOf,
  bookingSteps,
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
} from '../support/steps.js';

const SETTINGS = {
  maxActive: 2,
  admitCount: 2,
  admitEverySeconds: 60,
  activeSeconds: 900,
  consumeOn: 'PAYMENT',
};
const BALANCE_MAX = 1_000_000_000_000;

for (const database of DATABASES) {
  describe(`the recipe "portions with a ceiling" on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const startQueue = (count: number, policy: object = {}, balance = 0) =>
      startLine(foyer, count, { ...SETTINGS, ...policy }, balance);

    it('is configured by the policy alone', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      expect(await policyOf(client, operator, sale)).toMatchObject(SETTINGS);
    });

    it('creates a WAITING place when a fan joins', async () => {
      const { client, operator, sale } = await startQueue(2);
      const fan = await signUpFan(client);
      const dates = (token: string) => client.get(`/concerts/${sale.concertId}/schedules`, token);
      await expectEachDenied({ dates: () => dates(fan.accessToken) }, undefined, 'NOT_ACTIVE');
      expect(await statsOf(client, operator, sale)).toMatchObject({ waiting: 0, active: 2 });

      const answer = await join(client, fan, sale);
      expect(answer).toMatchObject({ status: 201, body: { status: 'WAITING', rank: 1, activatedAt: null } });
      expect(await statsOf(client, operator, sale)).toMatchObject({ waiting: 1, active: 2 });
    });

    it('admits a portion per period without a request, each place with an expiry time', async () => {
      const policy = { maxActive: 10, admitCount: 1, admitEverySeconds: 1 };
      const { client, operator, sale, tokens } = await startQueue(3, policy);
      expect(await statsOf(client, operator, sale)).toMatchObject({ waiting: 2, active: 1 });
      await eventually(
        () => statsOf(client, operator, sale),
        ({ active }) => active === 3,
      );

      const places = await Promise.all(tokens.map(async (token) => (await poll(client, token)).body));
      for (const place of places) expect(msBetween(place.activatedAt, place.expiresAt)).toBe(900_000);
      for (const index of [1, 2]) {
        const gapMs = msBetween(places[index - 1].activatedAt, places[index].activatedAt);
        expect(gapMs).toBeGreaterThanOrEqual(1000);
      }
    });

    it('never admits more than maxActive fans, however many periods pass', async () => {
      const policy = { maxActive: 1, admitCount: 1, admitEverySeconds: 1, activeSeconds: 2 };
      const { client, operator, sale, tokens } = await startQueue(3, policy);
      const activeSeen: number[] = [];
      await eventually(
        async () => {
          const stats = await statsOf(client, operator, sale);
          activeSeen.push(stats['active']!);
          return stats;
        },
        ({ waiting }) => waiting === 0,
      );
      expect(Math.max(...activeSeen)).toBe(1);
      const places = await Promise.all(tokens.map(async (token) => (await poll(client, token)).body));
      expect(places.map(({ status }) => status)).toEqual(['EXPIRED', 'EXPIRED', 'ACTIVE']);
      for (const index of [1, 2]) {
        expect(msBetween(places[index - 1].expiresAt, places[index].activatedAt)).toBeGreaterThanOrEqual(0);
      }
    });

    it('expires ACTIVE places without a request', async () => {
      const { client, operator, sale, tokens } = await startQueue(2, { activeSeconds: 1 });
      await eventually(
        () => statsOf(client, operator, sale),
        ({ active, expired }) => active === 0 && expired === 2,
      );
      for (const token of tokens)
        expect((await poll(client, token)).body).toMatchObject({ status: 'EXPIRED', rank: 0 });
    });

    it('returns status and rank for a poll', async () => {
      const { client, tokens } = await startQueue(4, { maxActive: 1, admitCount: 1, admitEverySeconds: 1 });
      const readStandings = async (): Promise<unknown[]> =>
        Promise.all(
          tokens.map(async (token) => {
            const { status, rank } = (await poll(client, token)).body;
            return [status, rank];
          }),
        );
      expect(await readStandings()).toEqual([
        ['ACTIVE', 0],
        ['WAITING', 1],
        ['WAITING', 2],
        ['WAITING', 3],
      ]);
      await leave(client, tokens.shift()!);
      await eventually(readStandings, ([place]) => JSON.stringify(place) === '["ACTIVE",0]');
      expect(await readStandings()).toEqual([
        ['ACTIVE', 0],
        ['WAITING', 1],
        ['WAITING', 2],
      ]);
    });

    it('returns 403 for dates, seats, reserving and paying while WAITING and after EXPIRED', async () => {
      const { client, sale, fans, first } = await startQueue(1, {
        maxActive: 1,
        admitCount: 1,
        activeSeconds: 2,
      });
      const steps = await stepsWithHold(client, first, sale);
      await untilExpired(client, first);
      await expectEachDenied(steps, first, 'EXPIRED');

      const { body: again } = await join(client, fans[0]!, sale);
      expect(again).toMatchObject({ status: 'WAITING', rank: 1 });
      await expectEachDenied(steps, again.token, 'NOT_ACTIVE');
      await expectEachDenied(steps, fans[0]!.accessToken, 'NOT_ACTIVE');
    });

    it('holds seats for holdSeconds', async () => {
      const long = await startQueue(1, { holdSeconds: 420 });
      const [seat] = await seatsOf(long.client, long.first, long.sale);
      const { createdAt, expiresAt } = await claim(long.client, long.first, long.sale, [seat!.id]);
      expect(msBetween(createdAt, expiresAt)).toBe(420_000);

      const { client, sale, first, second } = await startQueue(2, { holdSeconds: 1 });
      const [mine] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [mine!.id]);
      expect((await seatStates(client, second, sale))[0]).toBe('HELD');
      await untilHoldExpired(client, first, id);
      expect((await seatStates(client, second, sale))[0]).toBe('AVAILABLE');
    });

    it('returns the reason when a reservation is refused, and holds nothing', async () => {
      const { client, sale, first, second } = await startQueue(2, { maxSeatsPerUser: 2 });
      const seats = (await seatsOf(client, first, sale)).map(({ id }) => id);
      const [taken = '', free = '', ...more] = seats;
      await claim(client, first, sale, [taken]);

      const both = await hold(client, second, sale, [free, taken]);
      expectProblem(both, 409, 'ALREADY_RESERVED_SEAT', { seatIds: [taken] });
      expectProblem(await hold(client, second, sale, [free, randomUUID()]), 404, 'SEAT_NOT_FOUND');
      expectProblem(
        await hold(client, second, sale, [free, ...more.slice(0, 2)]),
        409,
        'SEAT_LIMIT_EXCEEDED',
      );
      const noDate = { ...sale, scheduleIds: [randomUUID()] };
      expectProblem(await hold(client, second, noDate, [free]), 404, 'SCHEDULE_NOT_FOUND');
      expect(await seatStates(client, second, sale)).toEqual(['HELD', ...Array<string>(9).fill('AVAILABLE')]);
    });

    it('needs no place for reading the balance and charging', async () => {
      const { client } = foyer;
      const { accessToken } = await signUpFan(client);
      expect(await balanceOf(client, accessToken)).toBe(0);
      const charged = await charge(client, accessToken, 700);
      expect(charged).toMatchObject({
        status: 201,
        body: { balance: 700, entry: { type: 'CHARGE', amount: 700 } },
      });
      expect(await balanceOf(client, accessToken)).toBe(700);
    });

    it('refuses an invalid charge and keeps the balance', async () => {
      const { client } = foyer;
      const { accessToken } = await signUpFan(client, 700);
      expectProblem(await charge(client, accessToken, BALANCE_MAX), 422, 'BALANCE_LIMIT_EXCEEDED');
      expectProblem(await charge(client, accessToken, 0), 400, 'INVALID_AMOUNT');
      expectProblem(await charge(client, accessToken, -700), 400, 'INVALID_AMOUNT');
      expectProblem(await charge(client, accessToken, '700'), 400, 'INVALID_REQUEST');
      expect(await balanceOf(client, accessToken)).toBe(700);
      expect((await client.get('/wallet/entries', accessToken)).body.items).toHaveLength(1);
    });

    it('records payment and wallet entry, sells the seat and consumes the place when an ACTIVE fan pays', async () => {
      const { client, operator, sale, fans, first, second } = await startQueue(2, {}, 3 * PRICE);
      const [seat, next] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      const receipt = await payFor(client, first, id);
      expect(receipt).toMatchObject({ reservationId: id, amount: PRICE, balanceAfter: 2 * PRICE });

      const { accessToken } = fans[0]!;
      expect((await client.get('/payments', accessToken)).body.items).toEqual([receipt]);
      expect((await client.get('/wallet/entries', accessToken)).body.items).toMatchObject([
        { type: 'PAYMENT', amount: -PRICE, balanceAfter: 2 * PRICE },
        { type: 'CHARGE', amount: 3 * PRICE, balanceAfter: 3 * PRICE },
      ]);
      expect((await seatStates(client, second, sale))[0]).toBe('SOLD');
      expect((await poll(client, first)).body).toMatchObject({ status: 'DONE', rank: 0 });
      const { paying: _, ...steps } = bookingSteps(client, sale, { seatId: next!.id, reservationId: id });
      await expectEachDenied(steps, first, 'USED');
      expect(await statsOf(client, operator, sale)).toMatchObject({ active: 1, done: 1 });
    });

    it('records nothing when a payment is refused, and keeps the place ACTIVE', async () => {
      const { client, sale, fans, first } = await startQueue(1);
      const [seat] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      expectProblem(await pay(client, first, id), 402, 'NOT_ENOUGH_BALANCE', { balance: 0, amount: PRICE });
      expect((await client.get('/payments', fans[0]!.accessToken)).body.items).toEqual([]);
      expect((await client.get('/wallet/entries', fans[0]!.accessToken)).body.items).toEqual([]);
      expect((await poll(client, first)).body).toMatchObject({ status: 'ACTIVE' });
      expect((await seatStates(client, first, sale))[0]).toBe('HELD');
    });

    it('works from joining to the receipt with polling alone', async () => {
      const policy = { maxActive: 1, admitCount: 1, admitEverySeconds: 1, activeSeconds: 2 };
      const { client, sale, fans, tokens } = await startQueue(2, policy, PRICE);
      const token = tokens[1]!;
      await eventually(
        () => poll(client, token),
        ({ body }) => body.status === 'ACTIVE',
      );
      const [seat] = await seatsOf(client, token, sale);
      const { id } = await claim(client, token, sale, [seat!.id]);
      const receipt = await payFor(client, token, id);
      expect(receipt).toMatchObject({ seats: [{ label: seat!.label }], balanceAfter: 0 });
      const again = await join(client, fans[1]!, sale);
      expect([again.status, again.body.token === token]).toEqual([201, false]);
    });
  });
}
