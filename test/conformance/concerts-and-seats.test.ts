import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Booking, dateOf, enterSale, holdSeats, startBooking, untilPast } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale, pay, PRICE, type SaleOptions } from '../support/sale.js';
import { aConcert, aSchedule, aSeat, expectList, expectProblem } from '../support/shapes.js';

const ONE_SEAT = [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: PRICE }];
const STARTS_AT = '2099-11-15T09:00:00.000Z';
const SOON_MS = 1500;
const statusOf = (seat: Record<string, unknown>): unknown => seat['status'];

for (const database of DATABASES) {
  describe(`concerts, dates and seats on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const readConcert = async (id: string) => (await foyer.client.get(`/concerts/${id}`)).body;
    const seatsOf = async ({ scheduleId, token }: Booking, query = '') =>
      expectList(await foyer.client.get(`/schedules/${scheduleId}/seats${query}`, token));
    const datesOf = async ({ sale, token }: Booking, query = '') =>
      expectList(await foyer.client.get(`/concerts/${sale.concertId}/schedules${query}`, token));

    /**
     * Opens a sale with one seat per date and sells that of the first date; returns the booking of another fan, who can
     * still join a sold-out sale.
     */
    async function sellOutFirstDate(options: SaleOptions): Promise<Booking> {
      const policy = { closeWhenSoldOut: false };
      const booking = await startBooking(foyer, { ...options, policy, sections: ONE_SEAT, balance: PRICE });
      const { id } = await holdSeats(foyer.client, booking, 0);
      expect((await pay(foyer.client, booking.token, id)).status).toBe(201);
      return enterSale(foyer.client, booking.sale);
    }

    describe('concerts', () => {
      it('shows a concert to anonymous callers, on its own and in the list', async () => {
        const salesOpenAt = '2020-11-15T09:00:00.000Z';
        const salesCloseAt = '2099-11-14T09:00:00.000Z';
        const fields = {
          title: '봄밤',
          venue: 'A hall',
          description: 'Two lines\nof it.',
          salesOpenAt,
          salesCloseAt,
        };
        const sale = await openSale(foyer.client, foyer.operator, { concert: fields });
        const one = await foyer.client.get(`/concerts/${sale.concertId}`);
        expect(one.status).toBe(200);
        expect(one.body).toMatchObject(aConcert);
        expect(one.body).toMatchObject({ ...fields, id: sale.concertId, currency: 'KRW', soldOut: false });
        const all = expectList(await foyer.client.get('/concerts'));
        expect(all).toContainEqual(one.body);
      });

      it('returns null for sale times that are not set', async () => {
        const { concertId } = await openSale(foyer.client, foyer.operator);
        expect(await readConcert(concertId)).toMatchObject({ salesOpenAt: null, salesCloseAt: null });
      });

      it('returns 404 CONCERT_NOT_FOUND for an unknown concert', async () => {
        expectProblem(await foyer.client.get(`/concerts/${randomUUID()}`), 404, 'CONCERT_NOT_FOUND');
      });
    });

    describe('dates', () => {
      it('counts held and sold seats as not remaining, and released seats as remaining', async () => {
        const booking = await startBooking(foyer, { dates: 2, balance: PRICE });
        const dates = await datesOf(booking);
        expect(dates).toHaveLength(2);
        for (const date of dates) expect(date).toMatchObject(aSchedule);
        expect(dates.map(({ id }) => id)).toEqual(booking.sale.scheduleIds);
        const { concertId } = booking.sale;
        expect(dates[0]).toMatchObject({ concertId, seatsTotal: 10, seatsRemaining: 10, soldOut: false });

        const { id } = await holdSeats(foyer.client, booking, 0, 1);
        expect((await datesOf(booking))[0], 'held seats do not remain').toMatchObject({ seatsRemaining: 8 });
        await foyer.client.delete(`/reservations/${id}`, booking.token);
        expect((await datesOf(booking))[0], 'released seats remain').toMatchObject({ seatsRemaining: 10 });
        const { id: paid } = await holdSeats(foyer.client, booking, 2);
        await pay(foyer.client, booking.token, paid);
        const later = await enterSale(foyer.client, booking.sale);
        expect((await datesOf(later))[0], 'sold seats do not remain').toMatchObject({
          seatsTotal: 10,
          seatsRemaining: 9,
        });
      });

      it('counts a seat as remaining from the instant its hold expires', async () => {
        const booking = await startBooking(foyer, { policy: { holdSeconds: 1 } });
        const { expiresAt } = await holdSeats(foyer.client, booking, 0);
        await untilPast(expiresAt);
        expect((await datesOf(booking))[0]).toMatchObject({ seatsRemaining: 10 });
      });

      it('lists sold-out dates only with ?all=true', async () => {
        const booking = await sellOutFirstDate({ dates: 2 });
        const [first, second] = booking.sale.scheduleIds;
        expect((await datesOf(booking)).map(({ id }) => id)).toEqual([second]);
        expect(await datesOf(booking, '?all=true')).toMatchObject([
          { ...aSchedule, id: first, soldOut: true, seatsRemaining: 0 },
          { ...aSchedule, id: second, soldOut: false, seatsRemaining: 1 },
        ]);
        expect((await datesOf(booking, '?all=false')).map(({ id }) => id)).toEqual([second]);
      });

      it('is not sold out while the last seat is only held', async () => {
        const booking = await startBooking(foyer, { sections: ONE_SEAT });
        await holdSeats(foyer.client, booking, 0);
        expect(await datesOf(booking)).toMatchObject([{ seatsRemaining: 0, soldOut: false }]);
        expect(await readConcert(booking.sale.concertId)).toMatchObject({ soldOut: false });
      });

      it('lists a date only with ?all=true from the instant it starts', async () => {
        const startsAt = new Date(Date.now() + SOON_MS).toISOString();
        const schedules = [startsAt, STARTS_AT].map((time) => ({ startsAt: time, sections: ONE_SEAT }));
        const booking = await startBooking(foyer, { concert: { schedules } });
        await untilPast(startsAt);
        expect(await datesOf(booking)).toMatchObject([{ startsAt: STARTS_AT }]);
        expect(await datesOf(booking, '?all=true')).toMatchObject([{ startsAt }, { startsAt: STARTS_AT }]);
      });

      it('returns 409 SALES_CLOSED after the sale has closed, also with ?all=true', async () => {
        const booking = await startBooking(foyer);
        const { concertId } = booking.sale;
        const past = new Date(Date.now() - 60_000).toISOString();
        const path = `/concerts/${concertId}/schedules`;
        expect((await foyer.client.get(path, booking.token)).body.items).toHaveLength(1);
        const closeSale = { token: foyer.operator, body: { salesCloseAt: past } };
        await foyer.client.call('PATCH', `/operator/concerts/${concertId}`, closeSale);
        expectProblem(await foyer.client.get(path, booking.token), 409, 'SALES_CLOSED');
        expectProblem(await foyer.client.get(`${path}?all=true`, booking.token), 409, 'SALES_CLOSED');
      });

      it('marks the concert as sold out when its last date is sold out', async () => {
        const booking = await sellOutFirstDate({ dates: 1 });
        expect(await readConcert(booking.sale.concertId)).toMatchObject({ soldOut: true });
        const listed = expectList(await foyer.client.get('/concerts'));
        expect(listed.find(({ id }) => id === booking.sale.concertId)).toMatchObject({ soldOut: true });
        const other = await sellOutFirstDate({ dates: 2 });
        expect(await readConcert(other.sale.concertId)).toMatchObject({ soldOut: false });
      });

      it('counts only dates to come, and every date once all have begun', async () => {
        const startsAt = [new Date(Date.now() + 2 * SOON_MS), new Date(Date.now() + 3 * SOON_MS)].map((at) =>
          at.toISOString(),
        );
        const schedules = startsAt.map((time) => ({ startsAt: time, sections: ONE_SEAT }));
        const sale = await openSale(foyer.client, foyer.operator, { concert: { schedules } });
        const { concertId } = sale;
        const booking = await enterSale(foyer.client, { concertId, scheduleIds: [dateOf(sale, 1)] }, PRICE);
        const { id: held } = await holdSeats(foyer.client, booking, 0);
        expect((await pay(foyer.client, booking.token, held)).status).toBe(201);
        const answers = async (): Promise<unknown[]> => {
          const lists = [
            expectList(await foyer.client.get('/concerts')),
            expectList(await foyer.client.get('/operator/concerts', foyer.operator)),
          ];
          const own = await foyer.client.get(`/operator/concerts/${concertId}`, foyer.operator);
          const overview = await foyer.client.get(`/concerts/${concertId}/overview`);
          return [
            await readConcert(concertId),
            ...lists.map((list) => list.find(({ id }) => id === concertId)),
            own.body,
            overview.body,
          ].map(({ soldOut }) => soldOut);
        };
        const all = (soldOut: boolean): boolean[] => Array.from({ length: 5 }, () => soldOut);
        expect(await answers()).toEqual(all(false));
        await untilPast(startsAt[0]!);
        expect(await answers()).toEqual(all(true));
        await untilPast(startsAt[1]!);
        expect(await answers()).toEqual(all(false));
      });

      it('returns 404 CONCERT_NOT_FOUND for the dates of an unknown concert', async () => {
        const { fan } = await startBooking(foyer);
        const answer = await foyer.client.get(`/concerts/${randomUUID()}/schedules`, fan.accessToken);
        expectProblem(answer, 404, 'CONCERT_NOT_FOUND');
      });

      it('returns 400 when ?all is neither true nor false', async () => {
        const { sale, token } = await startBooking(foyer);
        const answer = await foyer.client.get(`/concerts/${sale.concertId}/schedules?all=1`, token);
        expectProblem(answer, 400, 'INVALID_REQUEST');
      });
    });

    describe('seats', () => {
      const SECTIONS = [
        { name: 'VIP', rows: 1, seatsPerRow: 2, grade: 'VIP', price: 150_000 },
        { name: 'B', rows: 2, seatsPerRow: 3, grade: 'S', price: 70_000 },
      ];

      it('lists every seat with its section, row, number, grade, price and label', async () => {
        const booking = await startBooking(foyer, { sections: SECTIONS });
        const seats = await seatsOf(booking);
        expect(seats).toHaveLength(8);
        for (const seat of seats) expect(seat).toMatchObject({ ...aSeat, status: 'AVAILABLE' });
        for (const { name, rows, seatsPerRow, grade, price } of SECTIONS) {
          const inSection = seats.filter(({ section }) => section === name);
          expect(inSection).toHaveLength(rows * seatsPerRow);
          for (const seat of inSection) expect(seat).toMatchObject({ grade, price });
          expect(new Set(inSection.map(({ row }) => row)).size).toBe(rows);
          expect(new Set(inSection.map(({ number }) => number)).size).toBe(seatsPerRow);
        }
        expect(new Set(seats.map(({ label }) => label)).size, 'labels are unique').toBe(8);
      });

      it('lists seats as AVAILABLE, HELD or SOLD and filters them by ?status', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { id } = await holdSeats(client, booking, 0);
        await pay(client, booking.token, id);
        const other = await enterSale(client, booking.sale);
        await holdSeats(client, other, 1, 2);

        const seats = await seatsOf(other);
        expect(seats.map(statusOf)).toEqual([
          'SOLD',
          'HELD',
          'HELD',
          ...Array.from({ length: 7 }, () => 'AVAILABLE'),
        ]);
        for (const status of ['AVAILABLE', 'HELD', 'SOLD']) {
          const expected = seats.filter((seat) => statusOf(seat) === status);
          expect(await seatsOf(other, `?status=${status}`)).toEqual(expected);
        }
        const unknownStatus = await client.get(
          `/schedules/${other.scheduleId}/seats?status=FREE`,
          other.token,
        );
        expectProblem(unknownStatus, 400, 'INVALID_REQUEST');
      });

      it('skips no seat on later pages when seats are held between the pages', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer);
        const path = `/schedules/${booking.scheduleId}/seats?status=AVAILABLE&limit=4`;
        const first = await client.get(path, booking.token);
        await holdSeats(client, booking, 0, 1);
        const rest = await client.get(`${path}&cursor=${first.body.nextCursor as string}`, booking.token);
        const labels = [...first.body.items, ...rest.body.items].map(({ label }: { label: string }) => label);
        expect(labels).toEqual((await seatsOf(booking)).slice(0, 8).map(({ label }) => label));
      });

      it('gives seats unique labels when two sections have the same name', async () => {
        const sections = [
          { name: 'A', rows: 1, seatsPerRow: 2, grade: 'VIP', price: PRICE },
          { name: 'A', rows: 2, seatsPerRow: 2, grade: 'R', price: PRICE },
        ];
        const seats = await seatsOf(await startBooking(foyer, { sections }));
        expect(seats.map(({ label }) => label)).toEqual([
          'A 1-1',
          'A 1-2',
          'A 2-1',
          'A 2-2',
          'A 3-1',
          'A 3-2',
        ]);
        expect(seats.map(({ grade }) => grade)).toEqual(['VIP', 'VIP', 'R', 'R', 'R', 'R']);
      });

      it('makes seats AVAILABLE again when they are released', async () => {
        const booking = await startBooking(foyer);
        const { id } = await holdSeats(foyer.client, booking, 0);
        expect((await seatsOf(booking)).map(statusOf)).toContain('HELD');
        await foyer.client.delete(`/reservations/${id}`, booking.token);
        expect((await seatsOf(booking)).map(statusOf)).not.toContain('HELD');
      });

      it('makes seats AVAILABLE again from the instant their hold expires', async () => {
        const booking = await startBooking(foyer, { policy: { holdSeconds: 1 } });
        const { expiresAt } = await holdSeats(foyer.client, booking, 0);
        await untilPast(expiresAt);
        expect((await seatsOf(booking)).map(statusOf)).not.toContain('HELD');
        expect(await seatsOf(booking, '?status=HELD')).toEqual([]);
      });

      it('holds seats of one date without affecting another date', async () => {
        const booking = await startBooking(foyer, { dates: 2 });
        await holdSeats(foyer.client, booking, 0);
        const other = await seatsOf({ ...booking, scheduleId: dateOf(booking.sale, 1) });
        expect(other.map(statusOf)).not.toContain('HELD');
        expect(other.map(({ id }) => id)).not.toContain(booking.seats[0]);
      });

      it('returns 404 SCHEDULE_NOT_FOUND for the seats of an unknown date', async () => {
        const { fan, token } = await startBooking(foyer);
        for (const credential of [token, fan.accessToken]) {
          for (const path of ['seats', 'seats/events']) {
            const answer = await foyer.client.get(`/schedules/${randomUUID()}/${path}`, credential);
            expectProblem(answer, 404, 'SCHEDULE_NOT_FOUND');
          }
        }
      });
    });
  });
}
