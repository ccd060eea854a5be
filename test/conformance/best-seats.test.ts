import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  type Booking,
  enterSale,
  holdSeats,
  patchRoom,
  startBooking,
  untilPast,
} from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { newKey, signUpFan } from '../support/sale.js';
import { aReservation, expectDenied, expectProblem } from '../support/shapes.js';
import { leave } from '../support/steps.js';

const SECTIONS = [
  { name: 'A', rows: 2, seatsPerRow: 10, grade: 'VIP', price: 150_000 },
  { name: 'B', rows: 2, seatsPerRow: 10, grade: 'S', price: 70_000 },
];

for (const database of DATABASES) {
  describe(`the best seats on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const best = (
      { scheduleId, token }: Pick<Booking, 'scheduleId' | 'token'>,
      wish: Readonly<Record<string, unknown>>,
      key?: string,
    ): Promise<Answer> => foyer.client.post('/reservations/best', token, { scheduleId, ...wish }, key);
    const labelsOf = ({ body, text, status }: Answer): string[] => {
      expect(status, text).toBe(201);
      return body.seats.map(({ label }: { label: string }) => label);
    };
    const start = (policy: Readonly<Record<string, unknown>> = {}) =>
      startBooking(foyer, { sections: SECTIONS, policy });

    it('are held like any others, in the middle of the first row', async () => {
      const booking = await start();
      const answer = await best(booking, { count: 2 });
      expect(labelsOf(answer)).toEqual(['A 1-5', 'A 1-6']);
      expect(answer.body).toMatchObject({ ...aReservation, status: 'HELD', amount: 300_000 });
      const again = await foyer.client.get(`/reservations/${answer.body.id as string}`, booking.token);
      expect(again.body).toEqual(answer.body);
    });

    it('go to the next fan beside them, leaving nobody alone', async () => {
      const booking = await start();
      await best(booking, { count: 3 });
      const other = await enterSale(foyer.client, booking.sale);
      expect(labelsOf(await best(other, { count: 3 }))).toHaveLength(3);
      const list = await foyer.client.get(`/schedules/${booking.scheduleId}/seats`, other.token);
      const marks = (list.body.items as { status: string }[]).map(({ status }) =>
        status === 'HELD' ? 'x' : '.',
      );
      expect(marks.slice(0, 10).join('')).not.toMatch(/(^|x)\.(x|$)/);
    });

    it('are of the grade that was asked for', async () => {
      const booking = await start();
      expect(labelsOf(await best(booking, { count: 2, grade: 'S' }))).toEqual(['B 1-5', 'B 1-6']);
      expectProblem(await best(booking, { count: 1, grade: 'R' }), 409, 'NO_SEATS_TOGETHER');
    });

    it('are none when there are not so many together, and nothing is held then', async () => {
      const booking = await start({ maxSeatsPerUser: 20 });
      expectProblem(await best(booking, { count: 11 }), 409, 'NO_SEATS_TOGETHER');
      const other = await enterSale(foyer.client, booking.sale);
      for (let row = 0; row < 4; row += 1) await holdSeats(foyer.client, other, row * 10 + 4);
      expectProblem(await best(booking, { count: 6 }), 409, 'NO_SEATS_TOGETHER');
      expect(labelsOf(await best(booking, { count: 5 }))).toEqual(
        [6, 7, 8, 9, 10].map((seat) => `A 1-${seat}`),
      );
    });

    it('may be those of a hold that has run out', async () => {
      const booking = await start({ holdSeconds: 1 });
      const first = await best(booking, { count: 2 });
      await untilPast(first.body.expiresAt);
      const other = await enterSale(foyer.client, booking.sale);
      expect(labelsOf(await best(other, { count: 2 }))).toEqual(labelsOf(first));
    });

    it('count for the limit of seats per user', async () => {
      const booking = await start({ maxSeatsPerUser: 3 });
      expectProblem(await best(booking, { count: 4 }), 409, 'SEAT_LIMIT_EXCEEDED', { limit: 3 });
      expect((await best(booking, { count: 2 })).status).toBe(201);
      expectProblem(await best(booking, { count: 2 }), 409, 'SEAT_LIMIT_EXCEEDED', { limit: 3 });
      expect((await best(booking, { count: 1 })).status).toBe(201);
    });

    it('are answered again under the same key, byte for byte', async () => {
      const booking = await start();
      const key = newKey();
      const first = await best(booking, { count: 2 }, key);
      const again = await best(booking, { count: 2 }, key);
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expectProblem(await best(booking, { count: 1 }, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    });

    it('use the place up where a reservation does', async () => {
      const booking = await start({ consumeOn: 'RESERVATION' });
      expect((await best(booking, { count: 2 })).status).toBe(201);
      expectDenied(await best(booking, { count: 1 }), 403, 'USED');
    });

    it('are for whoever has been let in, while there is a sale', async () => {
      const booking = await start();
      const { scheduleId, sale } = booking;
      const path = '/reservations/best';
      expectDenied(await foyer.client.post(path, undefined, { scheduleId, count: 1 }), 401, 'MISSING');
      const outsider = await signUpFan(foyer.client);
      expectDenied(await best({ scheduleId, token: outsider.accessToken }, { count: 99 }), 403, 'NOT_ACTIVE');
      expectProblem(
        await best({ ...booking, scheduleId: randomUUID() }, { count: 1 }),
        404,
        'SCHEDULE_NOT_FOUND',
      );
      await foyer.client.call('PATCH', `/operator/concerts/${sale.concertId}`, {
        token: foyer.operator,
        body: { salesCloseAt: '2020-01-01T00:00:00.000Z' },
      });
      expectProblem(await best(booking, { count: 1 }), 409, 'SCHEDULE_CLOSED');
      await patchRoom(foyer.client, foyer.operator, sale, { paused: true });
      await leave(foyer.client, booking.token);
      expectDenied(await best(booking, { count: 1 }), 403, 'LEFT');
    });

    it('are refused for what makes no sense', async () => {
      const booking = await start();
      for (const wish of [
        {},
        { count: 0 },
        { count: -1 },
        { count: 1.5 },
        { count: '2' },
        { count: 101 },
        { count: 2, grade: '' },
        { count: 2, grade: null },
        { count: 2, seatIds: [] },
      ]) {
        expectProblem(await best(booking, wish), 400, 'INVALID_REQUEST');
      }
    });

    it('go to everybody who asks at once, as long as there are any', async () => {
      const booking = await start({ maxActive: null });
      const others = await Promise.all(
        Array.from({ length: 19 }, () => enterSale(foyer.client, booking.sale)),
      );
      const answers = await Promise.all([booking, ...others].map((fan) => best(fan, { count: 2 })));
      expect(new Set(answers.flatMap(labelsOf)).size).toBe(40);
      const late = await enterSale(foyer.client, booking.sale);
      expectProblem(await best(late, { count: 1 }), 409, 'NO_SEATS_TOGETHER');
    });
  });
}
