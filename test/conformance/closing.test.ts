import { describe, expect, it, onTestFinished } from 'vitest';
import { enterSale, holdSeats, patchRoom, poll, untilPast } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { type EventStream, openEvents } from '../support/events.js';
import { useOwnFoyer } from '../support/foyer.js';
import {
  eventually,
  type Fan,
  join,
  openSale,
  pay,
  PRICE,
  type Sale,
  type SaleOptions,
  signUpFan,
  signUpFans,
} from '../support/sale.js';
import { aQueueToken, expectDenied, expectProblem } from '../support/shapes.js';
import { bookingSteps, expectEachDenied, leave, statsOf } from '../support/steps.js';

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const HOUR_MS = 3_600_000;
/** Long enough to prepare a sale before it closes. */
const SOON_MS = 5000;
const ONE_SEAT = [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: PRICE }];
const TWO_SEATS = [{ name: 'A', rows: 1, seatsPerRow: 2, grade: 'R', price: PRICE }];
const CLOSED = { ...aQueueToken, status: 'CLOSED', rank: 0, ahead: 0, estimatedWaitSeconds: null };

for (const database of DATABASES) {
  describe(`the end of a sale on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);

    const edit = async ({ concertId }: Sale, body: object): Promise<Answer> => {
      const answer = await foyer.client.call('PATCH', `/operator/concerts/${concertId}`, {
        token: foyer.operator,
        body,
      });
      expect(answer.status, answer.text).toBe(200);
      return answer;
    };
    const endSale = (sale: Sale): Promise<Answer> => edit(sale, { salesCloseAt: inMs(0) });
    const reopen = (sale: Sale): Promise<Answer> => edit(sale, { salesCloseAt: null });

    async function joinInOrder(sale: Sale, fans: readonly Fan[]): Promise<string[]> {
      const tokens: string[] = [];
      for (const fan of fans) {
        const answer = await join(foyer.client, fan, sale);
        expect(answer.status, answer.text).toBe(201);
        tokens.push(answer.body.token);
      }
      return tokens;
    }

    /** A sale in which the first fan is ACTIVE and the others wait. */
    async function openQueue(waiting: number, options: SaleOptions = {}) {
      const sale = await openSale(foyer.client, foyer.operator, { policy: { maxActive: 1 }, ...options });
      const fans = await signUpFans(foyer.client, waiting + 1);
      const [active = '', ...tokens] = await joinInOrder(sale, fans);
      return { sale, fans, active, tokens };
    }

    async function listen(token: string): Promise<EventStream> {
      const stream = await openEvents(foyer.url, '/queue-tokens/me/events', token);
      onTestFinished(() => {
        stream.close();
      });
      return stream;
    }

    const statusesOf = (tokens: readonly string[]): Promise<string[]> =>
      Promise.all(tokens.map(async (token) => (await poll(foyer.client, token)).body.status as string));

    describe('by time', () => {
      it('ends every WAITING place from that instant and keeps ACTIVE ones', async () => {
        const { client, operator } = foyer;
        const salesCloseAt = inMs(SOON_MS);
        const { sale, active, tokens } = await openQueue(2, { concert: { salesCloseAt } });
        expect(await statusesOf(tokens)).toEqual(['WAITING', 'WAITING']);
        await untilPast(salesCloseAt);
        for (const token of tokens) {
          const { status, body } = await poll(client, token);
          expect({ status, body }).toMatchObject({ status: 200, body: { ...CLOSED, token } });
          expect(body).toMatchObject({ activatedAt: null, expiresAt: null });
          expect(body.pollAfterMs).toBeGreaterThan(30_000);
        }
        expect((await poll(client, active)).body.status).toBe('ACTIVE');
        expect(await statsOf(client, operator, sale)).toMatchObject({ waiting: 0, active: 1, closed: 2 });
      });

      it('ends WAITING places when the last date begins', async () => {
        const startsAt = inMs(SOON_MS);
        const schedules = [{ startsAt, sections: ONE_SEAT }];
        const { tokens } = await openQueue(1, { concert: { schedules } });
        await untilPast(startsAt);
        expect(await statusesOf(tokens)).toEqual(['CLOSED']);
      });

      it('sends the event closed, also as the first event of a new stream', async () => {
        const salesCloseAt = inMs(SOON_MS);
        const { tokens } = await openQueue(1, { concert: { salesCloseAt } });
        const [token = ''] = tokens;
        const stream = await listen(token);
        expect((await stream.next('position')).data).toMatchObject({ status: 'WAITING', rank: 1 });
        expect((await stream.next('closed')).data).toMatchObject({ ...CLOSED, token });
        expect(Date.parse(salesCloseAt)).toBeLessThanOrEqual(Date.now());
        expect((await (await listen(token)).next('closed')).data).toMatchObject({ ...CLOSED, token });
      });
    });

    describe('by the operator', () => {
      it('ends WAITING places, refuses joins and denies booking calls with reason CLOSED', async () => {
        const { client } = foyer;
        const { sale, fans, tokens } = await openQueue(2);
        const stream = await listen(tokens[1]!);
        await endSale(sale);
        expect(await statusesOf(tokens)).toEqual(['CLOSED', 'CLOSED']);
        expect((await stream.next('closed')).data).toMatchObject(CLOSED);
        expectProblem(await join(client, fans[1]!, sale), 409, 'SALES_CLOSED');
        expectProblem(await join(client, await signUpFan(client), sale), 409, 'SALES_CLOSED');
        const steps = bookingSteps(client, sale, { seatId: 'x'.repeat(22), reservationId: 'x'.repeat(22) });
        const { dates, seats } = steps;
        await expectEachDenied({ dates, seats }, tokens[0], 'CLOSED');
        await expectEachDenied({ dates, seats }, fans[1]!.accessToken, 'CLOSED');
      });

      it('keeps a CLOSED place closed after it is left, and a place that left stays left', async () => {
        const { client } = foyer;
        const { sale, tokens } = await openQueue(2);
        await leave(client, tokens[0]!);
        await endSale(sale);
        expect((await leave(client, tokens[1]!)).status).toBe(204);
        expect(await statusesOf([tokens[1]!])).toEqual(['CLOSED']);
        expectDenied(await poll(client, tokens[0]!), 403, 'LEFT');
      });

      it('stores the end of the places and keeps it over a restart', async () => {
        const { client, operator } = foyer;
        const { sale, tokens } = await openQueue(3);
        await leave(client, tokens[0]!);
        await endSale(sale);
        await eventually(
          () => statsOf(client, operator, sale),
          ({ closed }) => closed === 2,
        );
        await foyer.stop();
        await foyer.restart();
        expect(await statusesOf(tokens.slice(1))).toEqual(['CLOSED', 'CLOSED']);
        expectDenied(await poll(foyer.client, tokens[0]!), 403, 'LEFT');
        expect(await statsOf(foyer.client, foyer.operator, sale)).toMatchObject({
          waiting: 0,
          closed: 2,
          left: 1,
        });
      });
    });

    describe('that is reopened', () => {
      it('lets fans join again at the back and never admits the places that were closed', async () => {
        const { client, operator } = foyer;
        const { sale, fans, tokens } = await openQueue(2);
        await endSale(sale);
        await reopen(sale);
        expect(await statusesOf(tokens)).toEqual(['CLOSED', 'CLOSED']);
        const again = await join(client, fans[2]!, sale);
        expect(again).toMatchObject({ status: 201, body: { status: 'WAITING', rank: 1, ahead: 0 } });
        const behind = await join(client, fans[1]!, sale);
        expect(behind).toMatchObject({ status: 201, body: { status: 'WAITING', rank: 2, ahead: 1 } });
        await patchRoom(client, operator, sale, { maxActive: 2 });
        expect((await poll(client, again.body.token)).body.status).toBe('ACTIVE');
        expect((await poll(client, behind.body.token)).body).toMatchObject({ status: 'WAITING', rank: 1 });
        expect(await statusesOf(tokens)).toEqual(['CLOSED', 'CLOSED']);
        expect(await statsOf(client, operator, sale)).toMatchObject({ waiting: 1, active: 2, closed: 2 });
      });

      it('keeps places ended that waited when salesCloseAt passed, even if nothing had noted it yet', async () => {
        const salesCloseAt = inMs(SOON_MS);
        const { sale, tokens } = await openQueue(1, { concert: { salesCloseAt } });
        await untilPast(salesCloseAt);
        await edit(sale, { salesCloseAt: inMs(HOUR_MS) });
        expect(await statusesOf(tokens)).toEqual(['CLOSED']);
      });

      it('keeps everybody waiting when the closing is moved before it has passed', async () => {
        const salesCloseAt = inMs(SOON_MS);
        const { sale, tokens } = await openQueue(1, { concert: { salesCloseAt } });
        await edit(sale, { salesCloseAt: inMs(HOUR_MS) });
        await untilPast(salesCloseAt);
        expect(await statusesOf(tokens)).toEqual(['WAITING']);
      });
    });

    describe('because it is sold out', () => {
      /** Sells both seats of a sale in which others wait, and returns the payment of the last one. */
      async function sellOut(policy: object = {}) {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator, {
          policy: { maxActive: 1, ...policy },
          sections: TWO_SEATS,
        });
        const buyer = await enterSale(client, sale, 2 * PRICE);
        const fans = await signUpFans(client, 2);
        const tokens = await joinInOrder(sale, fans);
        const { id } = await holdSeats(client, buyer, 0, 1);
        expect(await statusesOf(tokens)).toEqual(['WAITING', 'WAITING']);
        const paid = await pay(client, buyer.token, id);
        expect(paid.status, paid.text).toBe(201);
        return { sale, buyer, fans, tokens, paymentId: paid.body.id as string };
      }
      const untilClosed = (tokens: readonly string[]) =>
        eventually(
          () => statusesOf(tokens),
          (statuses) => statuses.every((status) => status === 'CLOSED'),
        );

      it('ends WAITING places and refuses joins with SOLD_OUT until a seat is free again', async () => {
        const { client, operator } = foyer;
        const { sale, fans, tokens, paymentId } = await sellOut();
        // The slot of the buyer is free now, but there is nothing left to buy.
        await untilClosed(tokens);
        expectProblem(await join(client, await signUpFan(client), sale), 409, 'SOLD_OUT');
        const refund = await client.post(`/operator/payments/${paymentId}/refund`, operator);
        expect(refund.status, refund.text).toBe(201);
        const again = await join(client, fans[1]!, sale);
        expect(again.status, again.text).toBe(201);
        expect((await poll(client, tokens[1]!)).body.status).toBe('CLOSED');
      });

      it('closes while a seat is held only once it is sold', async () => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator, { policy: { maxActive: 1 }, sections: ONE_SEAT });
        const buyer = await enterSale(client, sale, PRICE);
        const [token = ''] = await joinInOrder(sale, await signUpFans(client, 1));
        const { id } = await holdSeats(client, buyer, 0);
        expect((await poll(client, token)).body.status).toBe('WAITING');
        expect((await join(client, await signUpFan(client), sale)).status).toBe(201);
        await pay(client, buyer.token, id);
        expectProblem(
          await eventually(
            async () => join(client, await signUpFan(client), sale),
            ({ status }) => status === 409,
          ),
          409,
          'SOLD_OUT',
        );
      });

      it('keeps everybody waiting and lets fans join with closeWhenSoldOut false, until it is set', async () => {
        const { client, operator } = foyer;
        const { sale, tokens } = await sellOut({ closeWhenSoldOut: false });
        await patchRoom(client, operator, sale, { paused: true });
        const late = await join(client, await signUpFan(client), sale);
        expect(late.status).toBe(201);
        const waiting = [tokens[1]!, late.body.token as string];
        expect(await statusesOf(waiting)).toEqual(['WAITING', 'WAITING']);
        await patchRoom(client, operator, sale, { closeWhenSoldOut: true });
        await untilClosed(waiting);
        expectProblem(await join(client, await signUpFan(client), sale), 409, 'SOLD_OUT');
      });

      it('looks only at dates that have not begun', async () => {
        const { client, operator } = foyer;
        const startsAt = inMs(SOON_MS);
        const schedules = [
          { startsAt, sections: ONE_SEAT },
          { startsAt: inMs(30 * 24 * HOUR_MS), sections: ONE_SEAT },
        ];
        const sale = await openSale(client, operator, { policy: { maxActive: 2 }, concert: { schedules } });
        const fan = await signUpFan(client, PRICE);
        const [token = '', , waiting = ''] = await joinInOrder(sale, [fan, ...(await signUpFans(client, 2))]);
        const seats = await client.get(`/schedules/${sale.scheduleIds[1]!}/seats`, token);
        const held = await client.post('/reservations', token, {
          scheduleId: sale.scheduleIds[1],
          seatIds: [seats.body.items[0].id],
        });
        await patchRoom(client, operator, sale, { paused: true });
        expect((await pay(client, token, held.body.id)).status).toBe(201);
        expect((await poll(client, waiting)).body.status).toBe('WAITING');
        await untilPast(startsAt);
        await untilClosed([waiting]);
      });
    });

    it('counts closed places in the metrics', async () => {
      const { sale, tokens } = await openQueue(2);
      await endSale(sale);
      expect(await statusesOf(tokens)).toEqual(['CLOSED', 'CLOSED']);
      const totals = await eventually(
        () =>
          Promise.all(
            foyer.urls.map(async (url) => {
              const text = await (await fetch(`${url}/metrics`)).text();
              return Number(/^foyer_queue_places_ended_total\{reason="closed"\} (\d+)/m.exec(text)?.[1] ?? 0);
            }),
          ),
        (counts) => counts.reduce((sum, count) => sum + count, 0) >= 2,
      );
      expect(totals.length).toBe(foyer.urls.length);
    });
  });
}
