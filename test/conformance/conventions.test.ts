import { describe, expect, it } from 'vitest';
import { type Booking, holdSeats, startBooking } from '../support/booking.js';
import type { Answer, CallOptions, Method } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { joinActive, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { anId, expectList, expectProblem } from '../support/shapes.js';

const SECTION = { name: 'A', rows: 1, seatsPerRow: 2, grade: 'R', price: PRICE };
const STARTS_AT = '2099-11-15T09:00:00.000Z';
const CONCERT = { title: 'T', venue: 'V', schedules: [{ startsAt: STARTS_AT, sections: [SECTION] }] };
const BODY_MAX_BYTES = 64 * 1024;
/** JSON text that a lenient server would coerce to an integer, or that is no safe integer. */
const NOT_AN_INTEGER = ['"100"', 'true', '[100]', '1.5', '1e400', '9007199254740992', '{}', 'null', '""'];

for (const database of DATABASES) {
  describe(`the API conventions on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);
    const call = (method: Method, path: string, options?: CallOptions): Promise<Answer> =>
      foyer.client.call(method, path, options);
    const root = (path: string): Promise<Response> => fetch(`${foyer.url}${path}`);

    it('serves the API under /api/v1 only', async () => {
      expect((await call('GET', '/concerts')).status).toBe(200);
      expect((await root('/concerts')).status).toBe(404);
    });

    it('returns JSON', async () => {
      expect((await call('GET', '/concerts')).headers.get('content-type')).toMatch(/^application\/json\b/);
    });

    it('uses unique ids that are not plain numbers', async () => {
      const booking = await startBooking(foyer);
      const ids = [booking.fan.id, booking.sale.concertId, booking.scheduleId, ...booking.seats];
      for (const id of ids) {
        expect(id).toEqual(anId);
        expect(id).not.toMatch(/^\d+$/);
      }
      expect(new Set(ids).size).toBe(ids.length);
    });

    describe('lists', () => {
      /** Reads all pages of a list, `limit` items per page. */
      async function readPages(path: string, token: string | undefined, limit: number): Promise<unknown[]> {
        const items: unknown[] = [];
        let cursor: string | null = '';
        for (let pages = 0; cursor !== null; pages += 1) {
          expect(pages).toBeLessThan(100);
          const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
          const answer = await foyer.client.get(`${path}?limit=${limit}${from}`, token);
          const page = expectList(answer);
          expect(page.length).toBeLessThanOrEqual(limit);
          items.push(...page);
          cursor = answer.body.nextCursor as string | null;
        }
        return items;
      }

      async function makeThreePayments(): Promise<Booking> {
        const booking = await startBooking(foyer, { dates: 3, balance: 3 * PRICE });
        let current = booking;
        for (const position of [0, 1, 2]) {
          const { id } = await holdSeats(foyer.client, current, position);
          expect((await pay(foyer.client, current.token, id)).status).toBe(201);
          current = { ...booking, token: await joinActive(foyer.client, booking.fan, booking.sale) };
        }
        return current;
      }

      it('return every item exactly once when paged with any limit', async () => {
        const { fan, sale, scheduleId } = await makeThreePayments();
        const token = fan.accessToken;
        const operatorList = `/operator/concerts/${sale.concertId}`;
        const lists: [path: string, token: string | undefined, atLeast: number][] = [
          ['/concerts', undefined, 2],
          [`/concerts/${sale.concertId}/schedules`, token, 3],
          [`/schedules/${scheduleId}/seats`, token, 10],
          ['/reservations', token, 3],
          ['/wallet/entries', token, 4],
          ['/payments', token, 3],
          [`${operatorList}/reservations`, foyer.operator, 3],
          [`${operatorList}/payments`, foyer.operator, 3],
        ];
        for (const [path, credential, atLeast] of lists) {
          const all = expectList(await foyer.client.get(path, credential));
          expect(all.length, path).toBeGreaterThanOrEqual(atLeast);
          for (const limit of [1, 2, 100])
            expect(await readPages(path, credential, limit), path).toEqual(all);
        }
      });

      it('return a null cursor on the last page', async () => {
        const fan = await signUpFan(foyer.client);
        const answer = await foyer.client.get('/reservations', fan.accessToken);
        expect(answer).toMatchObject({ status: 200, body: { items: [], nextCursor: null } });
      });

      it.each([
        'limit=0',
        'limit=201',
        'limit=1000',
        'limit=99999',
        'limit=-1',
        'limit=1.5',
        'limit=x',
        'limit=',
        'cursor=',
        'cursor=x',
        'cursor=%00',
        'cursor=e30',
        // [-5, U+0000]: PostgreSQL could not read it.
        'cursor=Wy01LCJcdTAwMDAiXQ',
      ])('return 400 for ?%s', async (query) => {
        expectProblem(await call('GET', `/concerts?${query}`), 400, 'INVALID_REQUEST');
      });
    });

    describe('request validation', () => {
      it.each(['A\u0007B', 'A\tB', 'A\u0085B', 'A\ud800B', 'A\u2028B', ' '])(
        'returns 400 for a title with a control character, half a character or nothing: %j',
        async (title) => {
          const answer = await foyer.client.post('/operator/concerts', foyer.operator, { ...CONCERT, title });
          expectProblem(answer, 400, 'INVALID_REQUEST');
        },
      );

      it('returns 400 for an unknown field in any request body or nested object', async () => {
        const { fan, sale, scheduleId, seats } = await startBooking(foyer);
        const { operator } = foyer;
        const roomWithExtra = { ...CONCERT, waitingRoom: { maxActive: 1, extra: 1 } };
        const dateWithExtra = { ...CONCERT, schedules: [{ ...CONCERT.schedules[0], extra: 1 }] };
        const sectionWithExtra = {
          ...CONCERT,
          schedules: [{ startsAt: STARTS_AT, sections: [{ ...SECTION, extra: 1 }] }],
        };
        const calls: [Method, path: string, token: string | undefined, body: object][] = [
          [
            'POST',
            '/users',
            undefined,
            { email: 'extra@fans.example', password: 'fan-password', name: 'F', extra: 1 },
          ],
          [
            'POST',
            '/users',
            undefined,
            { email: 'x@fans.example', password: 'fan-password', name: 'F', role: 'OPERATOR' },
          ],
          ['POST', '/sessions', undefined, { email: fan.email, password: 'fan-password', extra: 1 }],
          ['POST', `/concerts/${sale.concertId}/queue-tokens`, fan.accessToken, { extra: 1 }],
          ['POST', '/reservations', fan.accessToken, { scheduleId, seatIds: [seats[0]], extra: 1 }],
          ['POST', '/wallet/charges', fan.accessToken, { amount: 1, extra: 1 }],
          ['POST', '/payments', fan.accessToken, { reservationId: scheduleId, extra: 1 }],
          ['POST', '/operator/concerts', operator, { ...CONCERT, extra: 1 }],
          ['POST', '/operator/concerts', operator, roomWithExtra],
          ['POST', '/operator/concerts', operator, dateWithExtra],
          ['POST', '/operator/concerts', operator, sectionWithExtra],
          ['PATCH', `/operator/concerts/${sale.concertId}`, operator, { extra: 1 }],
          ['PATCH', `/operator/concerts/${sale.concertId}/waiting-room`, operator, { extra: 1 }],
        ];
        for (const [method, path, token, body] of calls) {
          expectProblem(await call(method, path, { token, body }), 400, 'INVALID_REQUEST');
        }
        expect((await foyer.client.get('/wallet', fan.accessToken)).body.balance).toBe(0);
      });

      it.each(NOT_AN_INTEGER)('rejects %s as an amount', async (amount) => {
        const fan = await signUpFan(foyer.client);
        const answer = await call('POST', '/wallet/charges', {
          token: fan.accessToken,
          raw: `{"amount":${amount}}`,
        });
        expectProblem(answer, 400, 'INVALID_REQUEST');
        expect((await foyer.client.get('/wallet', fan.accessToken)).body.balance).toBe(0);
      });

      it.each(NOT_AN_INTEGER)('rejects %s as a number of rows, a price or a period', async (number) => {
        const { operator: token, client } = foyer;
        const sale = await openSale(client, token);
        for (const field of ['rows', 'seatsPerRow', 'price']) {
          const raw = JSON.stringify(CONCERT).replace(new RegExp(`"${field}":\\d+`), `"${field}":${number}`);
          expectProblem(await call('POST', '/operator/concerts', { token, raw }), 400, 'INVALID_REQUEST');
        }
        for (const field of ['activeSeconds', 'holdSeconds', 'maxSeatsPerUser']) {
          const path = `/operator/concerts/${sale.concertId}/waiting-room`;
          expectProblem(
            await call('PATCH', path, { token, raw: `{"${field}":${number}}` }),
            400,
            'INVALID_REQUEST',
          );
        }
      });

      it.each(['5', 'true', 'null', '["fan-password"]', '{}'])('rejects %s as a string', async (text) => {
        const { operator: token, client } = foyer;
        const fan = await signUpFan(client);
        const bodies: [path: string, token: string | undefined, raw: string][] = [
          ['/users', undefined, `{"email":"no@fans.example","password":${text},"name":"F"}`],
          ['/users', undefined, `{"email":"no@fans.example","password":"fan-password","name":${text}}`],
          ['/users', undefined, `{"email":${text},"password":"fan-password","name":"F"}`],
          ['/sessions', undefined, `{"email":"${fan.email}","password":${text}}`],
          ['/reservations', fan.accessToken, `{"scheduleId":${text},"seatIds":["a"]}`],
          ['/reservations', fan.accessToken, `{"scheduleId":"a","seatIds":[${text}]}`],
          [
            '/reservations',
            fan.accessToken,
            `{"scheduleId":"a","seatIds":${text === '["fan-password"]' ? '"a"' : text}}`,
          ],
          ['/payments', fan.accessToken, `{"reservationId":${text}}`],
          ['/operator/concerts', token, JSON.stringify(CONCERT).replace('"T"', text)],
          ['/operator/concerts', token, JSON.stringify(CONCERT).replace(`"${STARTS_AT}"`, text)],
        ];
        for (const [path, credential, raw] of bodies) {
          expectProblem(await call('POST', path, { token: credential, raw }), 400, 'INVALID_REQUEST');
        }
      });

      it.each(['"true"', '1', 'null', '[true]'])('rejects %s as a boolean', async (paused) => {
        const sale = await openSale(foyer.client, foyer.operator);
        const path = `/operator/concerts/${sale.concertId}/waiting-room`;
        const answer = await call('PATCH', path, { token: foyer.operator, raw: `{"paused":${paused}}` });
        expectProblem(answer, 400, 'INVALID_REQUEST');
      });

      it.each(['', '{', '[]', '"x"', 'null', '{"amount":1}{}', '{"amount":1,"__proto__":{}}'])(
        'returns 400 for the body %j',
        async (raw) => {
          const fan = await signUpFan(foyer.client);
          const answer = await call('POST', '/wallet/charges', { token: fan.accessToken, raw });
          expectProblem(answer, 400, 'INVALID_REQUEST');
        },
      );
    });

    it('rejects the character U+0000 and accepts the text that only spells it', async () => {
      const account = (name: string) => ({
        email: `${crypto.randomUUID()}@fans.example`,
        password: 'fan-password',
        name,
      });
      const { client } = foyer;
      expectProblem(await client.post('/users', undefined, account('a\0b')), 400, 'INVALID_REQUEST');
      const accepted = await client.post('/users', undefined, account('a\\u0000b'));
      expect(accepted).toMatchObject({ status: 201, body: { user: { name: 'a\\u0000b' } } });
    });

    describe('the body size limit', () => {
      const padded = (bytes: number): string => '{"amount":1}'.padEnd(bytes, ' ');

      it('accepts a body of 64 KiB and returns 413 for one byte more', async () => {
        const { accessToken: token } = await signUpFan(foyer.client);
        const largest = await call('POST', '/wallet/charges', { token, raw: padded(BODY_MAX_BYTES) });
        expect(largest.status, largest.text).toBe(201);
        const larger = await call('POST', '/wallet/charges', { token, raw: padded(BODY_MAX_BYTES + 1) });
        expectProblem(larger, 413, 'PAYLOAD_TOO_LARGE');
        expect((await foyer.client.get('/wallet', token)).body.balance).toBe(1);
      });

      it("accepts a larger body for an operator's seat chart", async () => {
        const sections = Array.from({ length: 400 }, (_, index) => ({
          ...SECTION,
          name: `${index}`.padEnd(50, '-'),
        }));
        const schedules = [1, 2].map(() => ({ startsAt: STARTS_AT, sections }));
        const body = { ...CONCERT, schedules };
        expect(JSON.stringify(body).length).toBeGreaterThan(BODY_MAX_BYTES);
        const answer = await call('POST', '/operator/concerts', { token: foyer.operator, body });
        expect(answer.status, answer.text).toBe(201);
      });
    });

    describe('errors', () => {
      it('are problem documents, also when no route was reached', async () => {
        const token = foyer.operator;
        expectProblem(await call('GET', '/nowhere'), 404, 'NOT_FOUND');
        expectProblem(await call('PUT', '/concerts'), 405, 'METHOD_NOT_ALLOWED');
        const form = {
          raw: 'amount=1',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          token,
        };
        expectProblem(await call('POST', '/wallet/charges', form), 415, 'UNSUPPORTED_MEDIA_TYPE');
        expectProblem(await call('GET', '/concerts/%E0%A4%A'), 400, 'INVALID_REQUEST');
      });

      it.each(["'; DROP TABLE users; --", '%00', '../../etc/passwd', 'x'.repeat(2000), '\u{1F3AB}'])(
        'reveal no internals when the concert %j is requested',
        async (id) => {
          const answer = await call('GET', `/concerts/${encodeURIComponent(id)}`);
          expect([400, 404]).toContain(answer.status);
          expectProblem(
            answer,
            answer.status,
            answer.status === 400 ? 'INVALID_REQUEST' : 'CONCERT_NOT_FOUND',
          );
        },
      );
    });
  });
}
