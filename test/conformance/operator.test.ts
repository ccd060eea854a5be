import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { enterSale, holdSeats, patchRoom, startBooking, untilPast } from '../support/booking.js';
import type { Answer, Method } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { join, joinActive, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import {
  aConcert,
  anId,
  aReceipt,
  aReservation,
  expectDenied,
  expectList,
  expectProblem,
} from '../support/shapes.js';
import { leave, statsOf } from '../support/steps.js';

const SECTION = { name: 'A', rows: 2, seatsPerRow: 3, grade: 'R', price: PRICE };
const STARTS_AT = '2099-11-15T09:00:00.000Z';
const SCHEDULE = { startsAt: STARTS_AT, sections: [SECTION] };
const MINIMAL = { title: 'T', venue: 'V', schedules: [SCHEDULE] };
const MINUTE_MS = 60_000;

for (const database of DATABASES) {
  describe(`the operator API on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const create = (body: unknown): Promise<Answer> =>
      foyer.client.post('/operator/concerts', foyer.operator, body);
    const edit = (concertId: string, body: unknown): Promise<Answer> =>
      foyer.client.call('PATCH', `/operator/concerts/${concertId}`, { token: foyer.operator, body });
    const show = async (concertId: string) => (await foyer.client.get(`/concerts/${concertId}`)).body;
    const csv = (path: string, concertId: string): Promise<Answer> =>
      foyer.client.call('GET', `/operator/concerts/${concertId}/${path}`, {
        token: foyer.operator,
        headers: { accept: 'text/csv' },
      });
    const list = (path: string, concertId: string): Promise<Answer> =>
      foyer.client.get(`/operator/concerts/${concertId}/${path}`, foyer.operator);

    const callsOf = (concertId: string): [Method, path: string, body?: object][] => [
      ['POST', '/operator/concerts', MINIMAL],
      ['GET', '/operator/concert-defaults'],
      ['PATCH', `/operator/concerts/${concertId}`, { title: 'X' }],
      ['PATCH', `/operator/concerts/${concertId}/waiting-room`, { paused: true }],
      ['GET', `/operator/concerts/${concertId}/stats`],
      ['GET', `/operator/concerts/${concertId}/reservations`],
      ['GET', `/operator/concerts/${concertId}/payments`],
    ];

    it('accepts only the access token of an operator', async () => {
      const { client, operator } = foyer;
      const { sale, fan, token } = await startBooking(foyer);
      const operatorQueueToken = await client.post(`/concerts/${sale.concertId}/queue-tokens`, operator);
      for (const [method, path, body] of callsOf(sale.concertId)) {
        for (const credential of [fan.accessToken, token, operatorQueueToken.body.token as string]) {
          expectProblem(await client.call(method, path, { token: credential, body }), 403, 'FORBIDDEN');
        }
        expectDenied(await client.call(method, path, { body }), 401, 'MISSING');
        expectDenied(await client.call(method, path, { body, token: 'nonsense' }), 401, 'INVALID');
        // The role is checked before the rest of the request.
        const invalid = method === 'GET' ? { path: `${path}?limit=0` } : { path, body: { bogus: true } };
        const options = { token: fan.accessToken, body: invalid.body };
        if (!path.endsWith('/stats'))
          expectProblem(await client.call(method, invalid.path, options), 403, 'FORBIDDEN');
      }
      expect(await show(sale.concertId)).toMatchObject({ title: 'A concert' });
    });

    it('returns 404 CONCERT_NOT_FOUND for an unknown concert', async () => {
      for (const [method, path, body] of callsOf(randomUUID()).slice(2)) {
        const answer = await foyer.client.call(method, path, { token: foyer.operator, body });
        expectProblem(answer, 404, 'CONCERT_NOT_FOUND');
      }
    });

    describe('adding a concert', () => {
      it('returns the ids of the concert and its dates and puts them on sale immediately', async () => {
        const answer = await create({ ...MINIMAL, schedules: [SCHEDULE, SCHEDULE] });
        expect(answer.status, answer.text).toBe(201);
        expect(answer.body).toMatchObject({ id: anId, schedules: [{ id: anId }, { id: anId }] });
        expect(await show(answer.body.id)).toMatchObject({
          ...aConcert,
          title: 'T',
          venue: 'V',
          currency: 'KRW',
        });
        const scheduleIds = answer.body.schedules.map(({ id }: { id: string }) => id) as string[];
        const { seats } = await enterSale(foyer.client, { concertId: answer.body.id, scheduleIds });
        expect(seats).toHaveLength(6);
      });

      it('accepts every optional field', async () => {
        const fields = {
          title: '가을밤',
          venue: '큰 홀',
          description: 'Words about it.',
          currency: 'KRW',
          salesOpenAt: '2026-01-01T00:00:00.000Z',
          salesCloseAt: '2099-01-01T00:00:00.000Z',
        };
        const answer = await create({ ...fields, waitingRoom: { maxActive: 5 }, schedules: [SCHEDULE] });
        expect(answer.status, answer.text).toBe(201);
        expect(await show(answer.body.id)).toMatchObject(fields);
        const policyPath = `/operator/concerts/${answer.body.id as string}/waiting-room`;
        const policy = await foyer.client.call('PATCH', policyPath, {
          token: foyer.operator,
          body: { paused: false },
        });
        expect(policy.body).toMatchObject({ maxActive: 5, activeSeconds: 1800 });
      });

      const section = (part: object): object => ({
        ...MINIMAL,
        schedules: [{ ...SCHEDULE, sections: [{ ...SECTION, ...part }] }],
      });
      const { title: _title, ...withoutTitle } = MINIMAL;
      const { venue: _venue, ...withoutVenue } = MINIMAL;
      it.each([
        ['no title', withoutTitle],
        ['an empty title', { ...MINIMAL, title: '' }],
        ['no venue', withoutVenue],
        ['no dates', { ...MINIMAL, schedules: [] }],
        ['a date without seats', { ...MINIMAL, schedules: [{ startsAt: STARTS_AT, sections: [] }] }],
        ['no start time', { ...MINIMAL, schedules: [{ sections: [SECTION] }] }],
        ['a day without a time', { ...MINIMAL, schedules: [{ ...SCHEDULE, startsAt: '2099-11-15' }] }],
        [
          'a time that is not in UTC',
          { ...MINIMAL, schedules: [{ ...SCHEDULE, startsAt: '2099-11-15T09:00:00+09:00' }] },
        ],
        [
          'a day that does not exist',
          { ...MINIMAL, schedules: [{ ...SCHEDULE, startsAt: '2099-02-30T09:00:00.000Z' }] },
        ],
        ['no rows', section({ rows: 0 })],
        ['rows without seats', section({ seatsPerRow: 0 })],
        ['a price below zero', section({ price: -1 })],
        ['no price', section({ price: undefined })],
        ['no grade', section({ grade: undefined })],
        ['an invalid policy', { ...MINIMAL, waitingRoom: { maxActive: -1 } }],
      ])('returns 400 with %s', async (_what, body) => {
        expectProblem(await create(body), 400, 'INVALID_REQUEST');
      });
    });

    describe('changing a concert', () => {
      it('changes only the fields in the request', async () => {
        const { concertId } = await openSale(foyer.client, foyer.operator);
        const steps = [
          { title: '새 제목' },
          { venue: 'Another hall' },
          { description: 'More words.' },
          { salesOpenAt: '2026-01-01T00:00:00.000Z', salesCloseAt: '2099-01-01T00:00:00.000Z' },
          { salesCloseAt: null },
          { salesOpenAt: null },
        ];
        let expected = await show(concertId);
        for (const step of steps) {
          const answer = await edit(concertId, step);
          expect(answer.status, answer.text).toBe(200);
          expected = { ...expected, ...step };
          expect(await show(concertId)).toEqual(expected);
        }
      });

      it('opens and closes the sale through salesOpenAt and salesCloseAt', async () => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator);
        const times = [Date.now() - MINUTE_MS, Date.now() + 60 * MINUTE_MS].map((ms) =>
          new Date(ms).toISOString(),
        );
        const [past, future] = times;
        await edit(sale.concertId, { salesOpenAt: future });
        expectProblem(await join(client, await signUpFan(client), sale), 409, 'SALES_NOT_OPEN');
        await edit(sale.concertId, { salesOpenAt: null, salesCloseAt: past });
        expectProblem(await join(client, await signUpFan(client), sale), 409, 'SALES_CLOSED');
        await edit(sale.concertId, { salesCloseAt: future });
        expect((await join(client, await signUpFan(client), sale)).status).toBe(201);
      });

      it('names the field with the invalid time', async () => {
        const { concertId } = await openSale(foyer.client, foyer.operator);
        const answer = await edit(concertId, { salesOpenAt: '2027-02-30T00:00:00.000Z' });
        expectProblem(answer, 400, 'INVALID_REQUEST');
        expect(answer.body.detail).toContain('salesOpenAt');
        const startsAt = '2027-02-30T00:00:00.000Z';
        const created = await create({ ...MINIMAL, schedules: [SCHEDULE, { ...SCHEDULE, startsAt }] });
        expect(created.body.detail).toContain('schedules/1/startsAt');
      });

      it('returns 400 for invalid values', async () => {
        const { concertId } = await openSale(foyer.client, foyer.operator);
        for (const body of [
          { title: '' },
          { title: null },
          { venue: 5 },
          { salesOpenAt: 'soon' },
          { salesCloseAt: 0 },
        ]) {
          expectProblem(await edit(concertId, body), 400, 'INVALID_REQUEST');
        }
      });
    });

    it('counts every place and seat by its status in the stats', async () => {
      const { client, operator } = foyer;
      const policy = { maxActive: 2, idleSeconds: null };
      const buyer = await startBooking(foyer, { dates: 2, balance: 3 * PRICE, policy });
      const { sale } = buyer;
      const counts = {
        waiting: 0,
        active: 1,
        done: 0,
        expired: 0,
        left: 0,
        seatsTotal: 20,
        seatsHeld: 0,
        seatsSold: 0,
      };
      const first = { ...counts, revenue: 0, admittedLastMinute: 1, joinedLastMinute: 1 };
      expect(await statsOf(client, operator, sale)).toMatchObject(first);

      await pay(client, buyer.token, (await holdSeats(client, buyer, 0, 1, 2)).id);
      const leaver = await enterSale(client, sale);
      await leave(client, leaver.token);
      await patchRoom(client, operator, sale, { activeSeconds: 1 });
      const { expiresAt } = (await join(client, await signUpFan(client), sale)).body;
      await patchRoom(client, operator, sale, { activeSeconds: 60 });
      await untilPast(expiresAt);
      const holder = await enterSale(client, sale);
      await holdSeats(client, holder, 5);
      await joinActive(client, await signUpFan(client), sale);
      await join(client, await signUpFan(client), sale);

      expect(await statsOf(client, operator, sale)).toMatchObject({
        waiting: 1,
        active: 2,
        done: 1,
        expired: 1,
        left: 1,
        seatsTotal: 20,
        seatsHeld: 1,
        seatsSold: 3,
        revenue: 3 * PRICE,
        admittedLastMinute: 5,
        joinedLastMinute: 6,
      });
    });

    describe('the lists of reservations and payments', () => {
      async function sellTwo() {
        const { client } = foyer;
        const first = await startBooking(foyer, { balance: PRICE });
        const receipt = (await pay(client, first.token, (await holdSeats(client, first, 0)).id)).body;
        const second = await enterSale(client, first.sale);
        const held = await holdSeats(client, second, 1, 2);
        return { concertId: first.sale.concertId, receipt, held };
      }

      it('contain the reservations and payments of all fans of this concert', async () => {
        const { concertId, receipt, held } = await sellTwo();
        await sellTwo();
        const reservations = expectList(await list('reservations', concertId));
        for (const reservation of reservations)
          expect(reservation).toMatchObject({ ...aReservation, concertId });
        expect(reservations.map(({ id }) => id).sort()).toEqual([receipt.reservationId, held.id].sort());
        const payments = expectList(await list('payments', concertId));
        expect(payments).toMatchObject([{ ...aReceipt, ...receipt }]);
      });

      it('can be downloaded as CSV', async () => {
        const { concertId, receipt, held } = await sellTwo();
        for (const [path, lines, ids] of [
          ['reservations', 3, [held.id, receipt.reservationId]],
          ['payments', 2, [receipt.id, receipt.number]],
        ] as const) {
          const answer = await csv(path, concertId);
          expect(answer.status).toBe(200);
          expect(answer.headers.get('content-type')).toMatch(/^text\/csv\b/);
          expect(answer.headers.get('content-disposition')).toMatch(/^attachment\b/);
          expect(answer.text.trimEnd().split('\n')).toHaveLength(lines);
          for (const id of ids) expect(answer.text).toContain(id);
        }
      });

      it('quote commas and quotes in CSV and prefix values that a spreadsheet would run as formulas', async () => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator);
        for (const [name, escaped] of [
          ['김, "팬"', '"김, ""팬"""'],
          ['=1+1', "'=1+1"],
        ]) {
          const email = `${randomUUID()}@fans.example`;
          const { body } = await client.post('/users', undefined, { email, password: 'fan-password', name });
          const fan = { id: body.user.id, email, accessToken: body.accessToken };
          const token = await joinActive(client, fan, sale);
          const booking = await enterSale(client, sale);
          await holdSeats(client, { ...booking, fan, token }, name === '=1+1' ? 0 : 1);
          expect((await csv('reservations', sale.concertId)).text).toContain(escaped);
        }
      });

      it('are empty when nothing was sold', async () => {
        const { concertId } = await openSale(foyer.client, foyer.operator);
        expect(expectList(await list('reservations', concertId))).toEqual([]);
        expect(expectList(await list('payments', concertId))).toEqual([]);
        expect(
          (await csv('payments', concertId)).text.trimEnd().split('\n'),
          'only the header line',
        ).toHaveLength(1);
      });
    });
  });
}
