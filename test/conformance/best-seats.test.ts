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
  describe(`holding the best seats on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const holdBest = (
      { scheduleId, token }: Pick<Booking, 'scheduleId' | 'token'>,
      request: Readonly<Record<string, unknown>>,
      key?: string,
    ): Promise<Answer> => foyer.client.post('/reservations/best', token, { scheduleId, ...request }, key);
    const labelsOf = ({ body, text, status }: Answer): string[] => {
      expect(status, text).toBe(201);
      return body.seats.map(({ label }: { label: string }) => label);
    };
    const start = (policy: Readonly<Record<string, unknown>> = {}) =>
      startBooking(foyer, { sections: SECTIONS, policy });

    it('holds seats in the middle of the first row as an ordinary reservation', async () => {
      const booking = await start();
      const answer = await holdBest(booking, { count: 2 });
      expect(labelsOf(answer)).toEqual(['A 1-5', 'A 1-6']);
      expect(answer.body).toMatchObject({ ...aReservation, status: 'HELD', amount: 300_000 });
      const again = await foyer.client.get(`/reservations/${answer.body.id as string}`, booking.token);
      expect(again.body).toEqual(answer.body);
    });

    it('prefers the dearest grade to seats that are nearer to the stage', async () => {
      const [vip, s] = SECTIONS;
      const booking = await startBooking(foyer, { sections: [s!, vip!] });
      expect(labelsOf(await holdBest(booking, { count: 2 }))).toEqual(['A 1-5', 'A 1-6']);
      expect(labelsOf(await holdBest(booking, { count: 2, grade: 'S' }))).toEqual(['B 1-5', 'B 1-6']);
    });

    it('leaves no single free seat in the first row after two fans have held three seats each', async () => {
      const booking = await start();
      await holdBest(booking, { count: 3 });
      const other = await enterSale(foyer.client, booking.sale);
      expect(labelsOf(await holdBest(other, { count: 3 }))).toHaveLength(3);
      const list = await foyer.client.get(`/schedules/${booking.scheduleId}/seats`, other.token);
      const marks = (list.body.items as { status: string }[]).map(({ status }) =>
        status === 'HELD' ? 'x' : '.',
      );
      expect(marks.slice(0, 10).join('')).not.toMatch(/(^|x)\.(x|$)/);
    });

    it('holds seats of the requested grade only', async () => {
      const booking = await start();
      expect(labelsOf(await holdBest(booking, { count: 2, grade: 'S' }))).toEqual(['B 1-5', 'B 1-6']);
      expectProblem(await holdBest(booking, { count: 1, grade: 'R' }), 409, 'NO_SEATS_TOGETHER');
    });

    it('returns 409 NO_SEATS_TOGETHER and holds nothing when no row has enough adjacent seats', async () => {
      const booking = await start({ maxSeatsPerUser: 20 });
      expectProblem(await holdBest(booking, { count: 11 }), 409, 'NO_SEATS_TOGETHER');
      const other = await enterSale(foyer.client, booking.sale);
      for (let row = 0; row < 4; row += 1) await holdSeats(foyer.client, other, row * 10 + 4);
      expectProblem(await holdBest(booking, { count: 6 }), 409, 'NO_SEATS_TOGETHER');
      expect(labelsOf(await holdBest(booking, { count: 5 }))).toEqual(
        [6, 7, 8, 9, 10].map((seat) => `A 1-${seat}`),
      );
    });

    it('can hold the seats of an expired hold', async () => {
      const booking = await start({ holdSeconds: 1 });
      const first = await holdBest(booking, { count: 2 });
      await untilPast(first.body.expiresAt);
      const other = await enterSale(foyer.client, booking.sale);
      expect(labelsOf(await holdBest(other, { count: 2 }))).toEqual(labelsOf(first));
    });

    it('counts the seats towards maxSeatsPerUser', async () => {
      const booking = await start({ maxSeatsPerUser: 3 });
      expectProblem(await holdBest(booking, { count: 4 }), 409, 'SEAT_LIMIT_EXCEEDED', { limit: 3 });
      expect((await holdBest(booking, { count: 2 })).status).toBe(201);
      expectProblem(await holdBest(booking, { count: 2 }), 409, 'SEAT_LIMIT_EXCEEDED', { limit: 3 });
      expect((await holdBest(booking, { count: 1 })).status).toBe(201);
    });

    it('replays the response byte for byte for the same idempotency key', async () => {
      const booking = await start();
      const key = newKey();
      const first = await holdBest(booking, { count: 2 }, key);
      const again = await holdBest(booking, { count: 2 }, key);
      expect([again.status, again.text]).toEqual([201, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expectProblem(await holdBest(booking, { count: 1 }, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    });

    it('consumes the place when consumeOn is RESERVATION', async () => {
      const booking = await start({ consumeOn: 'RESERVATION' });
      expect((await holdBest(booking, { count: 2 })).status).toBe(201);
      expectDenied(await holdBest(booking, { count: 1 }), 403, 'USED');
    });

    it('needs an ACTIVE place, an existing date and an open sale', async () => {
      const booking = await start();
      const { scheduleId, sale } = booking;
      const path = '/reservations/best';
      expectDenied(await foyer.client.post(path, undefined, { scheduleId, count: 1 }), 401, 'MISSING');
      const outsider = await signUpFan(foyer.client);
      expectDenied(
        await holdBest({ scheduleId, token: outsider.accessToken }, { count: 99 }),
        403,
        'NOT_ACTIVE',
      );
      expectProblem(
        await holdBest({ ...booking, scheduleId: randomUUID() }, { count: 1 }),
        404,
        'SCHEDULE_NOT_FOUND',
      );
      await foyer.client.call('PATCH', `/operator/concerts/${sale.concertId}`, {
        token: foyer.operator,
        body: { salesCloseAt: '2020-01-01T00:00:00.000Z' },
      });
      expectProblem(await holdBest(booking, { count: 1 }), 409, 'SCHEDULE_CLOSED');
      await patchRoom(foyer.client, foyer.operator, sale, { paused: true });
      await leave(foyer.client, booking.token);
      expectDenied(await holdBest(booking, { count: 1 }), 403, 'LEFT');
    });

    it('returns 400 for an invalid request', async () => {
      const booking = await start();
      for (const request of [
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
        expectProblem(await holdBest(booking, request), 400, 'INVALID_REQUEST');
      }
    });

    it('gives concurrent requests different seats until all seats are held', async () => {
      const booking = await start({ maxActive: null });
      const others = await Promise.all(
        Array.from({ length: 19 }, () => enterSale(foyer.client, booking.sale)),
      );
      const answers = await Promise.all([booking, ...others].map((fan) => holdBest(fan, { count: 2 })));
      expect(new Set(answers.flatMap(labelsOf)).size).toBe(40);
      const late = await enterSale(foyer.client, booking.sale);
      expectProblem(await holdBest(late, { count: 1 }), 409, 'NO_SEATS_TOGETHER');
    });
  });
}
