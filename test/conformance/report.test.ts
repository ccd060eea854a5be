import { describe, expect, it } from 'vitest';
import { enterSale, holdSeats, startBooking } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { eventually, join, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { leave } from '../support/steps.js';

const HOUR_MS = 3600 * 1000;
/** The job that writes reports runs every ten seconds. */
const WRITTEN_WITHIN_MS = 40_000;

for (const database of DATABASES) {
  describe(`the report of a sale on ${database.name}`, () => {
    const foyer = useFoyer(database);
    const report = (concertId: string, token = foyer.operator): Promise<Answer> =>
      foyer.client.get(`/operator/concerts/${concertId}/report`, token);
    const closeAt = async (concertId: string, ms: number): Promise<void> => {
      const body = { salesCloseAt: new Date(ms).toISOString() };
      const options = { token: foyer.operator, body };
      const answer = await foyer.client.call('PATCH', `/operator/concerts/${concertId}`, options);
      expect(answer.status).toBe(200);
    };
    const finalReport = (concertId: string, closedAfterMs: number): Promise<Answer> =>
      eventually(
        () => report(concertId),
        ({ body }) => body.isFinal === true && Date.parse(body.closesAt) >= closedAfterMs,
        WRITTEN_WITHIN_MS,
      );

    it('is for operators only', async () => {
      const { concertId } = await openSale(foyer.client, foyer.operator);
      const fan = await signUpFan(foyer.client);
      expectProblem(await report(concertId, fan.accessToken), 403, 'FORBIDDEN');
      expectProblem(await report('unknown'), 404, 'CONCERT_NOT_FOUND');
    });

    it('is preliminary while the sale runs', async () => {
      const { client, operator } = foyer;
      const policy = { maxActive: 2, idleSeconds: null };
      const booking = await startBooking(foyer, { balance: 3 * PRICE, policy });
      const { concertId } = booking.sale;
      const { body: receipt } = await pay(client, booking.token, (await holdSeats(client, booking, 0, 1)).id);
      const holder = await enterSale(client, booking.sale);
      await holdSeats(client, holder, 2);
      const released = await holdSeats(client, holder, 3);
      await client.delete(`/reservations/${released.id}`, holder.token);
      const other = await enterSale(client, booking.sale);
      const { body: leaver } = await join(client, await signUpFan(client), booking.sale);
      await leave(client, leaver.token);

      const { status, body } = await report(concertId);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        concertId,
        isFinal: false,
        queue: { joined: 4, admitted: 3, waiting: 0, active: 2, done: 1, left: 1, expired: 0, peakActive: 2 },
        waits: { admitted: 3 },
        sales: {
          seatsSold: 2,
          payments: 1,
          revenue: 2 * PRICE,
          refunds: 0,
          holdsLive: 1,
          holdsReleased: 1,
          holdsExpired: 0,
          firstPaidAt: receipt.paidAt,
          lastPaidAt: receipt.paidAt,
        },
        dates: [{ scheduleId: booking.scheduleId, seatsSold: 2, revenue: 2 * PRICE }],
      });
      expect(body.waits.medianSeconds).toBeLessThanOrEqual(60);
      expect(body.dates[0].grades[0]).toMatchObject({ seatsSold: 2, revenue: 2 * PRICE });

      await client.post(`/operator/payments/${receipt.id}/refund`, operator);
      expect((await report(concertId)).body.sales).toMatchObject({
        payments: 1,
        revenue: 0,
        refunds: 1,
        refundedAmount: 2 * PRICE,
        // A refunded reservation was paid, not released.
        holdsReleased: 1,
      });
      await leave(client, other.token);
    });

    it(
      'is written once when the sale has ended, and replaced after the next end of a reopened sale',
      { timeout: 120_000 },
      async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: 4 * PRICE });
        const { concertId } = booking.sale;
        const reservation = await holdSeats(client, booking, 0);
        await pay(client, booking.token, reservation.id);
        const firstEndMs = Date.now();
        await closeAt(concertId, firstEndMs);
        const first = await finalReport(concertId, firstEndMs);
        expect(first.body).toMatchObject({
          isFinal: true,
          closesAt: new Date(firstEndMs).toISOString(),
          queue: { joined: 1, admitted: 1, done: 1, waiting: 0, active: 0 },
          sales: { seatsSold: 1, revenue: PRICE },
        });
        // Every process answers the same, stored report.
        for (const url of foyer.urls) {
          const answer = await fetch(`${url}/api/v1/operator/concerts/${concertId}/report`, {
            headers: { authorization: `Bearer ${foyer.operator}` },
          });
          expect(await answer.text()).toBe(first.text);
        }

        await closeAt(concertId, Date.now() + HOUR_MS);
        expect((await report(concertId)).body.isFinal).toBe(false);
        const second = await enterSale(client, booking.sale, 4 * PRICE);
        await pay(client, second.token, (await holdSeats(client, second, 1)).id);
        const secondEndMs = Date.now();
        await closeAt(concertId, secondEndMs);
        const replaced = await finalReport(concertId, secondEndMs);
        expect(replaced.body).toMatchObject({
          queue: { joined: 2, admitted: 2, done: 2 },
          sales: { seatsSold: 2, revenue: 2 * PRICE },
        });
      },
    );
  });
}
