import { describe, expect, it } from 'vitest';
import { type Booking, enterSale, holdSeats, seatsAt, startBooking, untilPast } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { hold, joinActive, newKey, pay, PRICE } from '../support/sale.js';
import { expectList, expectProblem } from '../support/shapes.js';
import { balanceOf, charge, leave } from '../support/steps.js';

const KEYED = ['holding', 'charging', 'paying'] as const;
const MALFORMED = [
  '',
  'x'.repeat(15),
  'x'.repeat(65),
  'sixteen with gaps',
  'sixteen.with.dots',
  'sixteen,and,commas',
  'sixteen+and+plus=',
];
const WELL_FORMED = ['x'.repeat(16), 'X'.repeat(64), '0123456789_-aZ09'];

for (const database of DATABASES) {
  describe(`the Idempotency-Key on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);

    interface Keyed {
      readonly booking: Booking;
      /** The call with this key, by the queue token unless told otherwise. */
      send(key: string, token?: string): Promise<Answer>;
      /** The same call and key with another body. */
      sendOther(key: string): Promise<Answer>;
      /** How often the call had its effect. */
      effects(): Promise<number>;
    }

    /** A fan for whom each of the three calls would succeed. */
    async function keyed(name: (typeof KEYED)[number]): Promise<Keyed> {
      const { client } = foyer;
      const booking = await startBooking(foyer, { balance: 5 * PRICE });
      const { token, scheduleId, fan } = booking;
      const bodies: Record<
        (typeof KEYED)[number],
        () => Promise<[path: string, body: object, other: object]>
      > = {
        holding: () =>
          Promise.resolve([
            '/reservations',
            { scheduleId, seatIds: seatsAt(booking, 0) },
            { scheduleId, seatIds: seatsAt(booking, 1) },
          ]),
        charging: () => Promise.resolve(['/wallet/charges', { amount: 500 }, { amount: 501 }]),
        paying: async () => {
          const { id } = await holdSeats(client, booking, 2);
          const { id: other } = await holdSeats(client, booking, 3);
          return ['/payments', { reservationId: id }, { reservationId: other }];
        },
      };
      const [path, body, other] = await bodies[name]();
      const list = { holding: '/reservations', charging: '/wallet/entries', paying: '/payments' }[name];
      const count = async () => expectList(await client.get(list, fan.accessToken)).length;
      const before = await count();
      return {
        booking,
        send: (key, credential = token) => client.post(path, credential, body, key),
        sendOther: (key) => client.post(path, token, other, key),
        effects: async () => (await count()) - before,
      };
    }

    /** Byte for byte. */
    function expectSame(replay: Answer, first: Answer): void {
      expect({ status: replay.status, text: replay.text }).toEqual({
        status: first.status,
        text: first.text,
      });
      expect(replay.headers.get('content-type')).toBe(first.headers.get('content-type'));
    }

    describe.each(KEYED)('in %s', (name) => {
      it('has the first outcome answered again, byte for byte, for one effect', async () => {
        const { send, effects } = await keyed(name);
        const key = newKey();
        const first = await send(key);
        expect(first.status, first.text).toBe(201);
        for (let again = 0; again < 3; again += 1) expectSame(await send(key), first);
        expect(await effects()).toBe(1);
      });

      it('is the same key for either credential of its fan', async () => {
        const { send, booking, effects } = await keyed(name);
        const key = newKey();
        const first = await send(key);
        expect(first.status).toBe(201);
        expectSame(await send(key, booking.fan.accessToken), first);
        expect(await effects()).toBe(1);
      });

      it('is refused with another body, and then nothing happens', async () => {
        const { send, sendOther, effects } = await keyed(name);
        const key = newKey();
        const first = await send(key);
        expectProblem(await sendOther(key), 422, 'IDEMPOTENCY_KEY_REUSED');
        expect(await effects()).toBe(1);
        expectSame(await send(key), first);
      });

      it.each(MALFORMED)('is refused when it is %j', async (key) => {
        const { send, effects } = await keyed(name);
        expectProblem(await send(key), 400, 'INVALID_REQUEST');
        expect(await effects()).toBe(0);
      });

      it.each(WELL_FORMED)('may be %j', async (key) => {
        const { send } = await keyed(name);
        expect((await send(key)).status).toBe(201);
      });

      it("is a fan's own: another may use the same", async () => {
        const [first, second] = [await keyed(name), await keyed(name)];
        const key = newKey();
        expect((await first.send(key)).status).toBe(201);
        const other = await second.send(key);
        expect(other.status, other.text).toBe(201);
        expect(await second.effects()).toBe(1);
      });

      it('is answered before the gate is asked: after leaving', async () => {
        const { send, booking } = await keyed(name);
        const key = newKey();
        const first = await send(key);
        await leave(foyer.client, booking.token);
        expectSame(await send(key), first);
      });

      it('is answered before the gate is asked: after paying', async () => {
        const { send, booking } = await keyed(name);
        const key = newKey();
        const first = await send(key);
        if (name !== 'paying') {
          const paid = await pay(foyer.client, booking.token, (await holdSeats(foyer.client, booking, 4)).id);
          expect(paid.status).toBe(201);
        }
        expect((await foyer.client.get('/queue-tokens/me', booking.token)).body.status).toBe('DONE');
        expectSame(await send(key), first);
      });

      it('does not do the work twice when it comes many times at once', async () => {
        const { send, effects } = await keyed(name);
        const key = newKey();
        const answers = await Promise.all(Array.from({ length: 10 }, () => send(key)));
        const inFlight = answers.filter(({ status }) => status === 409);
        for (const answer of inFlight) expectProblem(answer, 409, 'IDEMPOTENCY_KEY_IN_FLIGHT');
        const settled = await send(key);
        expect(settled.status).toBe(201);
        for (const answer of answers) if (!inFlight.includes(answer)) expectSame(answer, settled);
        expect(await effects()).toBe(1);
      });
    });

    it('is not shared by calls of different kinds', async () => {
      const booking = await startBooking(foyer, { balance: PRICE });
      const key = newKey();
      expect((await hold(foyer.client, booking.token, booking.sale, seatsAt(booking, 0), key)).status).toBe(
        201,
      );
      const charging = await foyer.client.post('/wallet/charges', booking.token, { amount: 1 }, key);
      expectProblem(charging, 422, 'IDEMPOTENCY_KEY_REUSED');
      expect(await balanceOf(foyer.client, booking.token)).toBe(PRICE);
    });

    describe('keeps a refusal too', () => {
      it('of holding seats that were taken', async () => {
        const { client } = foyer;
        const first = await startBooking(foyer);
        const second = await enterSale(client, first.sale);
        const { id } = await holdSeats(client, first, 0);
        const key = newKey();
        const attempt = (): Promise<Answer> =>
          hold(client, second.token, second.sale, seatsAt(second, 0), key);
        const refused = await attempt();
        expectProblem(refused, 409, 'ALREADY_RESERVED_SEAT');
        await client.delete(`/reservations/${id as string}`, first.token);
        expectSame(await attempt(), refused);
        const anew = await hold(client, second.token, second.sale, seatsAt(second, 0), newKey());
        expect(anew.status, 'with a new key it is a new call').toBe(201);
      });

      it('of paying with too little', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer);
        const { id } = await holdSeats(client, booking, 0);
        const key = newKey();
        const refused = await pay(client, booking.token, id, key);
        expectProblem(refused, 402, 'NOT_ENOUGH_BALANCE');
        await charge(client, booking.token, PRICE);
        expectSame(await pay(client, booking.token, id, key), refused);
        expect((await pay(client, booking.token, id, newKey())).status).toBe(201);
      });

      it('of the gate: a try that was slow on its way does nothing once its fan is inside again', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer);
        const { fan, sale } = booking;
        await leave(client, booking.token);
        const key = newKey();
        const attempt = (): Promise<Answer> => hold(client, fan.accessToken, sale, seatsAt(booking, 0), key);
        const refused = await attempt();
        expectProblem(refused, 403, 'ACCESS_DENIED');
        await joinActive(client, fan, sale);
        expectSame(await attempt(), refused);
        const anew = await hold(client, fan.accessToken, sale, seatsAt(booking, 0), newKey());
        expect(anew.status, 'with a new key it is a new call').toBe(201);
      });

      it('of charging too much', async () => {
        const { token } = await startBooking(foyer, { balance: 1 });
        const key = newKey();
        const attempt = (): Promise<Answer> =>
          foyer.client.post('/wallet/charges', token, { amount: 1_000_000_000_000 }, key);
        const refused = await attempt();
        expectProblem(refused, 422, 'BALANCE_LIMIT_EXCEEDED');
        expectSame(await attempt(), refused);
      });
    });

    it('keeps a payment a payment: its replay says 201, a call without the key 200', async () => {
      const booking = await startBooking(foyer, { balance: PRICE });
      const { id } = await holdSeats(foyer.client, booking, 0);
      const key = newKey();
      const first = await pay(foyer.client, booking.token, id, key);
      expectSame(await pay(foyer.client, booking.token, id, key), first);
      expect(await pay(foyer.client, booking.token, id)).toMatchObject({ status: 200, body: first.body });
    });

    it('has a hold answered as it was when it was made, though it has run out since', async () => {
      const booking = await startBooking(foyer, { policy: { holdSeconds: 1 } });
      const key = newKey();
      const attempt = (): Promise<Answer> =>
        hold(foyer.client, booking.token, booking.sale, seatsAt(booking, 0), key);
      const first = await attempt();
      await untilPast(first.body.expiresAt);
      expectSame(await attempt(), first);
    });

    it('is honoured by a server that was killed and started anew', async () => {
      const { token } = await startBooking(foyer);
      const key = newKey();
      const attempt = (): Promise<Answer> =>
        foyer.client.post('/wallet/charges', token, { amount: 500 }, key);
      const first = await attempt();
      expect(first.status).toBe(201);
      await foyer.kill();
      await foyer.restart();
      expectSame(await attempt(), first);
      expect(await balanceOf(foyer.client, token)).toBe(500);
    });
  });
}
