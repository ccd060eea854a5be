import { describe, expect, it } from 'vitest';
import { enterSale, holdSeats, seatsAt, startBooking, untilPast } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { join, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { expectList, expectProblem } from '../support/shapes.js';

for (const database of DATABASES) {
  describe(`what a promoter reads about sales on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);
    const get = (path: string): Promise<Answer> => foyer.client.get(`/operator${path}`, foyer.operator);

    it('lists concerts with their dates, revenue and waiting fans', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { dates: 3, policy: { maxActive: 1 } });
      const booking = await enterSale(client, sale, 5 * PRICE);
      for (let fans = 0; fans < 2; fans += 1) await join(client, await signUpFan(client), sale);
      await pay(client, booking.token, (await holdSeats(client, booking, 0, 1)).id);
      const { schedules } = (await get(`/concerts/${sale.concertId}`)).body;
      const expected = {
        id: sale.concertId,
        dates: 3,
        firstStartsAt: schedules[0].startsAt,
        lastStartsAt: schedules[2].startsAt,
        revenue: 2 * PRICE,
        seatsSold: 2,
        // The buyer's slot goes to the first in line.
        waiting: 1,
        active: 1,
      };
      expect(expectList(await get('/concerts'))).toContainEqual(expect.objectContaining(expected));
      expect((await get(`/concerts/${sale.concertId}`)).body).toMatchObject(expected);
    });

    it('counts seats that are held as held, not as sold', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer, { balance: 5 * PRICE });
      await pay(client, booking.token, (await holdSeats(client, booking, 0)).id);
      const other = await enterSale(client, booking.sale);
      await holdSeats(client, other, 1, 2);
      const { schedules } = (await get(`/concerts/${booking.sale.concertId}`)).body;
      expect(schedules).toMatchObject([{ seatsTotal: 10, seatsSold: 1, seatsHeld: 2, seatsRemaining: 7 }]);
    });

    it('finds the buyer or the holder of a seat, and records who looked', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer, { balance: 5 * PRICE, policy: { holdSeconds: 2 } });
      const { fan, sale, scheduleId } = booking;
      const [sold = '', held = '', free = ''] = seatsAt(booking, 0, 1, 2);
      const seat = (id: string): Promise<Answer> => get(`/schedules/${scheduleId}/seats/${id}`);
      const receipt = (await pay(client, booking.token, (await holdSeats(client, booking, 0)).id)).body;
      const holder = await enterSale(client, sale);
      const reservation = await holdSeats(client, holder, 1);

      expect((await seat(sold)).body).toMatchObject({
        id: sold,
        status: 'SOLD',
        grade: 'R',
        price: PRICE,
        reservation: { status: 'CONFIRMED', user: { email: fan.email } },
        payment: { number: receipt.number, user: { id: fan.id }, refundedAt: null },
      });
      expect((await seat(held)).body).toMatchObject({
        status: 'HELD',
        reservation: { id: reservation.id, user: { email: holder.fan.email } },
        payment: null,
      });
      const nobody = { status: 'AVAILABLE', reservation: null, payment: null };
      expect((await seat(free)).body).toMatchObject(nobody);
      await untilPast(reservation.expiresAt);
      expect((await seat(held)).body).toMatchObject(nobody);

      const entries = expectList(await get(`/concerts/${sale.concertId}/audit`));
      const looked = entries.filter(({ action }) => action === 'SALES_SEARCHED');
      expect(looked.map(({ details }) => details)).toEqual([
        { list: 'seats', q: reservation.seats[0].label },
        { list: 'seats', q: receipt.seats[0].label },
      ]);
    });

    it('shows the owner of a seat to operators only, and refuses seats of other dates', async () => {
      const booking = await startBooking(foyer);
      const other = await startBooking(foyer);
      const path = `/operator/schedules/${booking.scheduleId}/seats`;
      const [own = '', foreign = ''] = [booking.seats[0], other.seats[0]];
      expectProblem(await foyer.client.get(`${path}/${own}`, booking.fan.accessToken), 403, 'FORBIDDEN');
      expectProblem(await foyer.client.get(`${path}/${foreign}`, foyer.operator), 404, 'SEAT_NOT_FOUND');
      const unknown = `/schedules/${crypto.randomUUID()}/seats/${own}`;
      expectProblem(await get(unknown), 404, 'SCHEDULE_NOT_FOUND');
    });

    it('filters reservations and payments by status and date, also together with a search', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { dates: 2, policy: { holdSeconds: 2 } });
      const [first = '', second = ''] = sale.scheduleIds;
      const buyer = await enterSale(client, sale, 5 * PRICE);
      const paid = (await pay(client, buyer.token, (await holdSeats(client, buyer, 0)).id)).body;
      const refunded = await enterSale(client, sale, 5 * PRICE);
      const back = (await pay(client, refunded.token, (await holdSeats(client, refunded, 1)).id)).body;
      expect((await client.post(`/operator/payments/${back.id as string}/refund`, operator)).status).toBe(
        201,
      );
      const late = await enterSale(client, sale);
      const expired = await holdSeats(client, late, 2);
      await untilPast(expired.expiresAt);
      const idsOf = async (list: string, filter: string): Promise<unknown[]> =>
        expectList(await get(`/concerts/${sale.concertId}/${list}?${filter}`)).map(({ id }) => id);

      expect(await idsOf('payments', 'status=PAID')).toEqual([paid.id]);
      expect(await idsOf('payments', 'status=REFUNDED')).toEqual([back.id]);
      expect(await idsOf('payments', `scheduleId=${first}`)).toEqual([back.id, paid.id]);
      expect(await idsOf('payments', `scheduleId=${second}`)).toEqual([]);
      expect(await idsOf('reservations', 'status=CONFIRMED')).toEqual([paid.reservationId]);
      expect(await idsOf('reservations', 'status=CANCELLED')).toEqual([back.reservationId]);
      // Its time has passed, whether or not a job has marked it.
      expect(await idsOf('reservations', 'status=EXPIRED')).toEqual([expired.id]);
      expect(await idsOf('reservations', 'status=HELD')).toEqual([]);
      expect(await idsOf('reservations', `scheduleId=${second}`)).toEqual([]);
      expect(await idsOf('payments', `status=PAID&q=${buyer.fan.email}`)).toEqual([paid.id]);
      expect(await idsOf('payments', `status=REFUNDED&q=${buyer.fan.email}`)).toEqual([]);

      const csv = await client.call(
        'GET',
        `/operator/concerts/${sale.concertId}/payments?status=REFUNDED&scheduleId=${first}`,
        { token: operator, headers: { accept: 'text/csv' } },
      );
      expect(csv.text.trimEnd().split('\r\n')).toHaveLength(2);
      expect(csv.text).toContain(back.number);
      const entries = expectList(await get(`/concerts/${sale.concertId}/audit`));
      expect(entries.find(({ action }) => action === 'SALES_EXPORTED')).toMatchObject({
        details: { list: 'payments', status: 'REFUNDED', scheduleId: first },
      });
    });

    it('refuses filters that do not exist', async () => {
      const { concertId } = await openSale(foyer.client, foyer.operator);
      for (const filter of ['payments?status=HELD', 'reservations?status=PAID', 'reservations?status='])
        expectProblem(await get(`/concerts/${concertId}/${filter}`), 400, 'INVALID_REQUEST');
    });
  });
}
