import { describe, expect, it } from 'vitest';
import { poll } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import {
  eventually,
  hold,
  join,
  joinActive,
  openSale,
  pay,
  PRICE,
  signUpFan,
  signUpFans,
} from '../support/sale.js';
import { expectDenied, expectProblem } from '../support/shapes.js';
import {
  balanceOf,
  charge,
  expectEachDenied,
  claim,
  leave,
  msBetween,
  payFor,
  policyOf,
  seatsOf,
  seatStates,
  statsOf,
  stepsWithHold,
  untilExpired,
} from '../support/steps.js';

const SETTINGS = {
  maxActive: 1,
  admitCount: null,
  admitEverySeconds: null,
  activeSeconds: 1800,
  idleSeconds: null,
  holdSeconds: 300,
  consumeOn: 'PAYMENT',
};
const LIFETIME_MS = 1_800_000;
/** Tolerance for clock differences and a slow machine. */
const CLOCK_TOLERANCE_MS = 60_000;

const sectionOf = (seats: number) => [{ name: 'A', rows: 1, seatsPerRow: seats, grade: 'R', price: PRICE }];

for (const database of DATABASES) {
  describe(`the recipe "position on demand" on ${database.name}`, () => {
    const foyer = useFoyer(database);

    it('is configured by the policy alone', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      expect(await policyOf(client, operator, sale)).toMatchObject(SETTINGS);
    });

    it('works from joining to the receipt', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      const fan = await signUpFan(client);
      const { body: joined } = await join(client, fan, sale);
      const token: string = joined.token;
      expect((await poll(client, token)).body).toMatchObject({ token, status: 'ACTIVE', rank: 0, ahead: 0 });
      const dates = await client.get(`/concerts/${sale.concertId}/schedules`, token);
      expect(dates.body.items).toMatchObject([
        { id: sale.scheduleIds[0], seatsRemaining: 10, soldOut: false },
      ]);
      const [seat] = await seatsOf(client, token, sale);
      const reservation = await claim(client, token, sale, [seat!.id]);
      expect((await charge(client, token, 3 * PRICE)).body).toMatchObject({ balance: 3 * PRICE });

      const receipt = await payFor(client, token, reservation.id);
      expect(receipt).toMatchObject({
        reservationId: reservation.id,
        concert: { id: sale.concertId },
        schedule: { id: sale.scheduleIds[0] },
        seats: [{ label: seat!.label, price: PRICE }],
        amount: PRICE,
        balanceAfter: 2 * PRICE,
      });
      expect((await client.get(`/payments/${receipt.id}`, fan.accessToken)).body).toEqual(receipt);
    });

    it('returns the live token when a fan joins again, and a new token after leaving', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      const [active, waiting] = await signUpFans(client, 2);
      for (const fan of [active!, waiting!]) {
        const first = await join(client, fan, sale);
        expect(first.status).toBe(201);
        const again = await join(client, fan, sale);
        expect(again).toMatchObject({
          status: 200,
          body: { token: first.body.token, status: first.body.status },
        });
      }
      const before = await join(client, waiting!, sale);
      await leave(client, before.body.token);
      const after = await join(client, waiting!, sale);
      expect(after.status).toBe(201);
      expect(after.body.token).not.toBe(before.body.token);
    });

    it('admits a polling fan when a slot is free: ACTIVE for 30 minutes, rank 0', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      const [first, second] = await signUpFans(client, 2);
      const active = await joinActive(client, first!, sale);
      const mine = await join(client, second!, sale);
      expect(mine.body).toMatchObject({ status: 'WAITING', rank: 1, activatedAt: null, expiresAt: null });
      await leave(client, active);

      const { body } = await poll(client, mine.body.token);
      expect(body).toMatchObject({ status: 'ACTIVE', rank: 0, ahead: 0 });
      expect(msBetween(body.activatedAt, body.expiresAt)).toBe(LIFETIME_MS);
      expect(Math.abs(Date.parse(body.expiresAt) - Date.now() - LIFETIME_MS)).toBeLessThan(
        CLOCK_TOLERANCE_MS,
      );
    });

    it('returns the number of fans waiting ahead plus 1 when no slot is free', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      const tokens: string[] = [];
      for (const fan of await signUpFans(client, 4)) tokens.push((await join(client, fan, sale)).body.token);
      const ranks = async (): Promise<number[]> =>
        Promise.all(tokens.map(async (token) => (await poll(client, token)).body.rank));
      expect(await ranks()).toEqual([0, 1, 2, 3]);

      await leave(client, tokens.splice(2, 1)[0]!);
      expect(await ranks()).toEqual([0, 1, 2]);
      expect((await poll(client, tokens[2]!)).body).toMatchObject({ status: 'WAITING', rank: 2, ahead: 1 });
    });

    it('returns 401 for a poll without a queue token in the Authorization header', async () => {
      const { client } = foyer;
      const fan = await signUpFan(client);
      expectDenied(await client.get('/queue-tokens/me'), 401, 'MISSING');
      expectDenied(await poll(client, fan.accessToken), 401, 'INVALID');
    });

    it('returns 403 EXPIRED for dates, seats, reserving and paying when the place has expired', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: { ...SETTINGS, activeSeconds: 2 } });
      const fan = await signUpFan(client, PRICE);
      const token = await joinActive(client, fan, sale);
      const steps = await stepsWithHold(client, token, sale);
      await untilExpired(client, token);

      await expectEachDenied(steps, token, 'EXPIRED');
      await expectEachDenied(steps, fan.accessToken, 'EXPIRED');
      expect(await balanceOf(client, fan.accessToken)).toBe(PRICE);
    });

    it('returns 409 ALREADY_RESERVED_SEAT for a seat that another fan holds or has paid', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: { ...SETTINGS, maxActive: 2 } });
      const [first, second] = await signUpFans(client, 2, PRICE);
      const theirs = await joinActive(client, first!, sale);
      const mine = await joinActive(client, second!, sale);
      const [seat, other] = await seatsOf(client, mine, sale);
      const reservation = await claim(client, theirs, sale, [seat!.id]);
      const expectTaken = async (): Promise<void> => {
        expectProblem(await hold(client, mine, sale, [seat!.id, other!.id]), 409, 'ALREADY_RESERVED_SEAT', {
          seatIds: [seat!.id],
        });
      };

      await expectTaken();
      await payFor(client, theirs, reservation.id);
      await expectTaken();
      expect((await seatStates(client, mine, sale)).slice(0, 2)).toEqual(['SOLD', 'AVAILABLE']);
    });

    it('holds seats for 5 minutes', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      const token = await joinActive(client, await signUpFan(client), sale);
      const [seat] = await seatsOf(client, token, sale);
      const { createdAt, expiresAt } = await claim(client, token, sale, [seat!.id]);
      expect(msBetween(createdAt, expiresAt)).toBe(300_000);
    });

    it('releases an unpaid hold without a request', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, {
        policy: { ...SETTINGS, maxActive: 2, holdSeconds: 1 },
      });
      const [first, second] = await signUpFans(client, 2);
      const theirs = await joinActive(client, first!, sale);
      const mine = await joinActive(client, second!, sale);
      const [seat] = await seatsOf(client, theirs, sale);
      const expiredHold = await claim(client, theirs, sale, [seat!.id]);
      await eventually(
        () => statsOf(client, operator, sale),
        ({ seatsHeld }) => seatsHeld === 0,
      );

      expect((await seatStates(client, mine, sale))[0]).toBe('AVAILABLE');
      await claim(client, mine, sale, [seat!.id]);
      expect((await client.get(`/reservations/${expiredHold.id}`, theirs)).body).toMatchObject({
        status: 'EXPIRED',
      });
    });

    it('expires a place without a request', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: { ...SETTINGS, activeSeconds: 1 } });
      const token = await joinActive(client, await signUpFan(client), sale);
      expect(await statsOf(client, operator, sale)).toMatchObject({ active: 1, expired: 0 });
      await eventually(
        () => statsOf(client, operator, sale),
        ({ active, expired }) => active === 0 && expired === 1,
      );
      expect((await poll(client, token)).body).toMatchObject({ status: 'EXPIRED', rank: 0 });
    });

    it.each([0, -1, -PRICE])('returns 400 INVALID_AMOUNT for a charge of %i', async (amount) => {
      const { client } = foyer;
      const fan = await signUpFan(client, 500);
      expectProblem(await charge(client, fan.accessToken, amount), 400, 'INVALID_AMOUNT');
      expect(await balanceOf(client, fan.accessToken)).toBe(500);
    });

    it('returns 402 NOT_ENOUGH_BALANCE when the balance is below the price, and changes nothing', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      const fan = await signUpFan(client, PRICE - 1);
      const token = await joinActive(client, fan, sale);
      const [seat] = await seatsOf(client, token, sale);
      const reservation = await claim(client, token, sale, [seat!.id]);

      const answer = await pay(client, token, reservation.id);
      expectProblem(answer, 402, 'NOT_ENOUGH_BALANCE', { balance: PRICE - 1, amount: PRICE });
      expect(await balanceOf(client, token)).toBe(PRICE - 1);
      expect((await seatStates(client, token, sale))[0]).toBe('HELD');
      expect((await poll(client, token)).body).toMatchObject({ status: 'ACTIVE' });
      expect((await client.get('/payments', token)).body.items).toEqual([]);
    });

    it('debits the price, sells the held seat and makes the place DONE', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: { ...SETTINGS, maxActive: 2 } });
      const [buyer, watcher] = await signUpFans(client, 2, 3 * PRICE);
      const token = await joinActive(client, buyer!, sale);
      const watching = await joinActive(client, watcher!, sale);
      const [seat, next] = await seatsOf(client, token, sale);
      const reservation = await claim(client, token, sale, [seat!.id]);
      expect((await seatStates(client, watching, sale))[0]).toBe('HELD');
      await payFor(client, token, reservation.id);

      expect((await seatStates(client, watching, sale))[0]).toBe('SOLD');
      expect(await balanceOf(client, buyer!.accessToken)).toBe(2 * PRICE);
      expect((await client.get(`/reservations/${reservation.id}`, token)).body).toMatchObject({
        status: 'CONFIRMED',
      });
      expect((await poll(client, token)).body).toMatchObject({ status: 'DONE', rank: 0 });
      expectDenied(await hold(client, token, sale, [next!.id]), 403, 'USED');
      expect(await statsOf(client, operator, sale)).toMatchObject({ active: 1, done: 1, revenue: PRICE });
    });

    it('marks a date as sold out when every seat is sold', async () => {
      const { client, operator } = foyer;
      const policy = { ...SETTINGS, maxActive: 2 };
      const sale = await openSale(client, operator, { policy, sections: sectionOf(2), dates: 2 });
      const [buyer, watcher] = await signUpFans(client, 2, 4 * PRICE);
      const watching = await joinActive(client, watcher!, sale);
      const listDates = async (query: string) =>
        (await client.get(`/concerts/${sale.concertId}/schedules${query}`, watching)).body.items;
      const [first, second] = sale.scheduleIds;

      for (const scheduleId of sale.scheduleIds) {
        expect((await client.get(`/concerts/${sale.concertId}`)).body).toMatchObject({ soldOut: false });
        const date = { ...sale, scheduleIds: [scheduleId] };
        const token = await joinActive(client, buyer!, date);
        const seats = (await seatsOf(client, token, date)).map(({ id }) => id);
        await payFor(client, token, (await claim(client, token, date, seats)).id);
        expect(await hold(client, watching, date, seats)).toMatchObject({ status: 409 });
        if (scheduleId === first)
          expect(await listDates('')).toMatchObject([{ id: second, seatsRemaining: 2 }]);
      }
      expect(await listDates('')).toEqual([]);
      expect(await listDates('?all=true')).toMatchObject([
        { id: first, soldOut: true, seatsRemaining: 0 },
        { id: second, soldOut: true, seatsRemaining: 0 },
      ]);
      expect((await client.get(`/concerts/${sale.concertId}`)).body).toMatchObject({ soldOut: true });
    });
  });
}
