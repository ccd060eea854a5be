import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type Booking,
  enterSale,
  holdSeats,
  patchRoom,
  poll,
  startBooking,
  untilPast,
} from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { join, joinActive, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { aReceipt, expectDenied, expectList, expectProblem } from '../support/shapes.js';
import { balanceOf, charge, leave } from '../support/steps.js';

const ON_RESERVATION = { consumeOn: 'RESERVATION' };

for (const database of DATABASES) {
  describe(`payments on ${database.name}`, () => {
    const foyer = useFoyer(database);

    /** All that a payment may change, as its fan sees it. */
    async function worldOf({ fan, token, sale, scheduleId }: Booking, reservationId: string) {
      const { client, operator } = foyer;
      const [reservation, place, entries, receipts, stats] = await Promise.all([
        client.get(`/reservations/${reservationId}`, fan.accessToken),
        poll(client, token),
        client.get('/wallet/entries', fan.accessToken),
        client.get('/payments', fan.accessToken),
        client.get(`/operator/concerts/${sale.concertId}/stats`, operator),
      ]);
      return {
        scheduleId,
        reservation: reservation.body.status,
        place: place.body.status,
        balance: await balanceOf(client, fan.accessToken),
        entries: entries.body.items,
        receipts: receipts.body.items,
        seatsSold: stats.body.seatsSold,
        seatsHeld: stats.body.seatsHeld,
        revenue: stats.body.revenue,
      };
    }

    describe('paying', () => {
      it('gives a receipt', async () => {
        const booking = await startBooking(foyer, {
          balance: 5 * PRICE,
          concert: { title: '봄밤', venue: '큰 홀' },
        });
        const held = await holdSeats(foyer.client, booking, 0, 1);
        const answer = await pay(foyer.client, booking.token, held.id);
        expect(answer.status, answer.text).toBe(201);
        expect(answer.body).toMatchObject(aReceipt);
        const { startsAt } = (await foyer.client.get(`/payments/${answer.body.id as string}`, booking.token))
          .body.schedule;
        expect(answer.body).toMatchObject({
          reservationId: held.id,
          concert: { id: booking.sale.concertId, title: '봄밤', venue: '큰 홀' },
          schedule: { id: booking.scheduleId, startsAt },
          seats: held.seats.map(({ label, grade, price }: Record<string, unknown>) => ({
            label,
            grade,
            price,
          })),
          amount: 2 * PRICE,
          balanceAfter: 3 * PRICE,
        });
        expect(Math.abs(Date.parse(answer.body.paidAt) - Date.now())).toBeLessThan(60_000);
      });

      it('moves the money, sells the seats, confirms the reservation and uses the place up, all at once', async () => {
        const booking = await startBooking(foyer, { balance: 5 * PRICE });
        const { id } = await holdSeats(foyer.client, booking, 0, 1);
        const receipt = await pay(foyer.client, booking.token, id);
        const world = await worldOf(booking, id);
        expect(world).toMatchObject({
          reservation: 'CONFIRMED',
          place: 'DONE',
          balance: 3 * PRICE,
          receipts: [receipt.body],
          seatsSold: 2,
          seatsHeld: 0,
          revenue: 2 * PRICE,
        });
        expect(world.entries).toHaveLength(2);
        expect(world.entries[0]).toMatchObject({
          type: 'PAYMENT',
          amount: -2 * PRICE,
          balanceAfter: 3 * PRICE,
        });
      });

      it('again answers the same receipt and moves nothing', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: 5 * PRICE });
        const { id } = await holdSeats(client, booking, 0);
        const first = await pay(client, booking.token, id);
        const before = await worldOf(booking, id);
        for (const token of [booking.token, booking.fan.accessToken]) {
          expect(await pay(client, token, id)).toMatchObject({ status: 200, body: first.body });
        }
        expect(await worldOf(booking, id)).toEqual(before);
      });

      it('again answers the receipt whatever has become of the place', async () => {
        const { client, operator } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { id } = await holdSeats(client, booking, 0);
        const { body } = await pay(client, booking.token, id);
        await patchRoom(client, operator, booking.sale, { paused: true });
        const waiting = await join(client, booking.fan, booking.sale);
        expect(waiting.body.status).toBe('WAITING');
        expect(await pay(client, waiting.body.token, id)).toMatchObject({ status: 200, body });
        await leave(client, waiting.body.token);
        expect(await pay(client, waiting.body.token, id)).toMatchObject({ status: 200, body });
        expect(await pay(client, booking.fan.accessToken, id)).toMatchObject({ status: 200, body });
      });

      it('with too little is refused with what there is and what is asked, and the hold stays', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE - 1 });
        const { id } = await holdSeats(client, booking, 0);
        const before = await worldOf(booking, id);
        expectProblem(await pay(client, booking.token, id), 402, 'NOT_ENOUGH_BALANCE', {
          balance: PRICE - 1,
          amount: PRICE,
        });
        expect(await worldOf(booking, id)).toEqual(before);
        expect(before).toMatchObject({ reservation: 'HELD', place: 'ACTIVE', receipts: [], seatsHeld: 1 });
        await charge(client, booking.token, 1);
        expect(await pay(client, booking.token, id)).toMatchObject({
          status: 201,
          body: { balanceAfter: 0 },
        });
      });

      it('is refused from the instant the hold has run out, and moves nothing', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE, policy: { holdSeconds: 1 } });
        const { id, expiresAt } = await holdSeats(client, booking, 0);
        await untilPast(expiresAt);
        expectProblem(await pay(client, booking.token, id), 409, 'RESERVATION_EXPIRED');
        expect(await worldOf(booking, id)).toMatchObject({
          reservation: 'EXPIRED',
          place: 'ACTIVE',
          balance: PRICE,
          receipts: [],
          seatsSold: 0,
          seatsHeld: 0,
          revenue: 0,
        });
      });

      it('is refused for a reservation that was released', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { id } = await holdSeats(client, booking, 0);
        await client.delete(`/reservations/${id as string}`, booking.token);
        expectProblem(await pay(client, booking.token, id), 409, 'RESERVATION_NOT_HELD');
        expect(await balanceOf(client, booking.token)).toBe(PRICE);
      });

      it("is refused for anybody else's reservation, and for none", async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer);
        const { id } = await holdSeats(client, booking, 0);
        const other = await enterSale(client, booking.sale, PRICE);
        for (const token of [other.token, other.fan.accessToken]) {
          expectProblem(await pay(client, token, id), 404, 'RESERVATION_NOT_FOUND');
          expectProblem(await pay(client, token, randomUUID()), 404, 'RESERVATION_NOT_FOUND');
        }
        expect(await balanceOf(client, other.token)).toBe(PRICE);
      });
    });

    describe('paying where reserving uses the place up', () => {
      it.each(['access', 'queue'])('needs no place: the %s token will do', async (kind) => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE, policy: ON_RESERVATION });
        const { id } = await holdSeats(client, booking, 0);
        const token = kind === 'access' ? booking.fan.accessToken : booking.token;
        const answer = await pay(client, token, id);
        expect(answer.status, answer.text).toBe(201);
        expect(await pay(client, token, id)).toMatchObject({ status: 200, body: answer.body });
      });

      it('takes any queue token of the same fan', async () => {
        const { client, operator } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE, policy: ON_RESERVATION });
        const { id } = await holdSeats(client, booking, 0);
        const elsewhere = await joinActive(client, booking.fan, await openSale(client, operator));
        expect((await pay(client, elsewhere, id)).status).toBe(201);
        expect((await poll(client, elsewhere)).body.status, 'that place has not served').toBe('ACTIVE');
      });

      it('leaves a new place in the same room alone', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE, policy: ON_RESERVATION });
        const { id } = await holdSeats(client, booking, 0);
        const next = await joinActive(client, booking.fan, booking.sale);
        expect((await pay(client, next, id)).status).toBe(201);
        expect((await poll(client, next)).body.status).toBe('ACTIVE');
      });

      it("is for the reservation's own fan", async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { policy: ON_RESERVATION });
        const { id } = await holdSeats(client, booking, 0);
        const stranger = await signUpFan(client, PRICE);
        expectProblem(await pay(client, stranger.accessToken, id), 404, 'RESERVATION_NOT_FOUND');
      });

      it('is refused when the hold has run out, or with too little', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { policy: { ...ON_RESERVATION, holdSeconds: 2 } });
        const { id, expiresAt } = await holdSeats(client, booking, 0);
        expectProblem(await pay(client, booking.token, id), 402, 'NOT_ENOUGH_BALANCE', {
          balance: 0,
          amount: PRICE,
        });
        await untilPast(expiresAt);
        expectProblem(await pay(client, booking.token, id), 409, 'RESERVATION_EXPIRED');
      });
    });

    it('paying needs an ACTIVE place where paying uses it up, though the hold is still there', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer, { balance: PRICE });
      const { id } = await holdSeats(client, booking, 0);
      await leave(client, booking.token);
      expectDenied(await pay(client, booking.token, id), 403, 'LEFT');
      const again = await joinActive(client, booking.fan, booking.sale);
      expect((await pay(client, again, id)).status).toBe(201);
      expect((await poll(client, again)).body.status).toBe('DONE');
    });

    describe('receipts', () => {
      const receipt = (id: string, token: string): Promise<Answer> =>
        foyer.client.get(`/payments/${id}`, token);

      it('are shown to their fan, by either credential, and to nobody else', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { body } = await pay(client, booking.token, (await holdSeats(client, booking, 0)).id);
        for (const token of [booking.token, booking.fan.accessToken]) {
          expect(await receipt(body.id, token)).toMatchObject({ status: 200, body });
          expect(expectList(await client.get('/payments', token))).toEqual([body]);
        }
        const stranger = await signUpFan(client);
        expectProblem(await receipt(body.id, stranger.accessToken), 404, 'PAYMENT_NOT_FOUND');
        expectProblem(await receipt(body.id, foyer.operator), 404, 'PAYMENT_NOT_FOUND');
        expectProblem(await receipt(randomUUID(), booking.token), 404, 'PAYMENT_NOT_FOUND');
        expect(expectList(await client.get('/payments', stranger.accessToken))).toEqual([]);
      });

      it('never change, whatever becomes of the concert and the wallet', async () => {
        const { client, operator } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { id } = await holdSeats(client, booking, 0);
        const { body } = await pay(client, booking.token, id);
        const change = {
          title: 'Another title',
          venue: 'Another hall',
          salesCloseAt: '2020-01-01T00:00:00.000Z',
        };
        await client.call('PATCH', `/operator/concerts/${booking.sale.concertId}`, {
          token: operator,
          body: change,
        });
        await charge(client, booking.fan.accessToken, 5);
        expect((await receipt(body.id, booking.token)).body).toEqual(body);
        expect((await pay(client, booking.token, id)).body).toEqual(body);
      });

      it('have numbers of their own', async () => {
        const { client } = foyer;
        const numbers = new Set<string>();
        for (let count = 0; count < 5; count += 1) {
          const booking = await startBooking(foyer, { balance: PRICE });
          numbers.add(
            (await pay(client, booking.token, (await holdSeats(client, booking, 0)).id)).body.number,
          );
        }
        expect(numbers.size).toBe(5);
      });
    });
  });
}
