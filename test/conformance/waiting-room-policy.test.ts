import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  enterSale,
  holdSeats,
  patchRoom,
  poll,
  seatsAt,
  startBooking,
  untilPast,
} from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import {
  eventually,
  hold,
  join,
  openSale,
  pay,
  PRICE,
  type Sale,
  signUpFan,
  signUpFans,
} from '../support/sale.js';
import { aCount, expectDenied, expectProblem } from '../support/shapes.js';
import { leave, msBetween, statsOf } from '../support/steps.js';

const DEFAULTS = {
  maxActive: 100,
  admitCount: null,
  admitEverySeconds: null,
  activeSeconds: 1800,
  idleSeconds: 300,
  showUpSeconds: null,
  consumeOn: 'PAYMENT',
  holdSeconds: 300,
  maxSeatsPerUser: 4,
  paused: false,
  closeWhenSoldOut: true,
  notice: null,
};
const CHANGED = {
  maxActive: 7,
  admitCount: 3,
  admitEverySeconds: 60,
  activeSeconds: 120,
  idleSeconds: 30,
  showUpSeconds: 20,
  consumeOn: 'RESERVATION',
  holdSeconds: 90,
  maxSeatsPerUser: 2,
  paused: true,
  closeWhenSoldOut: false,
  notice: 'Doors open at eight.\n좌석은 1인 2매까지입니다.',
};

for (const database of DATABASES) {
  describe(`the waiting-room policy on ${database.name}`, () => {
    const foyer = useFoyer(database);
    const patch = (sale: Sale, policy: object): Promise<Answer> =>
      patchRoom(foyer.client, foyer.operator, sale, { ...policy });

    /** Opens a sale with this policy and lets fans join one after another. */
    async function openQueue(policy: object, size: number): Promise<{ sale: Sale; tokens: string[] }> {
      const sale = await openSale(foyer.client, foyer.operator, { policy: { ...policy } });
      const tokens: string[] = [];
      for (const fan of await signUpFans(foyer.client, size)) {
        tokens.push((await join(foyer.client, fan, sale)).body.token);
      }
      return { sale, tokens };
    }

    const statuses = (tokens: readonly string[]): Promise<string[]> =>
      Promise.all(tokens.map(async (token) => (await poll(foyer.client, token)).body.status as string));

    it('estimates no wait while no fan can be admitted, even right after an admission', async () => {
      const { sale, tokens } = await openQueue({ maxActive: 1 }, 3);
      const [first = '', , last = ''] = tokens;
      const estimate = async (): Promise<unknown> =>
        (await poll(foyer.client, last)).body.estimatedWaitSeconds;
      await leave(foyer.client, first);
      await eventually(estimate, (seconds) => typeof seconds === 'number');
      for (const policy of [{ maxActive: 0 }, { maxActive: 1, paused: true }]) {
        await patch(sale, policy);
        expect(await estimate()).toBeNull();
      }
      await patch(sale, { paused: false });
      expect(await estimate()).toEqual(expect.any(Number));
    });

    it('estimates the wait by the rate of the policy from the first poll on', async () => {
      const policy = { maxActive: null, admitCount: 1, admitEverySeconds: 60 };
      const { tokens } = await openQueue(policy, 4);
      for (const [ahead, token] of tokens.slice(1).entries()) {
        const { estimatedWaitSeconds } = (await poll(foyer.client, token)).body;
        // The first one waits for the rest of the minute that has begun.
        expect(estimatedWaitSeconds).toBeGreaterThanOrEqual(ahead * 60);
        expect(estimatedWaitSeconds).toBeLessThanOrEqual((ahead + 1) * 60);
      }
    });

    describe('reading and changing', () => {
      it('starts with the defaults of the API contract', async () => {
        const sale = await openSale(foyer.client, foyer.operator);
        expect(await patch(sale, { paused: false })).toMatchObject({ status: 200, body: DEFAULTS });
      });

      it('accepts a policy with the new concert', async () => {
        const sale = await openSale(foyer.client, foyer.operator, { policy: CHANGED });
        expect(await patch(sale, { paused: true })).toMatchObject({ status: 200, body: CHANGED });
      });

      it('changes any field during the sale and returns the whole policy', async () => {
        const sale = await openSale(foyer.client, foyer.operator);
        const { admitCount, admitEverySeconds, ...others } = CHANGED;
        let expected: object = DEFAULTS;
        for (const part of [
          { admitCount, admitEverySeconds },
          ...Object.entries(others).map(([k, v]) => ({ [k]: v })),
        ]) {
          expected = { ...expected, ...part };
          expect(await patch(sale, part)).toMatchObject({ status: 200, body: expected });
        }
        const nulls = {
          maxActive: null,
          admitCount: null,
          admitEverySeconds: null,
          idleSeconds: null,
          showUpSeconds: null,
          notice: null,
        };
        expect(await patch(sale, nulls)).toMatchObject({ status: 200, body: { ...CHANGED, ...nulls } });
      });

      it('returns 400 for invalid values and changes nothing', async () => {
        const sale = await openSale(foyer.client, foyer.operator);
        const invalidPolicies = [
          { maxActive: -1 },
          { activeSeconds: 0 },
          { activeSeconds: null },
          { idleSeconds: 0 },
          { showUpSeconds: 0 },
          { showUpSeconds: 86_401 },
          { closeWhenSoldOut: null },
          { closeWhenSoldOut: 1 },
          { notice: '' },
          { notice: ' \n ' },
          { notice: 'x'.repeat(301) },
          { notice: 'a\tb' },
          { notice: 'a\rb' },
          { notice: 'a\u0000' },
          { notice: 'a\u0085b' },
          { notice: 7 },
          { notice: {} },
          { notice: [] },
          { notice: { ko: '' } },
          { notice: { en: 'x'.repeat(301) } },
          { notice: { ko: '안녕', fr: 'Salut' } },
          { notice: { ko: null } },
          { consumeOn: 'NOTHING' },
          { holdSeconds: 0 },
          { holdSeconds: null },
          { maxSeatsPerUser: 0 },
          { admitCount: 0, admitEverySeconds: 1 },
          { admitCount: 1, admitEverySeconds: 0 },
          { paused: true, maxActive: 'many' },
        ];
        for (const policy of invalidPolicies)
          expectProblem(await patch(sale, policy), 400, 'INVALID_REQUEST');
        expect((await patch(sale, { paused: false })).body).toMatchObject(DEFAULTS);
      });

      it('returns 404 CONCERT_NOT_FOUND for an unknown concert', async () => {
        const unknownSale = { concertId: randomUUID(), scheduleIds: [] };
        expectProblem(await patch(unknownSale, { paused: true }), 404, 'CONCERT_NOT_FOUND');
      });
    });

    describe('maxActive', () => {
      it('limits how many places are ACTIVE', async () => {
        const { sale, tokens } = await openQueue({ maxActive: 2 }, 4);
        expect(await statuses(tokens)).toEqual(['ACTIVE', 'ACTIVE', 'WAITING', 'WAITING']);
        expect(await statsOf(foyer.client, foyer.operator, sale)).toMatchObject({ active: 2, waiting: 2 });
      });

      it('admits more fans when raised, and none while more are ACTIVE than it allows', async () => {
        const { sale, tokens } = await openQueue({ maxActive: 2 }, 5);
        await patch(sale, { maxActive: 3 });
        expect(await statuses(tokens)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE', 'WAITING', 'WAITING']);
        await patch(sale, { maxActive: 1 });
        await leave(foyer.client, tokens[0] ?? '');
        expect(await statuses(tokens.slice(1)), 'ACTIVE places stay ACTIVE').toEqual([
          'ACTIVE',
          'ACTIVE',
          'WAITING',
          'WAITING',
        ]);
        await leave(foyer.client, tokens[1] ?? '');
        await leave(foyer.client, tokens[2] ?? '');
        expect(await statuses(tokens.slice(3))).toEqual(['ACTIVE', 'WAITING']);
      });

      it('sets no limit when null', async () => {
        const { sale, tokens } = await openQueue({ maxActive: 1 }, 6);
        await patch(sale, { maxActive: null });
        // A poll waits for an admission for a moment only.
        await eventually(
          () => statuses(tokens),
          (all) => all.every((status) => status === 'ACTIVE'),
        );
      });
    });

    describe('admitCount and admitEverySeconds', () => {
      it('limit how many fans are admitted per period, whatever the number of free slots', async () => {
        const { tokens } = await openQueue({ admitCount: 2, admitEverySeconds: 3600 }, 4);
        expect(await statuses(tokens)).toEqual(['ACTIVE', 'ACTIVE', 'WAITING', 'WAITING']);
        await leave(foyer.client, tokens[0] ?? '');
        expect(await statuses(tokens.slice(1))).toEqual(['ACTIVE', 'WAITING', 'WAITING']);
      });

      it('do not admit more than maxActive', async () => {
        const { tokens } = await openQueue({ admitCount: 3, admitEverySeconds: 3600, maxActive: 1 }, 3);
        expect(await statuses(tokens)).toEqual(['ACTIVE', 'WAITING', 'WAITING']);
      });

      it('admit the next portion in each period, in order, without a request', async () => {
        const { sale, tokens } = await openQueue(
          { admitCount: 2, admitEverySeconds: 1, idleSeconds: null },
          6,
        );
        await eventually(
          () => statsOf(foyer.client, foyer.operator, sale),
          ({ active }) => active === 6,
        );
        const answers = await Promise.all(tokens.map((token) => poll(foyer.client, token)));
        const times = answers.map(({ body }) => body.activatedAt as string);
        expect(times).toEqual([...times].sort());
        // The first and the fifth fan are two portions apart, so at least one whole period lies between them.
        expect(msBetween(times[0] ?? '', times[4] ?? '')).toBeGreaterThanOrEqual(1000);
      });
    });

    describe('activeSeconds', () => {
      it('limits the lifetime of an ACTIVE place and frees its slot at that instant', async () => {
        const { tokens } = await openQueue({ activeSeconds: 2, maxActive: 1 }, 2);
        const [first = '', second = ''] = tokens;
        const { activatedAt, expiresAt } = (await poll(foyer.client, first)).body;
        expect(msBetween(activatedAt, expiresAt)).toBe(2000);
        await untilPast(expiresAt);
        expect(await statuses([second])).toEqual(['ACTIVE']);
        expect(await statuses([first])).toEqual(['EXPIRED']);
      });

      it('gives the freed slot to the first in the queue, not to the fan who joins next', async () => {
        const { client } = foyer;
        const { sale, tokens } = await openQueue({ activeSeconds: 2, maxActive: 1, idleSeconds: null }, 2);
        const { expiresAt } = (await poll(client, tokens[0] ?? '')).body;
        const newcomer = await signUpFan(client);
        await untilPast(expiresAt);
        const joined = await join(client, newcomer, sale);
        expect(joined.body).toMatchObject({ status: 'WAITING', rank: 1 });
        expect(await statuses(tokens)).toEqual(['EXPIRED', 'ACTIVE']);
      });

      it('expires places and fills their slots without a request', async () => {
        const { sale } = await openQueue({ activeSeconds: 1, maxActive: 1, idleSeconds: null }, 3);
        await eventually(
          () => statsOf(foyer.client, foyer.operator, sale),
          ({ expired, waiting }) => expired === 3 && waiting === 0,
        );
      });
    });

    describe('idleSeconds', () => {
      it('expires a place without requests and frees its slot', async () => {
        const { tokens } = await openQueue({ idleSeconds: 1, maxActive: 1 }, 2);
        const [first = '', second = ''] = tokens;
        // Only the second fan sends requests.
        await eventually(
          () => statuses([second]),
          ([status]) => status === 'ACTIVE',
        );
        expect((await poll(foyer.client, first)).body).toMatchObject({ status: 'EXPIRED', rank: 0 });
      });

      it.each(['a poll', 'a wallet request with the access token'])('counts %s as activity', async (kind) => {
        const { client } = foyer;
        const { token, fan } = await startBooking(foyer, { policy: { idleSeconds: 2 } });
        const endMs = Date.now() + 3000;
        await eventually(
          () => (kind === 'a poll' ? poll(client, token) : client.get('/wallet', fan.accessToken)),
          () => Date.now() > endMs,
        );
        expect((await poll(client, token)).body.status).toBe('ACTIVE');
      });

      it('counts from the change of the policy, not from earlier requests', async () => {
        const { sale, tokens } = await openQueue({ idleSeconds: null }, 1);
        await sleep(2000);
        await patch(sale, { idleSeconds: 2 });
        expect(await statuses(tokens)).toEqual(['ACTIVE']);
        await sleep(2500);
        expect(await statuses(tokens)).toEqual(['EXPIRED']);
      });

      it('never expires a place when null', async () => {
        const sale = await openSale(foyer.client, foyer.operator, { policy: { idleSeconds: 1 } });
        await patch(sale, { idleSeconds: null });
        const { token, activatedAt } = (await join(foyer.client, await signUpFan(foyer.client), sale)).body;
        await untilPast(new Date(Date.parse(activatedAt) + 2000).toISOString());
        expect(await statuses([token])).toEqual(['ACTIVE']);
      });
    });

    describe('consumeOn', () => {
      it('PAYMENT consumes the place when the fan pays', async () => {
        const booking = await startBooking(foyer, { balance: PRICE });
        const { id } = await holdSeats(foyer.client, booking, 0);
        expect(await statuses([booking.token])).toEqual(['ACTIVE']);
        await pay(foyer.client, booking.token, id);
        expect(await statuses([booking.token])).toEqual(['DONE']);
      });

      it('RESERVATION consumes the place when the fan reserves, and frees its slot', async () => {
        const { client } = foyer;
        const policy = { consumeOn: 'RESERVATION', maxActive: 1 };
        const booking = await startBooking(foyer, { policy, balance: PRICE });
        const { token: next } = (await join(client, await signUpFan(client), booking.sale)).body;
        const { id } = await holdSeats(client, booking, 0);
        expect(await statuses([booking.token, next])).toEqual(['DONE', 'ACTIVE']);
        expect((await pay(client, booking.token, id)).status).toBe(201);
      });

      it('RESERVATION keeps the place ACTIVE when the reservation is refused', async () => {
        const { client } = foyer;
        const first = await startBooking(foyer, { policy: { consumeOn: 'RESERVATION' } });
        const second = await enterSale(client, first.sale);
        await holdSeats(client, first, 0);
        expect((await hold(client, second.token, second.sale, seatsAt(second, 0))).status).toBe(409);
        expect(await statuses([second.token])).toEqual(['ACTIVE']);
      });
    });

    it('holdSeconds sets how long a reservation is held', async () => {
      const booking = await startBooking(foyer, { policy: { holdSeconds: 90 } });
      const first = await holdSeats(foyer.client, booking, 0);
      expect(msBetween(first.createdAt, first.expiresAt)).toBe(90_000);
      await patch(booking.sale, { holdSeconds: 30 });
      const second = await holdSeats(foyer.client, booking, 1);
      expect(msBetween(second.createdAt, second.expiresAt)).toBe(30_000);
    });

    it('maxSeatsPerUser limits how many seats of a date one fan may hold', async () => {
      const booking = await startBooking(foyer, { policy: { maxSeatsPerUser: 1 } });
      const holdTwo = (): Promise<Answer> =>
        hold(foyer.client, booking.token, booking.sale, seatsAt(booking, 0, 1));
      expectProblem(await holdTwo(), 409, 'SEAT_LIMIT_EXCEEDED');
      await patch(booking.sale, { maxSeatsPerUser: 2 });
      expect((await holdTwo()).status).toBe(201);
    });

    it('paused admits no fan while true, and keeps ACTIVE places ACTIVE', async () => {
      const { client } = foyer;
      const { sale, tokens } = await openQueue({}, 1);
      await patch(sale, { paused: true });
      const late = await join(client, await signUpFan(client), sale);
      expect(late.body).toMatchObject({ status: 'WAITING', rank: 1, pollAfterMs: aCount });
      expectDenied(
        await client.get(`/concerts/${sale.concertId}/schedules`, late.body.token),
        403,
        'NOT_ACTIVE',
      );
      expect(await statuses([...tokens, late.body.token])).toEqual(['ACTIVE', 'WAITING']);
      await patch(sale, { paused: false });
      expect(await statuses([late.body.token])).toEqual(['ACTIVE']);
    });
  });
}
