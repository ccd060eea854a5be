import { describe, expect, it } from 'vitest';
import { type Booking, enterSale, holdSeats, seatsAt, startBooking, untilPast } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { hold, joinActive, newKey, pay, PRICE } from '../support/sale.js';
import { expectList, expectProblem } from '../support/shapes.js';
import { balanceOf, charge, leave } from '../support/steps.js';

const OPERATIONS = ['holding', 'charging', 'paying'] as const;
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
  describe(`the Idempotency-Key header on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);

    interface PreparedCall {
      readonly booking: Booking;
      /** Sends the request with this key, by default with the queue token. */
      send(key: string, token?: string): Promise<Answer>;
      /** Sends a request to the same endpoint with this key and another body. */
      sendOther(key: string): Promise<Answer>;
      /** How many times the operation took effect. */
      effects(): Promise<number>;
    }

    /** Creates a fan for whom the operation would succeed, and the request for it. */
    async function prepare(name: (typeof OPERATIONS)[number]): Promise<PreparedCall> {
      const { client } = foyer;
      const booking = await startBooking(foyer, { balance: 5 * PRICE });
      const { token, scheduleId, fan } = booking;
      const bodies: Record<
        (typeof OPERATIONS)[number],
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

    /** Expects the same status, content type and bytes. */
    function expectSameResponse(replay: Answer, first: Answer): void {
      expect({ status: replay.status, text: replay.text }).toEqual({
        status: first.status,
        text: first.text,
      });
      expect(replay.headers.get('content-type')).toBe(first.headers.get('content-type'));
    }

    describe.each(OPERATIONS)('when %s', (name) => {
      it('replays the first response byte for byte and takes effect once', async () => {
        const { send, effects } = await prepare(name);
        const key = newKey();
        const first = await send(key);
        expect(first.status, first.text).toBe(201);
        for (let again = 0; again < 3; again += 1) expectSameResponse(await send(key), first);
        expect(await effects()).toBe(1);
      });

      it('replays the response when the same fan retries with the other credential', async () => {
        const { send, booking, effects } = await prepare(name);
        const key = newKey();
        const first = await send(key);
        expect(first.status).toBe(201);
        expectSameResponse(await send(key, booking.fan.accessToken), first);
        expect(await effects()).toBe(1);
      });

      it('returns 422 IDEMPOTENCY_KEY_REUSED for another body, without effect', async () => {
        const { send, sendOther, effects } = await prepare(name);
        const key = newKey();
        const first = await send(key);
        expectProblem(await sendOther(key), 422, 'IDEMPOTENCY_KEY_REUSED');
        expect(await effects()).toBe(1);
        expectSameResponse(await send(key), first);
      });

      it.each(MALFORMED)('returns 400 for the malformed key %j', async (key) => {
        const { send, effects } = await prepare(name);
        expectProblem(await send(key), 400, 'INVALID_REQUEST');
        expect(await effects()).toBe(0);
      });

      it.each(WELL_FORMED)('accepts the key %j', async (key) => {
        const { send } = await prepare(name);
        expect((await send(key)).status).toBe(201);
      });

      it('lets two fans use the same key independently', async () => {
        const [first, second] = [await prepare(name), await prepare(name)];
        const key = newKey();
        expect((await first.send(key)).status).toBe(201);
        const other = await second.send(key);
        expect(other.status, other.text).toBe(201);
        expect(await second.effects()).toBe(1);
      });

      it('replays the response after the fan has left the queue', async () => {
        const { send, booking } = await prepare(name);
        const key = newKey();
        const first = await send(key);
        await leave(foyer.client, booking.token);
        expectSameResponse(await send(key), first);
      });

      it('replays the response after a payment has consumed the place', async () => {
        const { send, booking } = await prepare(name);
        const key = newKey();
        const first = await send(key);
        if (name !== 'paying') {
          const paid = await pay(foyer.client, booking.token, (await holdSeats(foyer.client, booking, 4)).id);
          expect(paid.status).toBe(201);
        }
        expect((await foyer.client.get('/queue-tokens/me', booking.token)).body.status).toBe('DONE');
        expectSameResponse(await send(key), first);
      });

      it('takes effect once when the same key is sent many times concurrently', async () => {
        const { send, effects } = await prepare(name);
        const key = newKey();
        const answers = await Promise.all(Array.from({ length: 10 }, () => send(key)));
        const inFlight = answers.filter(({ status }) => status === 409);
        for (const answer of inFlight) expectProblem(answer, 409, 'IDEMPOTENCY_KEY_IN_FLIGHT');
        const settled = await send(key);
        expect(settled.status).toBe(201);
        for (const answer of answers) if (!inFlight.includes(answer)) expectSameResponse(answer, settled);
        expect(await effects()).toBe(1);
      });
    });

    it('returns 422 when a key of one endpoint is sent to another', async () => {
      const booking = await startBooking(foyer, { balance: PRICE });
      const key = newKey();
      expect((await hold(foyer.client, booking.token, booking.sale, seatsAt(booking, 0), key)).status).toBe(
        201,
      );
      const charging = await foyer.client.post('/wallet/charges', booking.token, { amount: 1 }, key);
      expectProblem(charging, 422, 'IDEMPOTENCY_KEY_REUSED');
      expect(await balanceOf(foyer.client, booking.token)).toBe(PRICE);
    });

    describe('stores refusals as well', () => {
      it('replays ALREADY_RESERVED_SEAT after the seat has become free', async () => {
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
        expectSameResponse(await attempt(), refused);
        const withNewKey = await hold(client, second.token, second.sale, seatsAt(second, 0), newKey());
        expect(withNewKey.status, 'a new key makes a new request').toBe(201);
      });

      it('replays NOT_ENOUGH_BALANCE after the wallet has been charged', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer);
        const { id } = await holdSeats(client, booking, 0);
        const key = newKey();
        const refused = await pay(client, booking.token, id, key);
        expectProblem(refused, 402, 'NOT_ENOUGH_BALANCE');
        await charge(client, booking.token, PRICE);
        expectSameResponse(await pay(client, booking.token, id, key), refused);
        expect((await pay(client, booking.token, id, newKey())).status).toBe(201);
      });

      it('replays ACCESS_DENIED after the fan has been admitted again', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer);
        const { fan, sale } = booking;
        await leave(client, booking.token);
        const key = newKey();
        const attempt = (): Promise<Answer> => hold(client, fan.accessToken, sale, seatsAt(booking, 0), key);
        const refused = await attempt();
        expectProblem(refused, 403, 'ACCESS_DENIED');
        await joinActive(client, fan, sale);
        expectSameResponse(await attempt(), refused);
        const withNewKey = await hold(client, fan.accessToken, sale, seatsAt(booking, 0), newKey());
        expect(withNewKey.status, 'a new key makes a new request').toBe(201);
      });

      it('replays BALANCE_LIMIT_EXCEEDED', async () => {
        const { token } = await startBooking(foyer, { balance: 1 });
        const key = newKey();
        const attempt = (): Promise<Answer> =>
          foyer.client.post('/wallet/charges', token, { amount: 1_000_000_000_000 }, key);
        const refused = await attempt();
        expectProblem(refused, 422, 'BALANCE_LIMIT_EXCEEDED');
        expectSameResponse(await attempt(), refused);
      });
    });

    it('replays a payment with 201, and returns 200 for the same payment without the key', async () => {
      const booking = await startBooking(foyer, { balance: PRICE });
      const { id } = await holdSeats(foyer.client, booking, 0);
      const key = newKey();
      const first = await pay(foyer.client, booking.token, id, key);
      expectSameResponse(await pay(foyer.client, booking.token, id, key), first);
      expect(await pay(foyer.client, booking.token, id)).toMatchObject({ status: 200, body: first.body });
    });

    it('replays a hold as it was created, even after it has expired', async () => {
      const booking = await startBooking(foyer, { policy: { holdSeconds: 1 } });
      const key = newKey();
      const attempt = (): Promise<Answer> =>
        hold(foyer.client, booking.token, booking.sale, seatsAt(booking, 0), key);
      const first = await attempt();
      await untilPast(first.body.expiresAt);
      expectSameResponse(await attempt(), first);
    });

    it('replays the response after the server was killed and restarted', async () => {
      const { token } = await startBooking(foyer);
      const key = newKey();
      const attempt = (): Promise<Answer> =>
        foyer.client.post('/wallet/charges', token, { amount: 500 }, key);
      const first = await attempt();
      expect(first.status).toBe(201);
      await foyer.kill();
      await foyer.restart();
      expectSameResponse(await attempt(), first);
      expect(await balanceOf(foyer.client, token)).toBe(500);
    });
  });
}
