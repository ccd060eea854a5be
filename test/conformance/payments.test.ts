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

    /** Everything that a payment may change. */
    async function snapshotOf({ fan, token, sale, scheduleId }: Booking, reservationId: string) {
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
      it('returns a receipt', async () => {
        const booking = await startBooking(foyer, {
          balance: 5 * PRICE,
          concert: { title: '봄밤', venue: '큰 홀', timeZone: 'Asia/Tokyo' },
        });
        const held = await holdSeats(foyer.client, booking, 0, 1);
        const answer = await pay(foyer.client, booking.token, held.id);
        expect(answer.status, answer.text).toBe(201);
        expect(answer.body).toMatchObject(aReceipt);
        const { startsAt } = (await foyer.client.get(`/payments/${answer.body.id as string}`, booking.token))
          .body.schedule;
        expect(answer.body).toMatchObject({
          reservationId: held.id,
          concert: { id: booking.sale.concertId, title: '봄밤', venue: '큰 홀', timeZone: 'Asia/Tokyo' },
          schedule: { id: booking.scheduleId, startsAt },
          seats: [
            { label: 'A 1-1', section: 'A', row: '1', number: '1', grade: 'R', price: PRICE },
            { label: 'A 1-2', section: 'A', row: '1', number: '2', grade: 'R', price: PRICE },
          ],
          amount: 2 * PRICE,
          balanceAfter: 3 * PRICE,
        });
        expect(Math.abs(Date.parse(answer.body.paidAt) - Date.now())).toBeLessThan(60_000);
      });

      it('debits the wallet, sells the seats, confirms the reservation and consumes the place', async () => {
        const booking = await startBooking(foyer, { balance: 5 * PRICE });
        const { id } = await holdSeats(foyer.client, booking, 0, 1);
        const receipt = await pay(foyer.client, booking.token, id);
        const after = await snapshotOf(booking, id);
        expect(after).toMatchObject({
          reservation: 'CONFIRMED',
          place: 'DONE',
          balance: 3 * PRICE,
          receipts: [receipt.body],
          seatsSold: 2,
          seatsHeld: 0,
          revenue: 2 * PRICE,
        });
        expect(after.entries).toHaveLength(2);
        expect(after.entries[0]).toMatchObject({
          type: 'PAYMENT',
          amount: -2 * PRICE,
          balanceAfter: 3 * PRICE,
        });
      });

      it('returns the same receipt with 200 for a repeated payment and changes nothing', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: 5 * PRICE });
        const { id } = await holdSeats(client, booking, 0);
        const first = await pay(client, booking.token, id);
        const before = await snapshotOf(booking, id);
        for (const token of [booking.token, booking.fan.accessToken]) {
          expect(await pay(client, token, id)).toMatchObject({ status: 200, body: first.body });
        }
        expect(await snapshotOf(booking, id)).toEqual(before);
      });

      it('returns the receipt for a repeated payment whatever the status of the place', async () => {
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

      it('returns 402 NOT_ENOUGH_BALANCE with balance and amount, and keeps the hold', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE - 1 });
        const { id } = await holdSeats(client, booking, 0);
        const before = await snapshotOf(booking, id);
        expectProblem(await pay(client, booking.token, id), 402, 'NOT_ENOUGH_BALANCE', {
          balance: PRICE - 1,
          amount: PRICE,
        });
        expect(await snapshotOf(booking, id)).toEqual(before);
        expect(before).toMatchObject({ reservation: 'HELD', place: 'ACTIVE', receipts: [], seatsHeld: 1 });
        await charge(client, booking.token, 1);
        expect(await pay(client, booking.token, id)).toMatchObject({
          status: 201,
          body: { balanceAfter: 0 },
        });
      });

      it('returns 409 RESERVATION_EXPIRED from the instant the hold expires, and changes nothing', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE, policy: { holdSeconds: 1 } });
        const { id, expiresAt } = await holdSeats(client, booking, 0);
        await untilPast(expiresAt);
        expectProblem(await pay(client, booking.token, id), 409, 'RESERVATION_EXPIRED');
        expect(await snapshotOf(booking, id)).toMatchObject({
          reservation: 'EXPIRED',
          place: 'ACTIVE',
          balance: PRICE,
          receipts: [],
          seatsSold: 0,
          seatsHeld: 0,
          revenue: 0,
        });
      });

      it('returns 409 RESERVATION_NOT_HELD for a released reservation', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { id } = await holdSeats(client, booking, 0);
        await client.delete(`/reservations/${id as string}`, booking.token);
        expectProblem(await pay(client, booking.token, id), 409, 'RESERVATION_NOT_HELD');
        expect(await balanceOf(client, booking.token)).toBe(PRICE);
      });

      it("returns 404 for another fan's reservation and for an unknown one", async () => {
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

    describe('paying when consumeOn is RESERVATION', () => {
      it.each(['access', 'queue'])('needs no place and accepts the %s token', async (kind) => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE, policy: ON_RESERVATION });
        const { id } = await holdSeats(client, booking, 0);
        const token = kind === 'access' ? booking.fan.accessToken : booking.token;
        const answer = await pay(client, token, id);
        expect(answer.status, answer.text).toBe(201);
        expect(await pay(client, token, id)).toMatchObject({ status: 200, body: answer.body });
      });

      it('refuses a queue token of another concert of the same fan', async () => {
        const { client, operator } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE, policy: ON_RESERVATION });
        const { id } = await holdSeats(client, booking, 0);
        const elsewhere = await joinActive(client, booking.fan, await openSale(client, operator));
        expectDenied(await pay(client, elsewhere, id), 403, 'WRONG_CONCERT');
        expect((await pay(client, booking.fan.accessToken, id)).status).toBe(201);
      });

      it('does not consume a new place in the same queue', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE, policy: ON_RESERVATION });
        const { id } = await holdSeats(client, booking, 0);
        const next = await joinActive(client, booking.fan, booking.sale);
        expect((await pay(client, next, id)).status).toBe(201);
        expect((await poll(client, next)).body.status).toBe('ACTIVE');
      });

      it("returns 404 for another fan's reservation", async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { policy: ON_RESERVATION });
        const { id } = await holdSeats(client, booking, 0);
        const stranger = await signUpFan(client, PRICE);
        expectProblem(await pay(client, stranger.accessToken, id), 404, 'RESERVATION_NOT_FOUND');
      });

      it('returns 402 when the balance is too low and 409 after the hold has expired', async () => {
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

    it('needs an ACTIVE place when consumeOn is PAYMENT, even while the hold is live', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer, { balance: PRICE });
      const { id } = await holdSeats(client, booking, 0);
      await leave(client, booking.token);
      expectDenied(await pay(client, booking.token, id), 403, 'LEFT');
      const rejoined = await joinActive(client, booking.fan, booking.sale);
      expect((await pay(client, rejoined, id)).status).toBe(201);
      expect((await poll(client, rejoined)).body.status).toBe('DONE');
    });

    describe('receipts', () => {
      const receipt = (id: string, token: string): Promise<Answer> =>
        foyer.client.get(`/payments/${id}`, token);

      it('are shown only to their fan, with either credential', async () => {
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

      it('do not change when the concert is edited or the wallet is charged', async () => {
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

      it('have unique numbers', async () => {
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
