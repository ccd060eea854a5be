import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { enterSale, holdSeats, patchRoom, startBooking } from '../support/booking.js';
import type { Answer, Method } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { eventually, join, joinActive, openSale, pay, PRICE, type Sale, signUpFan } from '../support/sale.js';
import { aConcert, anId, expectDenied, expectList, expectProblem } from '../support/shapes.js';
import { leave, policyOf, seatsOf } from '../support/steps.js';

const DAY_MS = 24 * 3600 * 1000;
const SECTIONS = [
  { name: 'A', rows: 2, seatsPerRow: 3, grade: 'VIP', price: 3 * PRICE },
  { name: '나', rows: 1, seatsPerRow: 4, grade: 'R', price: PRICE },
];
const addDays = (time: string, days: number): string =>
  new Date(Date.parse(time) + days * DAY_MS).toISOString();

for (const database of DATABASES) {
  describe(`the operator dashboard on ${database.name}`, () => {
    const foyer = useFoyer(database);
    const getOperator = (path: string): Promise<Answer> =>
      foyer.client.get(`/operator${path}`, foyer.operator);
    const duplicate = (concertId: string, body: object = {}): Promise<Answer> =>
      foyer.client.post(`/operator/concerts/${concertId}/duplicate`, foyer.operator, body);
    const edit = (concertId: string, body: object): Promise<Answer> =>
      foyer.client.call('PATCH', `/operator/concerts/${concertId}`, { token: foyer.operator, body });

    const callsOf = (concertId: string): [Method, path: string, body?: object][] => [
      ['GET', '/operator/concerts'],
      ['GET', `/operator/concerts/${concertId}`],
      ['POST', `/operator/concerts/${concertId}/duplicate`, {}],
      ['GET', `/operator/concerts/${concertId}/history`],
      ['GET', `/operator/concerts/${concertId}/audit`],
    ];

    it('is for operators only and returns 404 for unknown concerts', async () => {
      const { client, operator } = foyer;
      const { sale, fan, token } = await startBooking(foyer);
      for (const [method, path, body] of callsOf(sale.concertId)) {
        for (const credential of [fan.accessToken, token])
          expectProblem(await client.call(method, path, { token: credential, body }), 403, 'FORBIDDEN');
        expectDenied(await client.call(method, path, { body }), 401, 'MISSING');
      }
      for (const [method, path, body] of callsOf(randomUUID()).slice(1))
        expectProblem(await client.call(method, path, { token: operator, body }), 404, 'CONCERT_NOT_FOUND');
    });

    describe('reading concerts', () => {
      it('lists every concert with its policy and the number of seats sold', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { dates: 2, balance: 2 * PRICE, policy: { maxActive: 7 } });
        const future = await openSale(client, foyer.operator, {
          concert: { salesOpenAt: addDays(new Date().toISOString(), 1) },
        });
        await pay(client, booking.token, (await holdSeats(client, booking, 0, 1)).id);
        const concerts = expectList(await getOperator('/concerts?limit=200'));
        expect(concerts.find(({ id }) => id === future.concertId)).toMatchObject({
          seatsTotal: 10,
          seatsSold: 0,
        });
        expect(concerts.find(({ id }) => id === booking.sale.concertId)).toMatchObject({
          ...aConcert,
          soldOut: false,
          seatsTotal: 20,
          seatsSold: 2,
          waitingRoom: { maxActive: 7, holdSeconds: 300, paused: false },
        });
      });

      it('pages the list', async () => {
        for (let count = 0; count < 3; count += 1) await openSale(foyer.client, foyer.operator);
        const { body } = await getOperator('/concerts?limit=2');
        expect(body.items).toHaveLength(2);
        const next = await getOperator(`/concerts?limit=1&cursor=${body.nextCursor as string}`);
        expect(body.items.map(({ id }: { id: string }) => id)).not.toContain(next.body.items[0].id);
      });

      it('returns one concert with its dates and sections', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { dates: 2, sections: SECTIONS, balance: 9 * PRICE });
        await pay(client, booking.token, (await holdSeats(client, booking, 0, 1)).id);
        const other = await enterSale(client, booking.sale);
        await holdSeats(client, other, 6);
        const { body } = await getOperator(`/concerts/${booking.sale.concertId}`);
        expect(body).toMatchObject({
          ...aConcert,
          id: booking.sale.concertId,
          waitingRoom: { maxActive: 100 },
        });
        const sections = [
          { name: 'A', grade: 'VIP', price: 3 * PRICE, seats: 6 },
          { name: '나', grade: 'R', price: PRICE, seats: 4 },
        ];
        expect(body.schedules).toMatchObject([
          { id: booking.sale.scheduleIds[0], seatsTotal: 10, seatsRemaining: 7, soldOut: false, sections },
          { id: booking.sale.scheduleIds[1], seatsTotal: 10, seatsRemaining: 10, soldOut: false, sections },
        ]);
      });
    });

    describe('duplicating a concert', () => {
      const saleOf = ({ body }: Answer): Sale => ({
        concertId: body.id,
        scheduleIds: body.schedules.map(({ id }: { id: string }) => id),
      });

      it('copies charts and policy to dates a week later, with every seat AVAILABLE', async () => {
        const { client, operator } = foyer;
        const salesOpenAt = '2026-01-01T00:00:00.000Z';
        const booking = await startBooking(foyer, {
          dates: 2,
          sections: SECTIONS,
          balance: 3 * PRICE,
          policy: { maxActive: 3, admitCount: 5, admitEverySeconds: 9 },
          concert: { title: '가을밤', description: 'Words.', salesOpenAt },
        });
        await pay(client, booking.token, (await holdSeats(client, booking, 0)).id);
        const answer = await duplicate(booking.sale.concertId);
        expect(answer.status, answer.text).toBe(201);
        const original = (await getOperator(`/concerts/${booking.sale.concertId}`)).body;
        const copy = (await getOperator(`/concerts/${answer.body.id as string}`)).body;
        expect(copy).toEqual({
          ...original,
          id: answer.body.id,
          salesOpenAt: addDays(salesOpenAt, 7),
          firstStartsAt: addDays(original.firstStartsAt, 7),
          lastStartsAt: addDays(original.lastStartsAt, 7),
          seatsSold: 0,
          revenue: 0,
          schedules: original.schedules.map((date: { startsAt: string }, index: number) => ({
            ...date,
            id: answer.body.schedules[index].id,
            startsAt: addDays(date.startsAt, 7),
            seatsRemaining: 10,
            seatsSold: 0,
          })),
        });
        expect(answer.body.schedules).toMatchObject([
          { id: anId, seatsTotal: 10, startsAt: copy.schedules[0].startsAt },
          { id: anId, seatsTotal: 10, startsAt: copy.schedules[1].startsAt },
        ]);
        expect(await policyOf(client, operator, saleOf(answer))).toEqual(original.waitingRoom);

        const chart = (seats: Awaited<ReturnType<typeof seatsOf>>) =>
          seats.map(({ id: _, status: __, ...seat }) => seat);
        const guest = await enterSale(client, saleOf(answer), PRICE);
        const copied = await seatsOf(client, guest.token, saleOf(answer));
        const onlooker = await enterSale(client, booking.sale);
        const seats = await seatsOf(client, onlooker.token, booking.sale);
        expect(chart(copied)).toEqual(chart(seats));
        expect(new Set([...copied, ...seats].map(({ id }) => id)).size).toBe(20);
        expect(copied.every(({ status }) => status === 'AVAILABLE')).toBe(true);
        expect((await pay(client, guest.token, (await holdSeats(client, guest, 9)).id)).status).toBe(201);
      });

      it('applies the title, the sale times and the shift of the request', async () => {
        const { concertId } = await openSale(foyer.client, foyer.operator, {
          concert: { salesOpenAt: '2026-01-01T00:00:00.000Z', salesCloseAt: '2099-01-01T00:00:00.000Z' },
        });
        const before = (await getOperator(`/concerts/${concertId}`)).body;
        const overrides = { title: '앙코르', salesOpenAt: null, salesCloseAt: '2098-01-01T00:00:00.000Z' };
        const { body } = await duplicate(concertId, { ...overrides, shiftDays: -1 });
        const copy = (await getOperator(`/concerts/${body.id as string}`)).body;
        expect(copy).toMatchObject(overrides);
        expect(copy.schedules[0].startsAt).toBe(addDays(before.schedules[0].startsAt, -1));
      });

      it('keeps the time of day at the venue across a change to summer time', async () => {
        const sections = SECTIONS;
        const { concertId } = await openSale(foyer.client, foyer.operator, {
          concert: {
            timeZone: 'America/New_York',
            salesOpenAt: '2026-01-05T15:00:00.000Z',
            // 19:00 in New York, on the day before its clocks are set forward.
            schedules: [{ startsAt: '2099-03-08T00:00:00.000Z', sections }],
          },
        });
        const { body } = await duplicate(concertId, { shiftDays: 7 });
        const copy = (await getOperator(`/concerts/${body.id as string}`)).body;
        expect(copy.schedules[0].startsAt).toBe('2099-03-14T23:00:00.000Z');
        expect(copy.salesOpenAt).toBe('2026-01-12T15:00:00.000Z');
      });

      it('creates one copy for the same idempotency key', async () => {
        const { client, operator } = foyer;
        const { concertId } = await openSale(client, operator);
        const path = `/operator/concerts/${concertId}/duplicate`;
        const key = randomUUID();
        const first = await client.post(path, operator, {}, key);
        expect((await client.post(path, operator, {}, key)).text).toBe(first.text);
      });

      it('returns 400 for invalid values', async () => {
        const { concertId } = await openSale(foyer.client, foyer.operator);
        for (const body of [
          { title: '' },
          { shiftDays: 1.5 },
          { shiftDays: 100_000 },
          { salesOpenAt: '2027-01-02T00:00:00.000Z', salesCloseAt: '2027-01-01T00:00:00.000Z' },
          { salesOpenAt: '2027-02-30T00:00:00.000Z' },
          { venue: 'Elsewhere' },
        ])
          expectProblem(await duplicate(concertId, body), 400, 'INVALID_REQUEST');
      });
    });

    describe('the audit log', () => {
      const auditOf = async (concertId: string) =>
        expectList(await getOperator(`/concerts/${concertId}/audit`));
      const byOperator = { id: anId, email: expect.stringContaining('@') as string };

      it('records who changed what, and nothing for unchanged fields', async () => {
        const { client, operator } = foyer;
        const salesOpenAt = '2026-01-01T00:00:00.000Z';
        const booking = await startBooking(foyer, { balance: PRICE, concert: { salesOpenAt } });
        const { sale } = booking;
        const { concertId } = sale;
        await edit(concertId, { title: '새 제목', venue: 'A hall' });
        await edit(concertId, { title: '새 제목' });
        await edit(concertId, { salesOpenAt: null });
        await patchRoom(client, operator, sale, { paused: true, maxActive: 100 });
        await patchRoom(client, operator, sale, { paused: true });
        await patchRoom(client, operator, sale, { paused: false, idleSeconds: null });
        const receipt = (await pay(client, booking.token, (await holdSeats(client, booking, 0)).id)).body;
        for (let times = 0; times < 2; times += 1)
          await client.post(`/operator/payments/${receipt.id as string}/refund`, operator);
        const entries = await auditOf(concertId);
        expect(entries.map(({ action, details }) => [action, details])).toEqual([
          ['PAYMENT_REFUNDED', { paymentId: receipt.id, amount: PRICE }],
          ['POLICY_CHANGED', { paused: { from: true, to: false }, idleSeconds: { from: 300, to: null } }],
          ['POLICY_CHANGED', { paused: { from: false, to: true } }],
          ['CONCERT_EDITED', { salesOpenAt: { from: salesOpenAt, to: null } }],
          ['CONCERT_EDITED', { title: { from: 'A concert', to: '새 제목' } }],
          [
            'CONCERT_CREATED',
            {
              title: { from: null, to: 'A concert' },
              venue: { from: null, to: 'A hall' },
              salesOpenAt: { from: null, to: salesOpenAt },
              dates: { from: null, to: 1 },
              seats: { from: null, to: 10 },
            },
          ],
        ]);
        for (const entry of entries) expect(entry).toMatchObject({ id: anId, actor: byOperator });
      });

      it('records which concert a duplicate was made from', async () => {
        const { concertId } = await openSale(foyer.client, foyer.operator);
        const { body } = await duplicate(concertId, { title: 'Encore' });
        expect(await auditOf(body.id)).toMatchObject([
          {
            action: 'CONCERT_DUPLICATED',
            details: {
              concertId: { from: concertId, to: body.id },
              title: { from: 'A concert', to: 'Encore' },
            },
          },
        ]);
        expect(await auditOf(concertId)).toHaveLength(1);
      });

      it('does not record refused changes, and is paged', async () => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator);
        expectProblem(await edit(sale.concertId, { title: '' }), 400, 'INVALID_REQUEST');
        const incomplete = await patchRoom(client, operator, sale, { admitCount: 5 });
        expectProblem(incomplete, 400, 'INVALID_REQUEST');
        await edit(sale.concertId, { title: 'Two' });
        const { body } = await getOperator(`/concerts/${sale.concertId}/audit?limit=1`);
        expect(body.items).toMatchObject([{ action: 'CONCERT_EDITED' }]);
        const rest = await getOperator(
          `/concerts/${sale.concertId}/audit?cursor=${body.nextCursor as string}`,
        );
        expect(rest.body).toMatchObject({ items: [{ action: 'CONCERT_CREATED' }], nextCursor: null });
      });
    });

    it(
      'counts every join and admission once in the history, in the period in which it happened',
      { timeout: 60_000 },
      async () => {
        const { client, operator } = foyer;
        const policy = { maxActive: 2, idleSeconds: null };
        const booking = await startBooking(foyer, { balance: 2 * PRICE, policy });
        const { sale } = booking;
        const historyOf = async (): Promise<Record<string, number>[]> => {
          const { body } = await getOperator(`/concerts/${sale.concertId}/history`);
          expect(body.everySeconds).toBe(10);
          return body.items;
        };
        const sumOf = (items: readonly Record<string, number>[], field: string): number =>
          items.reduce((sum, item) => sum + (item[field] ?? 0), 0);
        await pay(client, booking.token, (await holdSeats(client, booking, 0, 1)).id);
        await joinActive(client, await signUpFan(client), sale);
        const holder = await enterSale(client, sale);
        await holdSeats(client, holder, 2);
        const { body: leaver } = await join(client, await signUpFan(client), sale);
        await join(client, await signUpFan(client), sale);
        await leave(client, leaver.token);

        const items = await eventually(historyOf, (seen) => sumOf(seen, 'joined') === 5, 25_000);
        expect(items.at(-1)).toMatchObject({
          waiting: 1,
          active: 2,
          seatsHeld: 1,
          seatsSold: 2,
          revenue: 2 * PRICE,
        });
        expect(sumOf(items, 'admitted')).toBe(3);
        await patchRoom(client, operator, sale, { maxActive: 9 });
        await join(client, await signUpFan(client), sale);
        const more = await eventually(historyOf, (seen) => sumOf(seen, 'joined') === 6, 25_000);
        expect(sumOf(more, 'admitted')).toBe(5);
        expect(more.at(-1)).toMatchObject({ joined: 1, admitted: 2, waiting: 0, active: 4 });
        const times = more.map(({ at }) => Date.parse(String(at)));
        expect(times.every((ms) => ms % 10_000 === 0)).toBe(true);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
      },
    );
  });
}
