import { describe, expect, it } from 'vitest';
import { dateOf, enterSale, holdSeats } from '../support/booking.js';
import { createClient } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useOwnFoyer } from '../support/foyer.js';
import { openSale, pay, PRICE } from '../support/sale.js';

for (const database of DATABASES) {
  describe(`seats in memory on ${database.name}`, () => {
    const foyer = useOwnFoyer(database);
    /** Always the same process: the metrics are its own. */
    const client = () => createClient(foyer.url);
    const loadedDates = async (): Promise<number> => {
      const metrics = await (await fetch(`${foyer.url}/metrics`)).text();
      return Number(/^foyer_seat_inventories (\d+)$/m.exec(metrics)?.[1]);
    };

    it('are loaded only for the seats of a date, not for overviews, dates and counts', async () => {
      const sale = await openSale(client(), foyer.operator, { dates: 2 });
      const { concertId } = sale;
      const overview = (await client().get(`/concerts/${concertId}/overview`)).body;
      expect(overview).toMatchObject({
        soldOut: false,
        dates: [{ seatsTotal: 10 }, { seatsTotal: 10 }],
        grades: [{ grade: 'R', price: PRICE }],
      });
      for (const path of ['', `/${concertId}`, `/${concertId}/stats`, `/${concertId}/history`]) {
        const answer = await client().get(`/operator/concerts${path}`, foyer.operator);
        expect(answer.status, answer.text).toBe(200);
      }
      expect(await loadedDates()).toBe(0);

      const booking = await enterSale(client(), sale, PRICE);
      expect(await loadedDates()).toBe(1);
      const { id } = await holdSeats(client(), booking, 0);
      await pay(client(), booking.token, id);
      const other = await enterSale(foyer.client, sale);
      const dates = await client().get(`/concerts/${concertId}/schedules`, other.token);
      expect(dates.body.items).toMatchObject([{ seatsRemaining: 9 }, { seatsRemaining: 10 }]);
      expect(await loadedDates(), 'the second date is counted, not loaded').toBe(1);
      await client().get(`/schedules/${dateOf(sale, 1)}/state`, other.token);
      expect(await loadedDates()).toBe(2);
    });
  });
}
