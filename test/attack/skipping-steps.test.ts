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

    it('gets nobody past the line: not with a seat’s id, not with the token of another concert', async () => {
      const { client, operator } = foyer;
      const inside = await startBooking(foyer, { policy: { maxActive: 1 } });
      const waiting = await signUpFan(client, PRICE);
      const { token } = (await join(client, waiting, inside.sale)).body;
      const steps = bookingSteps(client, inside.sale, {
        seatId: inside.seats[0] ?? '',
        reservationId: (await holdSeats(client, inside, 1)).id,
      });
      const { paying, ...looking } = steps;
      await expectEachDenied(looking, token, 'NOT_ACTIVE');
      // Somebody else's hold does not exist for them, whatever their place.
      expectProblem(await paying(token), 404, 'RESERVATION_NOT_FOUND');
      const elsewhere = await enterSale(client, await openSale(client, operator));
      await expectEachDenied(looking, elsewhere.token, 'WRONG_CONCERT');
      for (const path of ['chart', 'state', 'seats/events'])
        expectDenied(await client.get(`/schedules/${inside.scheduleId}/${path}`, token), 403, 'NOT_ACTIVE');
      const best = { scheduleId: inside.scheduleId, count: 1 };
      expectDenied(await client.post('/reservations/best', token, best), 403, 'NOT_ACTIVE');
    });

    it('sells nothing before the sale or after it', async () => {
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

    it('takes no seat of another date, and none that is not there', async () => {
      const { client } = foyer;
      const here = await startBooking(foyer);
      const there = await startBooking(foyer);
      const mixed = [here.seats[0] ?? '', there.seats[0] ?? ''];
      expectProblem(await hold(client, here.token, here.sale, mixed), 404, 'SEAT_NOT_FOUND');
      expectProblem(await hold(client, here.token, here.sale, [randomUUID()]), 404, 'SEAT_NOT_FOUND');
      expect((await client.get('/reservations', here.token)).body.items).toEqual([]);
    });

    it('pays for nothing that was let go, and not without a place', async () => {
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

    it('pays once, however many ask at once, with two tokens and without a key', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer, { balance: 3 * PRICE });
      const held = await holdSeats(client, booking, 0);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          pay(client, at % 2 === 0 ? booking.token : booking.fan.accessToken, held.id),
        ),
      );
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
      expect(await balanceOf(client, booking.fan.accessToken)).toBe(2 * PRICE);
    });
  });
}
