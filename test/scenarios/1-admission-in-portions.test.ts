import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { poll } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { forgeAccess, resign } from '../support/forge.js';
import { useOwnFoyer } from '../support/foyer.js';
import { eventually, hold, join, joinActive, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import {
  balanceOf,
  bookingSteps,
  charge,
  expectEachDenied,
  claim,
  leave,
  listen,
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

const SETTINGS = { admitCount: 10, admitEverySeconds: 60, activeSeconds: 600, idleSeconds: 300 };
const CONNECTION_LOST = { status: 0 };

for (const database of DATABASES) {
  describe(`the recipe "admission in portions" on ${database.name}`, () => {
    const foyer = useOwnFoyer(database, { FOYER_WALLET_GATE: 'queue-token' });

    /** Joins fans and charges their wallets afterwards: here the wallet needs a queue token. */
    async function joinFans(count: number, policy: object = {}, balance = 0) {
      const queue = await startLine(foyer, count, { ...SETTINGS, ...policy });
      if (balance > 0) await Promise.all(queue.tokens.map((token) => charge(queue.client, token, balance)));
      return queue;
    }

    it('is configured by the policy alone', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      expect(await policyOf(client, operator, sale)).toMatchObject(SETTINGS);
    });

    it('returns 404 USER_NOT_FOUND when an unknown user joins', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: SETTINGS });
      const answer = await client.post(`/concerts/${sale.concertId}/queue-tokens`, forgeAccess(randomUUID()));
      expectProblem(answer, 404, 'USER_NOT_FOUND');
      expect(await statsOf(client, operator, sale)).toMatchObject({ waiting: 0, active: 0 });
    });

    it('returns 404 USER_NOT_FOUND to an unknown user at every booking step', async () => {
      const { client, sale, first } = await joinFans(1);
      const steps = await stepsWithHold(client, first, sale);
      const unknownUser = forgeAccess(randomUUID());
      for (const step of Object.values(steps)) expectProblem(await step(unknownUser), 404, 'USER_NOT_FOUND');
    });

    it('creates a WAITING place when the portion is used up', async () => {
      const { client, sale } = await joinFans(1, { admitCount: 1 });
      const answer = await join(client, await signUpFan(client), sale);
      expect(answer).toMatchObject({ status: 201, body: { status: 'WAITING', rank: 1, expiresAt: null } });
    });

    it('validates the token at every booking step and for the wallet', async () => {
      const { client, sale, fans, first } = await joinFans(1);
      const steps = { ...(await stepsWithHold(client, first, sale)), ...walletSteps(client) };

      await expectEachDenied(steps, undefined, 'MISSING');
      await expectEachDenied(steps, 'not-a-token', 'INVALID');
      await expectEachDenied(steps, resign(first, { secret: 'another secret' }), 'INVALID');
      await expectEachDenied(walletSteps(client), fans[0]!.accessToken, 'INVALID');
    });

    it('returns 403 NOT_ACTIVE at every booking step while the fan waits', async () => {
      const { client, sale, fans, first } = await joinFans(1, { admitCount: 1 });
      const steps = await stepsWithHold(client, first, sale);
      await leave(client, first);
      const { body: again } = await join(client, fans[0]!, sale);
      expect(again).toMatchObject({ status: 'WAITING' });
      await expectEachDenied(steps, again.token, 'NOT_ACTIVE');
      expect(await balanceOf(client, again.token)).toBe(0);
    });

    it('returns 403 at every step after the place has expired, was consumed or was left', async () => {
      const { client, sale, tokens } = await joinFans(3, { activeSeconds: 3 }, PRICE);
      const [expired = '', used = '', left = ''] = tokens;
      const seats = await seatsOf(client, expired, sale);
      const held: string[] = [];
      for (const [index, token] of tokens.entries()) {
        held.push((await claim(client, token, sale, [seats[index]!.id])).id);
      }
      const { id: paid } = await claim(client, used, sale, [seats[3]!.id]);
      await payFor(client, used, paid);
      await leave(client, left);
      const stepsOf = (index: number) => ({
        ...bookingSteps(client, sale, { seatId: seats[9]!.id, reservationId: held[index]! }),
        ...walletSteps(client),
      });

      await expectEachDenied(stepsOf(1), used, 'USED');
      await expectEachDenied(stepsOf(2), left, 'LEFT');
      await untilExpired(client, expired);
      await expectEachDenied(stepsOf(0), expired, 'EXPIRED');
    });

    it('returns 403 WRONG_CONCERT at every booking step with a token of another concert', async () => {
      const { client, operator, sale, fans, first } = await joinFans(1);
      const steps = await stepsWithHold(client, first, sale);
      const elsewhere = await openSale(client, operator, { policy: SETTINGS });
      const token = await joinActive(client, fans[0]!, elsewhere);
      await expectEachDenied(steps, token, 'WRONG_CONCERT');
    });

    it('lists dates with their start time and the seats remaining', async () => {
      const { client, sale, first } = await joinFans(1);
      const dates = async () => (await client.get(`/concerts/${sale.concertId}/schedules`, first)).body.items;
      const [before] = await dates();
      expect(before).toMatchObject({ id: sale.scheduleIds[0], seatsTotal: 10, seatsRemaining: 10 });
      expect(Date.parse(before.startsAt)).toBeGreaterThan(Date.now());
      const [one, two] = await seatsOf(client, first, sale);
      await claim(client, first, sale, [one!.id, two!.id]);
      const [grade] = before.grades;
      expect(await dates()).toEqual([
        { ...before, seatsRemaining: 8, grades: [{ ...grade, seatsRemaining: 8 }] },
      ]);
    });

    it('lists seats with number, price and status: AVAILABLE, HELD, SOLD', async () => {
      const { client, sale, first, second } = await joinFans(2, {}, PRICE);
      const [sold, reserved] = await seatsOf(client, first, sale);
      await payFor(client, first, (await claim(client, first, sale, [sold!.id])).id);
      await claim(client, second, sale, [reserved!.id]);
      const seats = await seatsOf(client, second, sale);
      expect(seats.map(({ status }) => status).slice(0, 3)).toEqual(['SOLD', 'HELD', 'AVAILABLE']);
      expect(seats.every(({ price }) => price === PRICE)).toBe(true);
      expect(new Set(seats.map(({ label }) => label)).size).toBe(10);
      expect(seats.every((seat) => seat.number !== undefined)).toBe(true);
    });

    it('gives a seat to one of six fans and returns 409 ALREADY_RESERVED_SEAT to the others', async () => {
      const { client, sale, tokens, first } = await joinFans(6);
      const [seat] = await seatsOf(client, first, sale);
      const answers = await Promise.all(tokens.map((token) => hold(client, token, sale, [seat!.id])));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
      for (const answer of answers.filter(({ status }) => status === 409)) {
        expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT', { seatIds: [seat!.id] });
      }
    });

    it('checks that the hold is live before it checks the balance', async () => {
      const { client, sale, tokens } = await joinFans(2, { holdSeconds: 1 });
      const [mine = '', rival = ''] = tokens;
      const [seat] = await seatsOf(client, mine, sale);
      const { id } = await claim(client, mine, sale, [seat!.id]);
      await untilHoldExpired(client, mine, id);
      expectProblem(await pay(client, mine, id), 409, 'RESERVATION_EXPIRED');

      const theirs = await claim(client, rival, sale, [seat!.id]);
      await charge(client, mine, PRICE);
      expectProblem(await pay(client, mine, id), 409, 'RESERVATION_EXPIRED');
      expectProblem(await pay(client, mine, theirs.id), 404, 'RESERVATION_NOT_FOUND');
      expect(await balanceOf(client, mine)).toBe(PRICE);
    });

    it('returns 402 NOT_ENOUGH_BALANCE and changes nothing when the balance is too low', async () => {
      const { client, sale, first } = await joinFans(1, {}, PRICE - 1);
      const [seat] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      const money = { balance: PRICE - 1, amount: PRICE };
      expectProblem(await pay(client, first, id), 402, 'NOT_ENOUGH_BALANCE', money);
      expect((await client.get(`/reservations/${id}`, first)).body).toMatchObject({ status: 'HELD' });
      expect((await poll(client, first)).body).toMatchObject({ status: 'ACTIVE' });
      expect(await balanceOf(client, first)).toBe(PRICE - 1);
    });

    it('applies a payment completely or not at all when the server is killed', async () => {
      const before = await joinFans(8, {}, PRICE);
      const { sale, fans, tokens, first } = before;
      const seats = await seatsOf(before.client, first, sale);
      const held = await Promise.all(
        tokens.map((token, index) => claim(before.client, token, sale, [seats[index]!.id])),
      );
      const paying = held.map(({ id }, index) =>
        pay(before.client, tokens[index]!, id).catch(() => CONNECTION_LOST),
      );
      await Promise.race(paying);
      await foyer.server.kill();
      const answers = await Promise.all(paying);
      await foyer.restart();

      const { client, operator } = foyer;
      for (const [index, fan] of fans.entries()) {
        const receipts = (await client.get('/payments', fan.accessToken)).body.items.length;
        expect([0, 1]).toContain(receipts);
        if (answers[index]!.status === 201) expect(receipts).toBe(1);
        const { body } = await client.get(`/reservations/${held[index]!.id}`, fan.accessToken);
        expect(body.status).toBe(receipts === 1 ? 'CONFIRMED' : 'HELD');
        expect((await poll(client, tokens[index]!)).body.status).toBe(receipts === 1 ? 'DONE' : 'ACTIVE');
        const { body: live } = await join(client, fan, sale);
        expect(await balanceOf(client, live.token)).toBe(receipts === 1 ? 0 : PRICE);
      }
      const { seatsHeld, seatsSold, revenue } = await statsOf(client, operator, sale);
      expect([seatsHeld! + seatsSold!, revenue]).toEqual([8, seatsSold! * PRICE]);
    });

    it('sells the seat, consumes the place and returns the receipt', async () => {
      const { client, sale, fans, first, second } = await joinFans(2, {}, 2 * PRICE);
      const [seat] = await seatsOf(client, first, sale);
      const { id, createdAt, expiresAt } = await claim(client, first, sale, [seat!.id]);
      expect(msBetween(createdAt, expiresAt)).toBe(300_000);
      const receipt = await payFor(client, first, id);
      expect(receipt).toMatchObject({ reservationId: id, amount: PRICE, balanceAfter: PRICE });

      expect((await seatStates(client, second, sale))[0]).toBe('SOLD');
      expect((await poll(client, first)).body).toMatchObject({ status: 'DONE', rank: 0 });
      expect((await client.get('/payments', fans[0]!.accessToken)).body.items).toEqual([receipt]);
    });

    it('admits the next 2 fans every 2 seconds in order, and sends them an event', async () => {
      const { tokens } = await joinFans(6, { admitCount: 2, admitEverySeconds: 2 });
      const streams = await Promise.all(tokens.map((token) => listen(foyer.url, token)));
      expect((await streams[5]!.next('position')).data).toMatchObject({ status: 'WAITING', rank: 4 });

      const events = await Promise.all(streams.map((stream) => stream.next('admitted')));
      const admittedAt = events.map(({ data }) => Date.parse(data.activatedAt));
      expect(events.every(({ data }) => data.status === 'ACTIVE' && data.rank === 0)).toBe(true);
      expect(admittedAt).toEqual([...admittedAt].sort((a, b) => a - b));
      for (const index of [2, 3, 4, 5]) {
        expect(admittedAt[index]! - admittedAt[index - 2]!).toBeGreaterThanOrEqual(2000);
      }
    });

    it('expires a place activeSeconds after its activation, and sends an event', async () => {
      const { client, operator, sale, first } = await joinFans(1, { activeSeconds: 1 });
      const stream = await listen(foyer.url, first);
      const { data } = await stream.next('expired');
      expect(data).toMatchObject({ token: first, status: 'EXPIRED', rank: 0 });
      expect(msBetween(data.activatedAt, data.expiresAt)).toBe(1000);
      expect(await statsOf(client, operator, sale)).toMatchObject({ active: 0, expired: 1 });
    });

    it('sends no event of a new place on the stream of the expired place', async () => {
      const { client, operator, sale, fans, first } = await joinFans(1, { activeSeconds: 1 });
      const stream = await listen(foyer.url, first);
      await stream.next('expired');
      const { body: next } = await join(client, fans[0]!, sale);
      expect(next).toMatchObject({ status: 'ACTIVE' });
      await eventually(
        () => statsOf(client, operator, sale),
        ({ expired }) => expired === 2,
      );
      const sent = stream.events.map(({ event, data }) => [event, data.status]);
      expect(sent).toEqual([
        ['admitted', 'ACTIVE'],
        ['expired', 'EXPIRED'],
      ]);
    });

    it('expires a place after idleSeconds without a request, and sends an event', async () => {
      const { client, sale, first, second } = await joinFans(2, { idleSeconds: 2 });
      const silent = await listen(foyer.url, first);
      await eventually(
        () => seatStates(client, second, sale),
        () => silent.events.some(({ event }) => event === 'expired'),
      );
      expect((await silent.next('expired')).data).toMatchObject({ token: first, status: 'EXPIRED' });
      expect((await poll(client, second)).body).toMatchObject({ status: 'ACTIVE' });
    });

    it('makes an unpaid seat AVAILABLE after holdSeconds, and sends an event to its fan', async () => {
      const { client, sale, first, second } = await joinFans(2, { holdSeconds: 1 });
      const stream = await listen(foyer.url, first);
      const [seat] = await seatsOf(client, first, sale);
      const { id } = await claim(client, first, sale, [seat!.id]);
      expect((await stream.next('hold-expired')).data).toMatchObject({
        id,
        status: 'EXPIRED',
        seats: [{ id: seat!.id }],
      });
      expect((await seatStates(client, second, sale))[0]).toBe('AVAILABLE');
    });
  });
}
