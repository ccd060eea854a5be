import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { enterSale, holdSeats, patchRoom, poll, startBooking, untilPast } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { forgeAccess } from '../support/forge.js';
import { useOwnFoyer } from '../support/foyer.js';
import {
  eventually,
  type Fan,
  join,
  joinActive,
  openSale,
  pay,
  PRICE,
  type Sale,
  signUpFan,
  signUpFans,
} from '../support/sale.js';
import { aQueueToken, expectDenied, expectProblem } from '../support/shapes.js';
import { leave } from '../support/steps.js';

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const HOUR_MS = 3_600_000;

for (const database of DATABASES) {
  describe(`the waiting room on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);

    /** Joins one fan after another, so that their order is known; returns their queue tokens. */
    async function joinInOrder(sale: Sale, fans: readonly Fan[]): Promise<string[]> {
      const tokens: string[] = [];
      for (const fan of fans) {
        const answer = await join(foyer.client, fan, sale);
        expect(answer.status, answer.text).toBe(201);
        tokens.push(answer.body.token);
      }
      return tokens;
    }

    const ranksOf = (tokens: readonly string[]): Promise<number[]> =>
      Promise.all(tokens.map(async (token) => (await poll(foyer.client, token)).body.rank as number));

    async function openPausedQueue(size: number): Promise<{ sale: Sale; fans: Fan[]; tokens: string[] }> {
      const sale = await openSale(foyer.client, foyer.operator, { policy: { paused: true } });
      const fans = await signUpFans(foyer.client, size);
      return { sale, fans, tokens: await joinInOrder(sale, fans) };
    }

    describe('joining', () => {
      it('returns an ACTIVE place while slots are free', async () => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator, { policy: { activeSeconds: 60 } });
        const answer = await join(client, await signUpFan(client), sale);
        expect(answer.status).toBe(201);
        expect(answer.body).toMatchObject(aQueueToken);
        const { concertId, activatedAt, expiresAt } = answer.body;
        expect(answer.body).toMatchObject({ status: 'ACTIVE', rank: 0 });
        expect(concertId).toBe(sale.concertId);
        expect(Date.parse(expiresAt) - Date.parse(activatedAt)).toBe(60_000);
      });

      it('returns a WAITING place when no slot is free', async () => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator, { policy: { maxActive: 1 } });
        await joinActive(client, await signUpFan(client), sale);
        const answer = await join(client, await signUpFan(client), sale);
        expect(answer.status).toBe(201);
        expect(answer.body).toMatchObject(aQueueToken);
        expect(answer.body).toMatchObject({
          status: 'WAITING',
          rank: 1,
          ahead: 0,
          activatedAt: null,
          expiresAt: null,
        });
      });

      it.each([{ paused: true }, { paused: false }])(
        'returns the existing place when the fan joins again (%j)',
        async (policy) => {
          const { client, operator } = foyer;
          const sale = await openSale(client, operator, { policy });
          const fan = await signUpFan(client);
          const first = await join(client, fan, sale);
          await join(client, await signUpFan(client), sale);
          const again = await join(client, fan, sale);
          expect(first.status).toBe(201);
          expect(again.status).toBe(200);
          const { token, status, rank, joinedAt } = first.body;
          expect(again.body).toMatchObject({ ...aQueueToken, token, status, rank, joinedAt });
        },
      );

      it('is possible for several concerts', async () => {
        const { client, operator } = foyer;
        const fan = await signUpFan(client);
        for (const sale of [await openSale(client, operator), await openSale(client, operator)]) {
          expect((await join(client, fan, sale)).status).toBe(201);
        }
      });

      it('returns 404 CONCERT_NOT_FOUND for an unknown concert', async () => {
        const fan = await signUpFan(foyer.client);
        const answer = await foyer.client.post(`/concerts/${randomUUID()}/queue-tokens`, fan.accessToken);
        expectProblem(answer, 404, 'CONCERT_NOT_FOUND');
      });

      it('returns 404 USER_NOT_FOUND for an unknown account', async () => {
        const sale = await openSale(foyer.client, foyer.operator);
        const answer = await foyer.client.post(
          `/concerts/${sale.concertId}/queue-tokens`,
          forgeAccess(randomUUID()),
        );
        expectProblem(answer, 404, 'USER_NOT_FOUND');
      });

      it('returns 409 SALES_NOT_OPEN before the sale opens', async () => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator, { concert: { salesOpenAt: inMs(HOUR_MS) } });
        expectProblem(await join(client, await signUpFan(client), sale), 409, 'SALES_NOT_OPEN');
      });

      it('is possible from the instant the sale opens', async () => {
        const { client, operator } = foyer;
        const salesOpenAt = inMs(500);
        const sale = await openSale(client, operator, { concert: { salesOpenAt } });
        const fan = await signUpFan(client);
        await untilPast(salesOpenAt);
        expect((await join(client, fan, sale)).status).toBe(201);
      });

      it('returns 409 SALES_CLOSED from the instant the sale closes, and keeps ACTIVE places', async () => {
        const { client, operator } = foyer;
        const [early, late] = await signUpFans(client, 2);
        const sale = await openSale(client, operator, { concert: { salesOpenAt: inMs(-HOUR_MS) } });
        const token = await joinActive(client, early!, sale);
        const body = { salesCloseAt: inMs(300) };
        await client.call('PATCH', `/operator/concerts/${sale.concertId}`, { token: operator, body });
        await untilPast(body.salesCloseAt);
        expectProblem(await join(client, late!, sale), 409, 'SALES_CLOSED');
        expect(await join(client, early!, sale)).toMatchObject({ status: 200, body: { token } });
      });

      it('returns 409 SALES_CLOSED once the last date has begun', async () => {
        const { client, operator } = foyer;
        const [first, second] = await signUpFans(client, 2);
        const sections = [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: 1 }];
        const startsAt = [inMs(-HOUR_MS), inMs(1500)];
        const schedules = startsAt.map((time) => ({ startsAt: time, sections }));
        const sale = await openSale(client, operator, { concert: { schedules } });
        expect((await join(client, first!, sale)).status).toBe(201);
        await untilPast(startsAt[1]!);
        expectProblem(await join(client, second!, sale), 409, 'SALES_CLOSED');
        const overview = await client.get(`/concerts/${sale.concertId}/overview`);
        expect(overview.body).toMatchObject({ saleState: 'CLOSED' });
      });
    });

    describe('the rank', () => {
      it('is exactly 1 + the number of WAITING places that joined earlier', async () => {
        const { tokens } = await openPausedQueue(5);
        expect(await ranksOf(tokens)).toEqual([1, 2, 3, 4, 5]);
        for (const [index, token] of tokens.entries()) {
          expect((await poll(foyer.client, token)).body).toMatchObject({
            ...aQueueToken,
            rank: index + 1,
            ahead: index,
          });
        }
      });

      it('falls for fans behind a fan who leaves, and for no other fan', async () => {
        const { tokens } = await openPausedQueue(5);
        const [first = '', second = '', third = '', fourth = '', fifth = ''] = tokens;
        await leave(foyer.client, third);
        expect(await ranksOf([first, second, fourth, fifth])).toEqual([1, 2, 3, 4]);
        await leave(foyer.client, first);
        expect(await ranksOf([second, fourth, fifth])).toEqual([1, 2, 3]);
      });

      it('falls as fans are admitted in the order in which they joined', async () => {
        const { client, operator } = foyer;
        const { sale, tokens } = await openPausedQueue(5);
        for (const [maxActive, ranks] of [
          [1, [0, 1, 2, 3, 4]],
          [3, [0, 0, 0, 1, 2]],
          [5, [0, 0, 0, 0, 0]],
        ] as const) {
          await patchRoom(client, operator, sale, { paused: false, maxActive });
          // A poll waits for an admission for a moment only.
          await eventually(
            () => ranksOf(tokens),
            (found) => isDeepStrictEqual(found, ranks),
          );
        }
      });

      it('is the same from the fast path and from the route', async () => {
        const { tokens } = await openPausedQueue(2);
        const pollAt = async (path: string) => {
          const { status, headers, body } = await foyer.client.get(path, tokens[1]);
          const { pollAfterMs: _, ...fields } = body as Record<string, unknown>;
          const shown = [...headers].filter(([name]) => !['date', 'content-length'].includes(name));
          return { status, said: fields, shown: shown.sort() };
        };
        // Only the exact path takes the fast path; a trailing "?" goes through the route.
        expect(await pollAt('/queue-tokens/me')).toEqual(await pollAt('/queue-tokens/me?'));
      });

      it('never grows when other fans join, leave or join again', async () => {
        const { client } = foyer;
        const { sale, fans, tokens } = await openPausedQueue(4);
        const last = tokens[3] ?? '';
        let before = 4;
        const newcomer = await signUpFan(client);
        const events = [
          () => join(client, newcomer, sale),
          () => leave(client, tokens[0] ?? ''),
          () => join(client, fans[0]!, sale),
          () => leave(client, tokens[2] ?? ''),
          () => join(client, fans[2]!, sale),
        ];
        for (const event of events) {
          await event();
          const [rank = 0] = await ranksOf([last]);
          expect(rank).toBeLessThanOrEqual(before);
          before = rank;
        }
        expect(before).toBe(2);
      });
    });

    describe('a place', () => {
      it('is DONE after a payment', async () => {
        const booking = await startBooking(foyer, { balance: PRICE });
        const { id } = await holdSeats(foyer.client, booking, 0);
        await pay(foyer.client, booking.token, id);
        const { status, body } = await poll(foyer.client, booking.token);
        expect(status).toBe(200);
        expect(body).toMatchObject({ ...aQueueToken, status: 'DONE', rank: 0, token: booking.token });
      });

      it('is EXPIRED from the instant its lifetime ends', async () => {
        const { token } = await startBooking(foyer, { policy: { activeSeconds: 2 } });
        const { expiresAt } = (await poll(foyer.client, token)).body;
        await untilPast(expiresAt);
        const { status, body } = await poll(foyer.client, token);
        expect(status).toBe(200);
        expect(body).toMatchObject({ ...aQueueToken, status: 'EXPIRED', rank: 0, token });
      });

      it.each(['DONE', 'EXPIRED', 'LEFT'])(
        'that is %s can be followed by a new place at the end of the queue',
        async (end) => {
          const { client, operator } = foyer;
          const policy = { activeSeconds: end === 'EXPIRED' ? 2 : 60 };
          const booking = await startBooking(foyer, { policy, balance: PRICE });
          if (end === 'DONE') await pay(client, booking.token, (await holdSeats(client, booking, 0)).id);
          else if (end === 'EXPIRED') await untilPast((await poll(client, booking.token)).body.expiresAt);
          else await leave(client, booking.token);
          await patchRoom(client, operator, booking.sale, { paused: true });
          await joinInOrder(booking.sale, await signUpFans(client, 2));

          const again = await join(client, booking.fan, booking.sale);
          expect(again).toMatchObject({ status: 201, body: { status: 'WAITING', rank: 3 } });
          expect(again.body.token).not.toBe(booking.token);
        },
      );

      it('that has ended keeps its status after a restart of the server', async () => {
        const { client } = foyer;
        const done = await startBooking(foyer, { balance: PRICE });
        await pay(client, done.token, (await holdSeats(client, done, 0)).id);
        const expired = await startBooking(foyer, { policy: { activeSeconds: 2 } });
        await untilPast((await poll(client, expired.token)).body.expiresAt);
        const left = await startBooking(foyer);
        await leave(client, left.token);
        const { tokens } = await openPausedQueue(3);
        await leave(client, tokens[1] ?? '');

        expect(new Set(await foyer.stop())).toEqual(new Set([0]));
        await foyer.restart();
        expect(await poll(foyer.client, done.token)).toMatchObject({ status: 200, body: { status: 'DONE' } });
        expect(await poll(foyer.client, expired.token)).toMatchObject({
          status: 200,
          body: { status: 'EXPIRED' },
        });
        expectDenied(await poll(foyer.client, left.token), 403, 'LEFT');
        expectDenied(await poll(foyer.client, tokens[1] ?? ''), 403, 'LEFT');
        expect(await ranksOf([tokens[0] ?? '', tokens[2] ?? ''])).toEqual([1, 2]);
      });
    });

    describe('leaving', () => {
      it.each([{ paused: true }, { paused: false }])('ends the place permanently (%j)', async (policy) => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator, { policy });
        const { token } = (await join(client, await signUpFan(client), sale)).body;
        const gone = await leave(client, token);
        expect(gone).toMatchObject({ status: 204, text: '' });
        expectDenied(await poll(client, token), 403, 'LEFT');
        expectDenied(await client.get('/queue-tokens/me/events', token), 403, 'LEFT');
        expect((await leave(client, token)).status, 'again').toBe(204);
      });

      it('frees the slot of an ACTIVE place immediately', async () => {
        const { client } = foyer;
        const first = await startBooking(foyer, { policy: { maxActive: 1 } });
        const { token: second } = (await join(client, await signUpFan(client), first.sale)).body;
        expect((await poll(client, second)).body.status).toBe('WAITING');
        await leave(client, first.token);
        expect((await poll(client, second)).body).toMatchObject({ status: 'ACTIVE', rank: 0 });
      });

      it('gives the free slot to the next fan who joins', async () => {
        const first = await startBooking(foyer, { policy: { maxActive: 1 } });
        await leave(foyer.client, first.token);
        await enterSale(foyer.client, first.sale);
      });
    });
  });
}
