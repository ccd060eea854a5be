import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type Booking,
  dateOf,
  enterSale,
  holdSeats,
  seatsAt,
  startBooking,
  untilPast,
} from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { hold, joinActive, pay, PRICE, seatIds, signUpFan } from '../support/sale.js';
import { anId, aReservation, expectList, expectProblem } from '../support/shapes.js';
import { leave, msBetween } from '../support/steps.js';

const SECTION = { name: 'A', rows: 1, seatsPerRow: 2, grade: 'R', price: PRICE };

for (const database of DATABASES) {
  describe(`reservations on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const read = (id: string, token: string): Promise<Answer> =>
      foyer.client.get(`/reservations/${id}`, token);
    const release = (id: string, token: string): Promise<Answer> =>
      foyer.client.delete(`/reservations/${id}`, token);
    const holdAt = (booking: Booking, ...positions: number[]): Promise<Answer> =>
      hold(foyer.client, booking.token, booking.sale, seatsAt(booking, ...positions));

    describe('holding seats', () => {
      it('returns a reservation of all requested seats', async () => {
        const booking = await startBooking(foyer, { policy: { holdSeconds: 300 } });
        const answer = await holdAt(booking, 3, 1);
        expect(answer.status, answer.text).toBe(201);
        expect(answer.body).toMatchObject(aReservation);
        const { concertId } = booking.sale;
        const amount = 2 * PRICE;
        expect(answer.body).toMatchObject({
          concertId,
          scheduleId: booking.scheduleId,
          amount,
          status: 'HELD',
        });
        expect(msBetween(answer.body.createdAt, answer.body.expiresAt)).toBe(300_000);

        const { items } = (
          await foyer.client.get(`/schedules/${booking.scheduleId}/seats?status=HELD`, booking.token)
        ).body;
        const shown = expect.arrayContaining(
          items.map(({ id, label, section, row, number, grade, price }: Record<string, unknown>) => ({
            id,
            label,
            section,
            row,
            number: String(number),
            grade,
            price,
          })),
        );
        expect(answer.body.seats).toHaveLength(2);
        expect(answer.body.seats).toEqual(shown);
        expect(answer.body.seats[0]).toMatchObject({ id: anId, grade: 'R', price: PRICE });
      });

      it('names the concert, the date and the venue, also in later answers and after an edit', async () => {
        const booking = await startBooking(foyer, {
          concert: { title: '봄밤', venue: '큰 홀', timeZone: 'Asia/Tokyo' },
        });
        const { concertId } = booking.sale;
        const dates = await foyer.client.get(`/concerts/${concertId}/schedules`, booking.token);
        const { startsAt } = dates.body.items[0];
        const held = await holdAt(booking, 0);
        expect(held.body).toMatchObject({
          concert: { id: concertId, title: '봄밤', venue: '큰 홀', timeZone: 'Asia/Tokyo' },
          schedule: { id: booking.scheduleId, startsAt },
          seats: [{ label: 'A 1-1', section: 'A', row: '1', number: '1' }],
        });
        const read = async (): Promise<unknown[]> => [
          (await foyer.client.get(`/reservations/${held.body.id as string}`, booking.token)).body,
          ...(await foyer.client.get('/reservations', booking.token)).body.items,
        ];
        expect(await read()).toEqual([held.body, held.body]);
        await foyer.client.call('PATCH', `/operator/concerts/${concertId}`, {
          token: foyer.operator,
          body: { venue: '작은 홀' },
        });
        const moved = { ...held.body, concert: { ...held.body.concert, venue: '작은 홀' } };
        expect(await read()).toEqual([moved, moved]);
      });

      it('returns 409 ALREADY_RESERVED_SEAT with the taken seats, and holds none', async () => {
        const first = await startBooking(foyer);
        const second = await enterSale(foyer.client, first.sale);
        await holdSeats(foyer.client, first, 1, 2);
        const refused = await holdAt(second, 0, 1, 2);
        expectProblem(refused, 409, 'ALREADY_RESERVED_SEAT');
        expect([...refused.body.seatIds].sort()).toEqual(seatsAt(first, 1, 2).sort());
        expect((await holdAt(second, 0)).status, 'the free seat was not held').toBe(201);
      });

      it('returns 409 ALREADY_RESERVED_SEAT for seats that are sold or held by the same fan', async () => {
        const { client } = foyer;
        const first = await startBooking(foyer, { balance: PRICE });
        const { id } = await holdSeats(client, first, 0);
        expectProblem(await holdAt(first, 0), 409, 'ALREADY_RESERVED_SEAT', { seatIds: seatsAt(first, 0) });
        await pay(client, first.token, id);
        const second = await enterSale(client, first.sale);
        expectProblem(await holdAt(second, 0), 409, 'ALREADY_RESERVED_SEAT', { seatIds: seatsAt(first, 0) });
      });

      it('returns 404 SCHEDULE_NOT_FOUND for an unknown date', async () => {
        const { fan, seats, token } = await startBooking(foyer);
        const body = { scheduleId: randomUUID(), seatIds: [seats[0]] };
        for (const credential of [fan.accessToken, token]) {
          expectProblem(
            await foyer.client.post('/reservations', credential, body),
            404,
            'SCHEDULE_NOT_FOUND',
          );
        }
      });

      it('returns 404 SEAT_NOT_FOUND for a seat that the date does not have, and holds none', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { dates: 2 });
        const elsewhere = await startBooking(foyer);
        const [otherDate = ''] = await seatIds(client, booking.token, booking.sale, 1);
        for (const unknownSeat of [randomUUID(), otherDate, seatsAt(elsewhere, 0)[0] ?? '']) {
          const answer = await hold(client, booking.token, booking.sale, [
            ...seatsAt(booking, 0),
            unknownSeat,
          ]);
          expectProblem(answer, 404, 'SEAT_NOT_FOUND');
        }
        expect((await holdAt(booking, 0)).status).toBe(201);
      });

      it('returns 409 SCHEDULE_CLOSED after the date has started', async () => {
        const startsAt = new Date(Date.now() + 1500).toISOString();
        const booking = await startBooking(foyer, {
          concert: { schedules: [{ startsAt, sections: [SECTION] }] },
        });
        await untilPast(startsAt);
        expectProblem(await holdAt(booking, 0), 409, 'SCHEDULE_CLOSED');
      });

      it('returns 409 SCHEDULE_CLOSED after the sale has closed', async () => {
        const { client, operator } = foyer;
        const booking = await startBooking(foyer);
        const body = { salesCloseAt: new Date(Date.now() + 300).toISOString() };
        await client.call('PATCH', `/operator/concerts/${booking.sale.concertId}`, { token: operator, body });
        await untilPast(body.salesCloseAt);
        expectProblem(await holdAt(booking, 0), 409, 'SCHEDULE_CLOSED');
      });

      it('returns 400 without a date, without seats, or for the same seat twice', async () => {
        const booking = await startBooking(foyer);
        expectProblem(await holdAt(booking), 400, 'INVALID_REQUEST');
        expectProblem(await holdAt(booking, 0, 0), 400, 'INVALID_REQUEST');
        const { scheduleId, token, seats } = booking;
        expectProblem(
          await foyer.client.post('/reservations', token, { scheduleId }),
          400,
          'INVALID_REQUEST',
        );
        const noDate = await foyer.client.post('/reservations', token, { seatIds: [seats[0]] });
        expectProblem(noDate, 400, 'INVALID_REQUEST');
      });
    });

    describe('maxSeatsPerUser', () => {
      it('counts held and paid seats, per date', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, {
          dates: 2,
          balance: PRICE,
          policy: { maxSeatsPerUser: 3 },
        });
        await pay(client, booking.token, (await holdSeats(client, booking, 0)).id);
        const rejoined = { ...booking, token: await joinActive(client, booking.fan, booking.sale) };
        await holdSeats(client, rejoined, 1);
        expectProblem(await holdAt(rejoined, 2, 3), 409, 'SEAT_LIMIT_EXCEEDED');
        await holdSeats(client, rejoined, 2);
        expectProblem(await holdAt(rejoined, 3), 409, 'SEAT_LIMIT_EXCEEDED');

        const seats = await seatIds(client, rejoined.token, rejoined.sale, 1);
        const otherDate = { scheduleId: dateOf(rejoined.sale, 1), seatIds: seats.slice(0, 3) };
        expect((await client.post('/reservations', rejoined.token, otherDate)).status).toBe(201);
      });

      it('counts neither released nor expired holds', async () => {
        const booking = await startBooking(foyer, { policy: { maxSeatsPerUser: 1, holdSeconds: 2 } });
        const { id } = await holdSeats(foyer.client, booking, 0);
        await release(id, booking.token);
        const { expiresAt } = await holdSeats(foyer.client, booking, 1);
        await untilPast(expiresAt);
        await holdSeats(foyer.client, booking, 2);
      });
    });

    describe('reading', () => {
      it("returns the fan's own reservations, with either credential", async () => {
        const booking = await startBooking(foyer);
        const first = await holdSeats(foyer.client, booking, 0);
        const second = await holdSeats(foyer.client, booking, 1);
        for (const token of [booking.token, booking.fan.accessToken]) {
          const list = expectList(await foyer.client.get('/reservations', token));
          expect(list.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
          for (const reservation of list) expect(reservation).toMatchObject(aReservation);
          expect(await read(first.id, token)).toMatchObject({ status: 200, body: first });
        }
      });

      it('works without a live place', async () => {
        const booking = await startBooking(foyer);
        const held = await holdSeats(foyer.client, booking, 0);
        await leave(foyer.client, booking.token);
        for (const token of [booking.token, booking.fan.accessToken]) {
          expect(await read(held.id, token)).toMatchObject({ status: 200, body: { id: held.id } });
          expect(expectList(await foyer.client.get('/reservations', token))).toHaveLength(1);
        }
      });

      it("returns 404 for another fan's reservation", async () => {
        const booking = await startBooking(foyer);
        const { id } = await holdSeats(foyer.client, booking, 0);
        const stranger = await signUpFan(foyer.client);
        expectProblem(await read(id, stranger.accessToken), 404, 'RESERVATION_NOT_FOUND');
        expectProblem(await read(id, foyer.operator), 404, 'RESERVATION_NOT_FOUND');
        expectProblem(await read(randomUUID(), booking.token), 404, 'RESERVATION_NOT_FOUND');
        expect(expectList(await foyer.client.get('/reservations', stranger.accessToken))).toEqual([]);
      });
    });

    describe('releasing', () => {
      it.each(['queue', 'access'])(
        'cancels a HELD reservation and frees its seats, with the %s token',
        async (kind) => {
          const booking = await startBooking(foyer);
          const token = kind === 'queue' ? booking.token : booking.fan.accessToken;
          const { id } = await holdSeats(foyer.client, booking, 0, 1);
          expect(await release(id, token)).toMatchObject({ status: 204, text: '' });
          expect((await read(id, token)).body).toMatchObject({ status: 'CANCELLED' });
          const other = await enterSale(foyer.client, booking.sale);
          await holdSeats(foyer.client, other, 0, 1);
        },
      );

      it('returns 409 RESERVATION_NOT_HELD for a released, paid or expired reservation', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE, policy: { holdSeconds: 2 } });
        const released = await holdSeats(client, booking, 0);
        await release(released.id, booking.token);
        expectProblem(await release(released.id, booking.token), 409, 'RESERVATION_NOT_HELD');
        const expired = await holdSeats(client, booking, 1);
        await untilPast(expired.expiresAt);
        expectProblem(await release(expired.id, booking.token), 409, 'RESERVATION_NOT_HELD');
        const paid = await holdSeats(client, booking, 2);
        await pay(client, booking.token, paid.id);
        expectProblem(await release(paid.id, booking.token), 409, 'RESERVATION_NOT_HELD');
        expect((await read(paid.id, booking.token)).body).toMatchObject({ status: 'CONFIRMED' });
      });

      it("returns 404 for another fan's reservation, which stays HELD", async () => {
        const booking = await startBooking(foyer);
        const { id } = await holdSeats(foyer.client, booking, 0);
        const other = await enterSale(foyer.client, booking.sale);
        expectProblem(await release(id, other.token), 404, 'RESERVATION_NOT_FOUND');
        expectProblem(await release(randomUUID(), booking.token), 404, 'RESERVATION_NOT_FOUND');
        expect((await read(id, booking.token)).body).toMatchObject({ status: 'HELD' });
      });

      it('keeps the place ACTIVE', async () => {
        const booking = await startBooking(foyer);
        await release((await holdSeats(foyer.client, booking, 0)).id, booking.token);
        await holdSeats(foyer.client, booking, 0);
      });
    });

    it('makes a reservation EXPIRED and its seats AVAILABLE from expiresAt on', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer, { policy: { holdSeconds: 1 } });
      const { id, expiresAt } = await holdSeats(client, booking, 0, 1);
      await untilPast(expiresAt);
      expect((await read(id, booking.token)).body).toMatchObject({ ...aReservation, status: 'EXPIRED' });
      const [listed] = expectList(await client.get('/reservations', booking.token));
      expect(listed).toMatchObject({ id, status: 'EXPIRED' });
      const other = await enterSale(client, booking.sale);
      await holdSeats(client, other, 1, 2);
      expect((await read(id, booking.token)).body, 'one of its seats is held by another fan').toMatchObject({
        status: 'EXPIRED',
      });
    });
  });
}
