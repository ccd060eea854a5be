import { randomUUID } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Booking, dateOf, enterSale, holdSeats, startBooking, untilPast } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { expectDenied, expectList, expectProblem } from '../support/shapes.js';

const SECTIONS = [
  { name: 'B', rows: 2, seatsPerRow: 3, grade: 'S', price: 70_000 },
  { name: 'VIP', rows: 1, seatsPerRow: 2, grade: 'VIP', price: 150_000 },
];
const STATUSES = ['AVAILABLE', 'HELD', 'SOLD'];
const CACHED_FOR_A_DAY = /^private, max-age=86400, immutable$/;

interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

for (const database of DATABASES) {
  describe(`the seat map on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const get = async (path: string, token: string) => {
      const answer = await foyer.client.get(path, token);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const chartOf = ({ scheduleId, token }: Booking) => get(`/schedules/${scheduleId}/chart`, token);
    const stateOf = ({ scheduleId, token }: Booking) => get(`/schedules/${scheduleId}/state`, token);

    /** Decodes the bitmap as a web page does: two bits per seat. */
    function decodeStatuses(seats: string, count: number): (string | undefined)[] {
      const bytes = Buffer.from(seats, 'base64');
      return Array.from(
        { length: count },
        (_, seat) => STATUSES[(bytes[seat >> 2]! >> ((seat & 3) * 2)) & 3],
      );
    }

    /** Returns the bytes as sent: `fetch` would decompress them. */
    async function getRaw(
      path: string,
      token: string,
      headers: Record<string, string>,
    ): Promise<RawResponse> {
      const { request } = await import('node:http');
      return new Promise((resolve, reject) => {
        const url = `${foyer.url}/api/v1${path}`;
        request(url, { headers: { authorization: `Bearer ${token}`, ...headers } }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const entries = Object.entries(response.headers).map(([name, value]): [string, string] => [
              name,
              String(value),
            ]);
            resolve({
              status: response.statusCode ?? 0,
              headers: new Headers(entries),
              bytes: Buffer.concat(chunks),
            });
          });
        })
          .on('error', reject)
          .end();
      });
    }

    describe('the overview', () => {
      it('returns dates, prices and the state of the sale to anonymous callers', async () => {
        const sale = await openSale(foyer.client, foyer.operator, { dates: 2, sections: SECTIONS });
        const answer = await foyer.client.get(`/concerts/${sale.concertId}/overview`);
        expect(answer.status, answer.text).toBe(200);
        expect(answer.body).toEqual({
          concertId: sale.concertId,
          saleState: 'OPEN',
          soldOut: false,
          dates: sale.scheduleIds.map((id) => ({
            id,
            startsAt: expect.stringMatching(/Z$/),
            seatsTotal: 8,
            soldOut: false,
          })),
          grades: [
            { grade: 'VIP', price: 150_000 },
            { grade: 'S', price: 70_000 },
          ],
          maxSeatsPerUser: 4,
          notice: null,
          serverTime: expect.stringMatching(/Z$/),
        });
        expect(Math.abs(Date.parse(answer.body.serverTime) - Date.now())).toBeLessThan(10_000);
      });

      it('returns BEFORE, CLOSED and soldOut', async () => {
        const overview = async (concertId: string) =>
          (await foyer.client.get(`/concerts/${concertId}/overview`)).body;
        for (const [concert, saleState] of [
          [{ salesOpenAt: '2099-01-01T00:00:00.000Z' }, 'BEFORE'],
          [{ salesCloseAt: '2020-01-01T00:00:00.000Z' }, 'CLOSED'],
        ] as const) {
          const { concertId } = await openSale(foyer.client, foyer.operator, { concert });
          expect(await overview(concertId)).toMatchObject({ saleState, soldOut: false });
        }
        const sections = [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: PRICE }];
        const booking = await startBooking(foyer, { sections, balance: PRICE });
        await pay(foyer.client, booking.token, (await holdSeats(foyer.client, booking, 0)).id);
        const afterSale = await overview(booking.sale.concertId);
        expect(afterSale).toMatchObject({ soldOut: true, dates: [{ soldOut: true }] });
      });

      it('returns 404 CONCERT_NOT_FOUND for an unknown concert', async () => {
        expectProblem(await foyer.client.get(`/concerts/${randomUUID()}/overview`), 404, 'CONCERT_NOT_FOUND');
      });
    });

    describe('the chart', () => {
      it('describes every seat with its position and price, in the order of the seat list', async () => {
        const booking = await startBooking(foyer, { sections: SECTIONS });
        const chart = await chartOf(booking);
        const seats = expectList(
          await foyer.client.get(`/schedules/${booking.scheduleId}/seats`, booking.token),
        );
        expect(chart).toMatchObject({ scheduleId: booking.scheduleId, currency: 'KRW' });
        expect(chart.grades).toEqual([
          { grade: 'VIP', price: 150_000 },
          { grade: 'S', price: 70_000 },
        ]);
        const described = (chart.seats.id as string[]).map((id, index) => ({
          id,
          section: chart.sections[chart.rows[chart.seats.row[index]].section].name,
          row: chart.rows[chart.seats.row[index]].name,
          number: Number(chart.seats.number[index]),
          label: chart.seats.label[index],
          ...chart.grades[chart.seats.grade[index]],
          status: 'AVAILABLE',
        }));
        expect(described).toEqual(seats);
        for (const axis of ['x', 'y']) expect(chart.seats[axis]).toHaveLength(seats.length);
        expect(Math.max(...chart.seats.x)).toBeLessThan(chart.size.width);
        expect(Math.max(...chart.seats.y)).toBeLessThan(chart.size.height);
        const { stage } = chart as { stage: { y: number; height: number } };
        expect(Math.min(...chart.seats.y)).toBeGreaterThan(stage.y + stage.height);
      });

      it('is compressed as Accept-Encoding asks, with the same ETag for every encoding', async () => {
        const { scheduleId, token } = await startBooking(foyer);
        const path = `/schedules/${scheduleId}/chart`;
        const plain = await getRaw(path, token, {});
        expect(plain.headers.get('content-encoding')).toBeNull();
        expect(plain.headers.get('cache-control')).toMatch(CACHED_FOR_A_DAY);
        expect(plain.headers.get('content-type')).toMatch(/^application\/json\b/);
        for (const [accept, encoding, unzip] of [
          ['gzip, deflate, br', 'br', brotliDecompressSync],
          ['br;q=0, gzip', 'gzip', gunzipSync],
          ['deflate, *', 'br', brotliDecompressSync],
          ['identity', null, (bytes: Buffer) => bytes],
        ] as const) {
          const answers = await Promise.all(
            [0, 1].map(() => getRaw(path, token, { 'accept-encoding': accept })),
          );
          for (const { headers, bytes } of answers) {
            expect(headers.get('content-encoding'), accept).toBe(encoding);
            expect(headers.get('vary')).toBe('Accept-Encoding');
            expect(headers.get('etag')).toBe(plain.headers.get('etag'));
            expect(unzip(bytes).equals(plain.bytes)).toBe(true);
          }
        }
      });

      it('returns 304 for a known ETag from every process', async () => {
        const booking = await startBooking(foyer);
        const path = `/schedules/${booking.scheduleId}/chart`;
        const etag = (await getRaw(path, booking.token, {})).headers.get('etag') ?? '';
        for (const ifNoneMatch of [etag, `"another", ${etag}`]) {
          for (let process = 0; process < database.processes; process += 1) {
            const headers = { 'if-none-match': ifNoneMatch };
            const answer = await foyer.client.call('GET', path, { token: booking.token, headers });
            expect([answer.status, answer.text]).toEqual([304, '']);
            expect(answer.headers.get('etag')).toBe(etag);
            expect(answer.headers.get('cache-control')).toMatch(CACHED_FOR_A_DAY);
          }
        }
        const other = await getRaw(path, booking.token, { 'if-none-match': '"another"' });
        expect(other.status).toBe(200);
      });
    });

    describe('the state', () => {
      it('encodes the status of every seat in two bits', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const before = await stateOf(booking);
        expect(decodeStatuses(before.seats, 10)).toEqual(Array.from({ length: 10 }, () => 'AVAILABLE'));
        const { id } = await holdSeats(client, booking, 0);
        await pay(client, booking.token, id);
        const other = await enterSale(client, booking.sale);
        await holdSeats(client, other, 4, 7);
        const held = await holdSeats(client, other, 9);
        for (let process = 0; process < database.processes; process += 1) {
          const seats = expectList(await client.get(`/schedules/${other.scheduleId}/seats`, other.token));
          const state = await stateOf(other);
          expect(state.scheduleId).toBe(other.scheduleId);
          expect(decodeStatuses(state.seats, 10)).toEqual(seats.map(({ status }) => status));
          expect(decodeStatuses(state.seats, 10)[9]).toBe('HELD');
        }
        await client.delete(`/reservations/${held.id}`, other.token);
        expect(decodeStatuses((await stateOf(other)).seats, 10)[9]).toBe('AVAILABLE');
      });

      it('shows a seat as AVAILABLE from the instant its hold expires', async () => {
        const booking = await startBooking(foyer, { policy: { holdSeconds: 1 } });
        const { expiresAt } = await holdSeats(foyer.client, booking, 3);
        expect(decodeStatuses((await stateOf(booking)).seats, 10)[3]).toBe('HELD');
        await untilPast(expiresAt);
        expect(decodeStatuses((await stateOf(booking)).seats, 10)).not.toContain('HELD');
      });

      it('is smaller than 20 kB for 50,000 seats, and gzipped on request', async () => {
        const sections = Array.from({ length: 50 }, (_, index) => ({
          name: `S${index}`,
          rows: 20,
          seatsPerRow: 50,
          grade: 'R',
          price: PRICE,
        }));
        const booking = await startBooking(foyer, { sections });
        await holdSeats(foyer.client, booking, 0, 1, 49_999);
        const path = `/schedules/${booking.scheduleId}/state`;
        const plain = await getRaw(path, booking.token, {});
        expect(plain.bytes.length).toBeLessThan(20_000);
        const { seats } = JSON.parse(plain.bytes.toString());
        expect(
          decodeStatuses(seats, 50_000).flatMap((status, seat) => (status === 'HELD' ? [seat] : [])),
        ).toEqual([0, 1, 49_999]);
        const zipped = await getRaw(path, booking.token, { 'accept-encoding': 'gzip, br' });
        expect(zipped.headers.get('content-encoding')).toBe('gzip');
        expect(zipped.headers.get('vary')).toBe('Accept-Encoding');
        expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true);
        const chart = await getRaw(`/schedules/${booking.scheduleId}/chart`, booking.token, {
          'accept-encoding': 'br',
        });
        expect(chart.bytes.length).toBeLessThan(1_500_000);
      });
    });

    it('needs an ACTIVE place, like the list of seats', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer);
      const elsewhere = await startBooking(foyer);
      const outsider = await signUpFan(client);
      for (const part of ['chart', 'state']) {
        const path = `/schedules/${booking.scheduleId}/${part}`;
        expectDenied(await client.get(path), 401, 'MISSING');
        expectDenied(await client.get(path, 'nonsense'), 401, 'INVALID');
        expectDenied(await client.get(path, outsider.accessToken), 403, 'NOT_ACTIVE');
        expectDenied(await client.get(path, elsewhere.token), 403, 'WRONG_CONCERT');
        expect((await client.get(path, booking.fan.accessToken)).status).toBe(200);
        const unknownPath = `/schedules/${randomUUID()}/${part}`;
        expectProblem(await client.get(unknownPath, booking.token), 404, 'SCHEDULE_NOT_FOUND');
      }
    });

    it('is available to the operator without a place', async () => {
      const { client, operator } = foyer;
      const booking = await startBooking(foyer);
      for (const part of ['chart', 'state']) {
        const path = `/operator/schedules/${booking.scheduleId}/${part}`;
        const operatorView = await get(path, operator);
        const fanView = await get(`/schedules/${booking.scheduleId}/${part}`, booking.token);
        expect({ ...operatorView, version: 0 }).toEqual({ ...fanView, version: 0 });
        expectProblem(await client.get(path, booking.fan.accessToken), 403, 'FORBIDDEN');
        expectDenied(await client.get(path), 401, 'MISSING');
        const unknownPath = `/operator/schedules/${randomUUID()}/${part}`;
        expectProblem(await client.get(unknownPath, operator), 404, 'SCHEDULE_NOT_FOUND');
      }
      expect(dateOf(booking.sale)).toBe(booking.scheduleId);
    });
  });
}
