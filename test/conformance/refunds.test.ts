import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Booking, enterSale, holdSeats, seatsAt, startBooking } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { hold, newKey, pay, PRICE, type Section, signUpFan } from '../support/sale.js';
import { aReceipt, expectDenied, expectList, expectProblem } from '../support/shapes.js';
import { balanceOf, charge, seatStates, statsOf } from '../support/steps.js';

const BALANCE_MAX = 1_000_000_000_000;
const PAIR: readonly Section[] = [{ name: 'A', rows: 1, seatsPerRow: 2, grade: 'R', price: PRICE }];

for (const database of DATABASES) {
  describe(`refunds on ${database.name}`, () => {
    const foyer = useFoyer(database);

    const refund = (
      paymentId: string,
      token: string | undefined = foyer.operator,
      key?: string,
    ): Promise<Answer> => foyer.client.post(`/operator/payments/${paymentId}/refund`, token, undefined, key);

    /** Sells both seats of a hall of two to one fan. */
    async function sellOut(): Promise<Booking & { readonly receipt: Answer['body'] }> {
      const booking = await startBooking(foyer, {
        sections: PAIR,
        balance: 5 * PRICE,
        policy: { maxSeatsPerUser: 2, closeWhenSoldOut: false },
      });
      const { id } = await holdSeats(foyer.client, booking, 0, 1);
      const { status, text, body } = await pay(foyer.client, booking.token, id);
      expect(status, text).toBe(201);
      return { ...booking, receipt: body };
    }

    it('return the money and the seats, cancel the reservation and mark the receipt', async () => {
      const { client, operator } = foyer;
      const { sale, fan, receipt } = await sellOut();
      const concert = `/concerts/${sale.concertId}`;
      expect((await client.get(concert)).body.soldOut).toBe(true);
      const { status, body } = await refund(receipt.id);
      expect(status).toBe(201);
      expect(body).toEqual({
        paymentId: receipt.id,
        reservationId: receipt.reservationId,
        amount: 2 * PRICE,
        currency: 'KRW',
        refundedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      });

      expect(await balanceOf(client, fan.accessToken)).toBe(5 * PRICE);
      const [entry] = expectList(await client.get('/wallet/entries', fan.accessToken));
      expect(entry).toMatchObject({
        type: 'REFUND',
        amount: 2 * PRICE,
        balanceAfter: 5 * PRICE,
        reference: receipt.id,
      });
      const reservation = await client.get(`/reservations/${receipt.reservationId}`, fan.accessToken);
      expect(reservation.body.status).toBe('CANCELLED');
      const marked = await client.get(`/payments/${receipt.id}`, fan.accessToken);
      expect(marked.body).toEqual({ ...receipt, refundedAt: body.refundedAt });
      expect((await client.get(concert)).body.soldOut).toBe(false);
      expect(await statsOf(client, operator, sale)).toMatchObject({ seatsSold: 0, seatsHeld: 0, revenue: 0 });

      const next = await enterSale(client, sale, 2 * PRICE);
      expect(await seatStates(client, next.token, sale)).toEqual(['AVAILABLE', 'AVAILABLE']);
      const again = await pay(client, next.token, (await holdSeats(client, next, 0, 1)).id);
      expect(again.status).toBe(201);
      expect(await statsOf(client, operator, sale)).toMatchObject({ seatsSold: 2, revenue: 2 * PRICE });
      expect((await client.get(concert)).body.soldOut).toBe(true);
    });

    it('let the fan hold up to maxSeatsPerUser seats again', async () => {
      const { client } = foyer;
      const { sale, fan, receipt } = await sellOut();
      const other = { ...(await enterSale(client, sale)), fan };
      const { body } = await client.post(`/concerts/${sale.concertId}/queue-tokens`, fan.accessToken);
      expectProblem(await hold(client, body.token, sale, seatsAt(other, 0)), 409, 'ALREADY_RESERVED_SEAT');
      await refund(receipt.id);
      expect((await hold(client, body.token, sale, seatsAt(other, 0, 1))).status).toBe(201);
    });

    it('happen once: a second refund returns the same response with 200 and changes nothing', async () => {
      const { fan, receipt } = await sellOut();
      const first = await refund(receipt.id);
      const second = await refund(receipt.id);
      expect([first.status, second.status]).toEqual([201, 200]);
      expect(second.text).toBe(first.text);
      expect(await balanceOf(foyer.client, fan.accessToken)).toBe(5 * PRICE);
    });

    it('always cover the whole payment: an amount in the request returns 400', async () => {
      const { fan, receipt } = await sellOut();
      const before = await balanceOf(foyer.client, fan.accessToken);
      const path = `/operator/payments/${receipt.id}/refund`;
      expectProblem(await foyer.client.post(path, foyer.operator, { amount: 1 }), 400, 'INVALID_REQUEST');
      expect(await balanceOf(foyer.client, fan.accessToken)).toBe(before);
    });

    it('are replayed byte for byte for the same idempotency key', async () => {
      const { receipt } = await sellOut();
      const { receipt: other } = await sellOut();
      const key = newKey();
      const first = await refund(receipt.id, foyer.operator, key);
      const replay = await refund(receipt.id, foyer.operator, key);
      expect([first.status, replay.status, replay.text]).toEqual([201, 201, first.text]);
      expect(replay.headers.get('idempotency-replayed')).toBe('true');
      expectProblem(await refund(other.id, foyer.operator, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    });

    it('leave a reservation that can be neither paid nor released', async () => {
      const { client } = foyer;
      const { token, fan, receipt } = await sellOut();
      await refund(receipt.id);
      for (const credential of [token, fan.accessToken])
        expectProblem(await pay(client, credential, receipt.reservationId), 409, 'RESERVATION_NOT_HELD');
      const released = await client.delete(`/reservations/${receipt.reservationId}`, fan.accessToken);
      expectProblem(released, 409, 'RESERVATION_NOT_HELD');
      expect(await balanceOf(client, fan.accessToken)).toBe(5 * PRICE);
    });

    it('return 422 BALANCE_LIMIT_EXCEEDED and change nothing when the wallet would exceed its limit', async () => {
      const { client } = foyer;
      const { sale, fan, receipt } = await sellOut();
      expect((await charge(client, fan.accessToken, BALANCE_MAX - 4 * PRICE)).status).toBe(201);
      expectProblem(await refund(receipt.id), 422, 'BALANCE_LIMIT_EXCEEDED', { limit: BALANCE_MAX });
      expectProblem(await refund(receipt.id, foyer.operator, newKey()), 422, 'BALANCE_LIMIT_EXCEEDED');
      expect((await client.get(`/payments/${receipt.id}`, fan.accessToken)).body.refundedAt).toBeNull();
      expect((await client.get(`/concerts/${sale.concertId}`)).body.soldOut).toBe(true);
      expect(await balanceOf(client, fan.accessToken)).toBe(BALANCE_MAX - PRICE);
    });

    it('need an operator and an existing payment', async () => {
      const { fan, token, receipt } = await sellOut();
      expectProblem(await refund(receipt.id, fan.accessToken), 403, 'FORBIDDEN');
      expectProblem(await refund(receipt.id, token), 403, 'FORBIDDEN');
      expectDenied(
        await foyer.client.call('POST', `/operator/payments/${receipt.id}/refund`),
        401,
        'MISSING',
      );
      expectProblem(await refund(randomUUID()), 404, 'PAYMENT_NOT_FOUND');
      expect(await balanceOf(foyer.client, fan.accessToken)).toBe(3 * PRICE);
    });

    it('appear in the lists of receipts and in the CSV', async () => {
      const { client, operator } = foyer;
      const { sale, fan, receipt } = await sellOut();
      const path = `/operator/concerts/${sale.concertId}/payments`;
      const listOwn = (): Promise<Answer> => client.get('/payments', fan.accessToken);
      expect(expectList(await listOwn())).toMatchObject([{ ...aReceipt, refundedAt: null }]);
      expect(expectList(await client.get(path, operator))).toMatchObject([{ refundedAt: null }]);
      const { refundedAt } = (await refund(receipt.id)).body;
      expect(expectList(await listOwn())).toMatchObject([{ ...receipt, refundedAt }]);
      expect(expectList(await client.get(path, operator))).toMatchObject([{ ...receipt, refundedAt }]);
      const csv = await client.call('GET', path, { token: operator, headers: { accept: 'text/csv' } });
      const [head, line] = csv.text.trimEnd().split('\r\n');
      expect(head?.split(',').at(-1)).toBe('refundedAt');
      expect(line?.split(',').at(-1)).toBe(refundedAt);
    });

    it('free a seat with price 0 without moving money', async () => {
      const { client } = foyer;
      const booking = await startBooking(foyer, { sections: [{ ...PAIR[0]!, price: 0 }] });
      const { body } = await pay(client, booking.token, (await holdSeats(client, booking, 0)).id);
      expect((await refund(body.id)).body).toMatchObject({ amount: 0 });
      const fan = await signUpFan(client);
      expect(await balanceOf(client, fan.accessToken)).toBe(0);
      expect(await statsOf(client, foyer.operator, booking.sale)).toMatchObject({ seatsSold: 0 });
    });
  });
}
