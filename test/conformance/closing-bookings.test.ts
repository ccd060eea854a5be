import { describe, expect, it, onTestFinished } from 'vitest';
import { enterSale, holdSeats, poll, seatsAt, startBooking } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { type EventStream, openEvents } from '../support/events.js';
import { useOwnFoyer } from '../support/foyer.js';
import { type Fan, hold, pay, PRICE, type Sale } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const HOUR_MS = 3_600_000;
/** Long enough to prepare a sale before it closes. */
const SOON_MS = 5000;

for (const database of DATABASES) {
  describe(`bookings at the end of a sale on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);

    const edit = async ({ concertId }: Sale, body: object): Promise<Answer> => {
      const answer = await foyer.client.call('PATCH', `/operator/concerts/${concertId}`, {
        token: foyer.operator,
        body,
      });
      expect(answer.status, answer.text).toBe(200);
      return answer;
    };
    const endSale = (sale: Sale): Promise<Answer> => edit(sale, { salesCloseAt: inMs(0) });
    const reopen = (sale: Sale): Promise<Answer> => edit(sale, { salesCloseAt: null });

    async function openStream(path: string, token: string): Promise<EventStream> {
      const stream = await openEvents(foyer.url, path, token);
      onTestFinished(() => {
        stream.close();
      });
      return stream;
    }
    const listen = (token: string): Promise<EventStream> => openStream('/queue-tokens/me/events', token);

    describe('for fans who were admitted', () => {
      it('refuses holds and unpaid payments, and still answers the receipt of a paid one', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: 2 * PRICE });
        const other = await enterSale(client, booking.sale, PRICE);
        const paid = await holdSeats(client, other, 0);
        const receipt = await pay(client, other.token, paid.id);
        expect(receipt.status).toBe(201);
        const unpaid = await holdSeats(client, booking, 1);
        await endSale(booking.sale);
        expectProblem(await pay(client, booking.token, unpaid.id), 409, 'SALES_CLOSED');
        expectProblem(await pay(client, booking.fan.accessToken, unpaid.id), 409, 'SALES_CLOSED');
        expectProblem(
          await hold(client, booking.token, booking.sale, seatsAt(booking, 2)),
          409,
          'SCHEDULE_CLOSED',
        );
        expect(await pay(client, other.fan.accessToken, paid.id)).toMatchObject({
          status: 200,
          body: receipt.body,
        });
        expect((await client.get('/wallet', booking.token)).body.balance).toBe(2 * PRICE);
      });

      it('refuses every read of dates and seats', async () => {
        const { client } = foyer;
        const { sale, token, fan } = await startBooking(foyer);
        const paths = [
          `/concerts/${sale.concertId}/schedules`,
          `/concerts/${sale.concertId}/schedules?all=true`,
          ...['seats', 'chart', 'state', 'seats/events'].map(
            (read) => `/schedules/${sale.scheduleIds[0]!}/${read}`,
          ),
        ];
        await endSale(sale);
        for (const path of paths)
          for (const credential of [token, fan.accessToken])
            expectProblem(await client.get(path, credential), 409, 'SALES_CLOSED');
        expect((await poll(client, token)).body.status).toBe('ACTIVE');
      });

      it.each(['by the operator', 'by time'])('ends their seat streams when it closes %s', async (how) => {
        const salesCloseAt = inMs(SOON_MS);
        const { sale, token } = await startBooking(
          foyer,
          how === 'by time' ? { concert: { salesCloseAt } } : {},
        );
        const other = await startBooking(foyer);
        const streamOf = (scheduleId: string, credential: string): Promise<EventStream> =>
          openStream(`/schedules/${scheduleId}/seats/events`, credential);
        const stream = await streamOf(sale.scheduleIds[0]!, token);
        const open = await streamOf(other.scheduleId, other.token);
        if (how === 'by the operator') await endSale(sale);
        await stream.ended;
        expect((await poll(foyer.client, token)).body.status).toBe('ACTIVE');
        // The stream of a sale that is open goes on.
        await holdSeats(foyer.client, other, 0);
        await open.next('seats');
      });

      it('ends a hold at the closing where paying needs the place, and not where holding used it up', async () => {
        const { client } = foyer;
        const salesCloseAt = inMs(HOUR_MS);
        const policy = { holdSeconds: 7200 };
        const gated = await startBooking(foyer, { concert: { salesCloseAt }, policy });
        expect((await holdSeats(client, gated, 0)).expiresAt).toBe(salesCloseAt);
        const consuming = await startBooking(foyer, {
          balance: PRICE,
          concert: { salesCloseAt },
          policy: { ...policy, consumeOn: 'RESERVATION' },
        });
        const { id, expiresAt } = await holdSeats(client, consuming, 0);
        expect(Date.parse(expiresAt)).toBeGreaterThan(Date.parse(salesCloseAt));
        await endSale(consuming.sale);
        expect((await pay(client, consuming.fan.accessToken, id)).status).toBe(201);
      });
    });

    describe('that the operator moves to an earlier time', () => {
      const reservationOf = async (fan: Fan) =>
        (await foyer.client.get('/reservations', fan.accessToken)).body.items[0] as object;

      it('ends unpaid holds with it and frees their seats', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: 4 * PRICE });
        const { sale, fan, token, seats } = booking;
        const held = await holdSeats(client, booking, 0, 1);
        const stream = await listen(token);
        const { body } = await endSale(sale);
        expect(await reservationOf(fan)).toMatchObject({
          id: held.id,
          status: 'EXPIRED',
          expiresAt: body.salesCloseAt,
        });
        expectProblem(await pay(client, token, held.id), 409, 'SALES_CLOSED');
        expect((await stream.next('hold-expired')).data).toMatchObject({ id: held.id, status: 'EXPIRED' });
        await reopen(sale);
        const other = await enterSale(client, sale);
        const again = await hold(client, other.token, sale, seats.slice(0, 2));
        expect(again.status, again.text).toBe(201);
        expectProblem(await pay(client, token, held.id), 409, 'RESERVATION_EXPIRED');
      });

      it('shortens holds to an end in the future, until which they can be paid', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE, policy: { holdSeconds: 600 } });
        const { sale, fan, token } = booking;
        const held = await holdSeats(client, booking, 0);
        const salesCloseAt = inMs(60_000);
        await edit(sale, { salesCloseAt });
        expect(await reservationOf(fan)).toMatchObject({ status: 'HELD', expiresAt: salesCloseAt });
        // A later end does not give the time back.
        await edit(sale, { salesCloseAt: inMs(HOUR_MS) });
        expect(await reservationOf(fan)).toMatchObject({ status: 'HELD', expiresAt: salesCloseAt });
        expect((await pay(client, token, held.id)).status).toBe(201);
      });

      it('keeps holds that consumed their place, and paid ones', async () => {
        const { client } = foyer;
        const policy = { consumeOn: 'RESERVATION' };
        const consuming = await startBooking(foyer, { balance: PRICE, policy });
        const held = await holdSeats(client, consuming, 0);
        await endSale(consuming.sale);
        expect(await reservationOf(consuming.fan)).toMatchObject({
          status: 'HELD',
          expiresAt: held.expiresAt,
        });
        const paid = await startBooking(foyer, { balance: PRICE });
        const { id, expiresAt } = await holdSeats(client, paid, 0);
        await pay(client, paid.token, id);
        await endSale(paid.sale);
        expect(await reservationOf(paid.fan)).toMatchObject({ status: 'CONFIRMED', expiresAt });
      });
    });
  });
}
