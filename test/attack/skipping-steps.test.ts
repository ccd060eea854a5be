import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dateOf, enterSale, holdSeats, startBooking } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { hold, join, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { expectDenied, expectProblem } from '../support/shapes.js';
import { balanceOf, bookingSteps, expectEachDenied, leave } from '../support/steps.js';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

for (const database of DATABASES) {
  describe(`skipping a step, on ${database.name}`, () => {
    const foyer = useFoyer(database);

    it('is refused for a WAITING fan and for a token of another concert', async () => {
      const { client, operator } = foyer;
      const active = await startBooking(foyer, { policy: { maxActive: 1 } });
      const waiting = await signUpFan(client, PRICE);
      const { token } = (await join(client, waiting, active.sale)).body;
      const steps = bookingSteps(client, active.sale, {
        seatId: active.seats[0] ?? '',
        reservationId: (await holdSeats(client, active, 1)).id,
      });
      const { paying, ...otherSteps } = steps;
      await expectEachDenied(otherSteps, token, 'NOT_ACTIVE');
      // A hold of another fan is reported as not found, whatever the status of the place.
      expectProblem(await paying(token), 404, 'RESERVATION_NOT_FOUND');
      const elsewhere = await enterSale(client, await openSale(client, operator));
      await expectEachDenied(otherSteps, elsewhere.token, 'WRONG_CONCERT');
      for (const path of ['chart', 'state', 'seats/events'])
        expectDenied(await client.get(`/schedules/${active.scheduleId}/${path}`, token), 403, 'NOT_ACTIVE');
      const best = { scheduleId: active.scheduleId, count: 1 };
      expectDenied(await client.post('/reservations/best', token, best), 403, 'NOT_ACTIVE');
    });

    it('sells nothing before the sale opens or after it closes', async () => {
      const { client, operator } = foyer;
      const early = await openSale(client, operator, { concert: { salesOpenAt: TOMORROW } });
      const fan = await signUpFan(client);
      expectProblem(await join(client, fan, early), 409, 'SALES_NOT_OPEN');
      expectDenied(await client.get(`/schedules/${dateOf(early)}/seats`, fan.accessToken), 403, 'NOT_ACTIVE');

      const late = await startBooking(foyer, { balance: PRICE });
      const closed = { salesCloseAt: new Date(Date.now() - 1000).toISOString() };
      const path = `/operator/concerts/${late.sale.concertId}`;
      expect((await client.call('PATCH', path, { token: operator, body: closed })).status).toBe(200);
      expectProblem(
        await hold(client, late.token, late.sale, late.seats.slice(0, 1)),
        409,
        'SCHEDULE_CLOSED',
      );
    });

    it('holds no seat of another date and no seat that does not exist', async () => {
      const { client } = foyer;
      const here = await startBooking(foyer);
      const there = await startBooking(foyer);
      const mixed = [here.seats[0] ?? '', there.seats[0] ?? ''];
      expectProblem(await hold(client, here.token, here.sale, mixed), 404, 'SEAT_NOT_FOUND');
      expectProblem(await hold(client, here.token, here.sale, [randomUUID()]), 404, 'SEAT_NOT_FOUND');
      expect((await client.get('/reservations', here.token)).body.items).toEqual([]);
    });

    it('does not pay for a released reservation or without a place', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer, { balance: 3 * PRICE });
      const released = await holdSeats(client, booking, 0);
      await client.delete(`/reservations/${String(released.id)}`, booking.token);
      expectProblem(await pay(client, booking.token, released.id), 409, 'RESERVATION_NOT_HELD');
      const held = await holdSeats(client, booking, 1);
      await leave(client, booking.token);
      const { accessToken } = booking.fan;
      expectDenied(await pay(client, accessToken, held.id), 403, 'LEFT');
      expectProblem(await pay(client, accessToken, randomUUID()), 404, 'RESERVATION_NOT_FOUND');
      expect(await balanceOf(client, accessToken)).toBe(3 * PRICE);
    });

    it('pays once for concurrent requests with two tokens and without a key', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer, { balance: 3 * PRICE });
      const held = await holdSeats(client, booking, 0);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          pay(client, index % 2 === 0 ? booking.token : booking.fan.accessToken, held.id),
        ),
      );
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(await balanceOf(client, booking.fan.accessToken)).toBe(2 * PRICE);
    });
  });
}
