import { describe, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { hold, joinActive, openSale, pay, PRICE, seatIds, signUpFan } from '../support/sale.js';

for (const database of DATABASES) {
  describe(`a booking on ${database.name}`, () => {
    const foyer = useFoyer(database);

    it('works from joining to the receipt', async () => {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator);
      const fan = await signUpFan(client, 3 * PRICE);
      const token = await joinActive(client, fan, sale);
      const [first = '', second = ''] = await seatIds(client, token, sale);

      const reservation = await hold(client, token, sale, [first, second]);
      expect(reservation.status, reservation.text).toBe(201);
      expect(reservation.body).toMatchObject({ status: 'HELD', amount: 2 * PRICE, currency: 'KRW' });

      const receipt = await pay(client, token, reservation.body.id);
      expect(receipt.status, receipt.text).toBe(201);
      expect(receipt.body).toMatchObject({ reservationId: reservation.body.id, balanceAfter: PRICE });

      const again = await pay(client, token, reservation.body.id);
      expect(again).toMatchObject({ status: 200, body: receipt.body });
      const used = await hold(client, token, sale, [first]);
      expect(used).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED', reason: 'USED' } });
    });
  });
}
