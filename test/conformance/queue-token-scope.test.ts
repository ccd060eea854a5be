import { describe, expect, it } from 'vitest';
import { enterSale, holdSeats, startBooking } from '../support/booking.js';
import { DATABASES } from '../support/databases.js';
import { readToken, resign, secondsFromNow } from '../support/forge.js';
import { useFoyer } from '../support/foyer.js';
import { joinActive, openSale, pay, PRICE } from '../support/sale.js';
import { expectDenied, expectList } from '../support/shapes.js';

/** A last date of the concert plus two hours. */
const GRACE_SECONDS = 2 * 3600;

for (const database of DATABASES) {
  describe(`a queue token on ${database.name}`, () => {
    const foyer = useFoyer(database);

    /** A fan with a held and a paid reservation in one concert, and an ACTIVE place in another. */
    async function bookInOneOfTwo() {
      const { client, operator } = foyer;
      const here = await startBooking(foyer, { balance: 4 * PRICE, policy: { consumeOn: 'RESERVATION' } });
      const held = await holdSeats(client, here, 0);
      const there = await openSale(client, operator);
      const otherToken = await joinActive(client, here.fan, there);
      return { here, held, otherToken, accessToken: here.fan.accessToken };
    }

    it('expires two hours after the last date of its concert', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { dates: 3 });
      const { token, fan } = await enterSale(client, sale);
      const dates = await client.get(`/concerts/${sale.concertId}/schedules`, fan.accessToken);
      const last = Math.max(
        ...dates.body.items.map(({ startsAt }: { startsAt: string }) => Date.parse(startsAt)),
      );
      expect(readToken(token).claims['exp']).toBe(Math.floor(last / 1000) + GRACE_SECONDS);
      expect((await client.get('/queue-tokens/me', token)).status).toBe(200);
      const expired = resign(token, { claims: { exp: secondsFromNow(-1) } });
      for (const path of [
        '/queue-tokens/me',
        '/queue-tokens/me/events',
        '/reservations',
        '/payments',
        '/wallet',
      ])
        expectDenied(await client.get(path, expired), 403, 'EXPIRED');
      expectDenied(await client.delete('/queue-tokens/me', expired), 403, 'EXPIRED');
      expectDenied(await pay(client, expired, 'any'), 403, 'EXPIRED');
    });

    it('does not identify the account', async () => {
      const { token } = await startBooking(foyer);
      expectDenied(await foyer.client.get('/users/me', token), 401, 'INVALID');
    });

    it('lists the reservations and receipts of its concert only', async () => {
      const { client } = foyer;
      const { here, held, otherToken, accessToken } = await bookInOneOfTwo();
      expect((await pay(client, accessToken, held.id)).status).toBe(201);
      for (const path of ['/reservations', '/payments']) {
        expect(expectList(await client.get(path, here.token))).toHaveLength(1);
        expect(expectList(await client.get(path, accessToken))).toHaveLength(1);
        expect(expectList(await client.get(path, otherToken))).toEqual([]);
      }
    });

    it('reads, releases and pays nothing of another concert', async () => {
      const { client } = foyer;
      const { here, held, otherToken, accessToken } = await bookInOneOfTwo();
      const reservation = `/reservations/${held.id}`;
      expectDenied(await client.get(reservation, otherToken), 403, 'WRONG_CONCERT');
      expectDenied(await client.delete(reservation, otherToken), 403, 'WRONG_CONCERT');
      expectDenied(await pay(client, otherToken, held.id), 403, 'WRONG_CONCERT');
      expect((await client.get(reservation, here.token)).body.status).toBe('HELD');
      const { body: receipt } = await pay(client, here.token, held.id);
      expectDenied(await client.get(`/payments/${receipt.id}`, otherToken), 403, 'WRONG_CONCERT');
      expectDenied(await pay(client, otherToken, held.id), 403, 'WRONG_CONCERT');
      expect((await client.get(`/payments/${receipt.id}`, here.token)).body).toEqual(receipt);
      expect((await client.get(`/payments/${receipt.id}`, accessToken)).body).toEqual(receipt);
    });
  });
}
