import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { enterSale, holdSeats, startBooking } from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { linkTokenTo, mailsTo } from '../support/mailbox.js';
import { type Fan, join, openSale, pay, PRICE, signUpFan } from '../support/sale.js';
import { expectDenied, expectProblem } from '../support/shapes.js';
import { charge, seatsOf } from '../support/steps.js';

const PASSWORD = 'fan-password';

for (const database of DATABASES) {
  describe(`personal data on ${database.name}`, () => {
    const foyer = useFoyer(database);
    const exportOf = (fan: Fan): Promise<Answer> => foyer.client.get('/users/me/export', fan.accessToken);
    const erase = (token: string | undefined, body: object = { password: PASSWORD }): Promise<Answer> =>
      foyer.client.call('DELETE', '/users/me', { token, body });
    const searchPayments = (concertId: string, q: string): Promise<Answer> =>
      foyer.client.get(`/operator/concerts/${concertId}/payments?q=${encodeURIComponent(q)}`, foyer.operator);

    describe('the export', () => {
      it('is a JSON file with everything that is stored about the person', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: 3 * PRICE });
        const reservation = await holdSeats(client, booking, 0);
        const { body: receipt } = await pay(client, booking.token, reservation.id);
        const answer = await exportOf(booking.fan);
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toContain('application/json');
        expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.json"$/);
        expect(answer.body).toMatchObject({
          account: {
            id: booking.fan.id,
            email: booking.fan.email,
            role: 'CUSTOMER',
            emailVerified: false,
            emailVerifiedAt: null,
          },
          wallet: { balance: 2 * PRICE, currency: 'KRW' },
          walletEntries: [
            { type: 'PAYMENT', amount: -PRICE },
            { type: 'CHARGE', amount: 3 * PRICE },
          ],
          receipts: [receipt],
          reservations: [{ id: reservation.id, status: 'CONFIRMED' }],
          places: [{ concertId: booking.sale.concertId, status: 'DONE' }],
          auditEntries: [{ action: 'PERSONAL_DATA_EXPORTED' }],
        });
        expect(answer.text).not.toContain('argon2');
        const { createdAt } = answer.body.account;
        expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.parse(receipt.paidAt));
      });

      it('contains the mails to the address without their text, and when the address was verified', async () => {
        const { client, operator } = foyer;
        const fan = await signUpFan(client);
        const other = await signUpFan(client);
        for (const { email } of [fan, other])
          expect((await client.post('/password-resets', undefined, { email })).status).toBe(202);
        expect((await client.post('/email-verifications', fan.accessToken)).status).toBe(202);
        const verification = await linkTokenTo(client, operator, fan.email);
        expect((await client.post(`/email-verifications/${verification}`, undefined)).status).toBe(204);
        const { body, text } = await exportOf(fan);
        expect(body.account.emailVerified).toBe(true);
        expect(Date.parse(body.account.emailVerifiedAt)).toBeGreaterThan(Date.parse(body.account.createdAt));
        expect(body.mails).toHaveLength(2);
        const [newest] = body.mails;
        expect(newest).toMatchObject({ to: fan.email, status: 'PENDING', attempts: 0 });
        expect(Object.keys(newest).sort()).toEqual([
          'attempts',
          'createdAt',
          'expiresAt',
          'id',
          'status',
          'subject',
          'to',
        ]);
        // The text has a link that sets the password: a stolen token must not be enough to read it.
        expect(text).not.toContain(verification);
        expect(text).not.toContain(other.email);
      });

      it('contains nothing of other people and needs an access token', async () => {
        const { client } = foyer;
        const one = await startBooking(foyer, { balance: PRICE });
        const other = await enterSale(client, one.sale, PRICE);
        await pay(client, other.token, (await holdSeats(client, other, 1)).id);
        const { text, body } = await exportOf(one.fan);
        expect(text).not.toContain(other.fan.id);
        expect(body).toMatchObject({ receipts: [], reservations: [] });
        expectDenied(await client.get('/users/me/export'), 401, 'MISSING');
        expectDenied(await client.get('/users/me/export', one.token), 401, 'INVALID');
      });

      it('contains every entry of a long ledger once', async () => {
        const { client } = foyer;
        const fan = await signUpFan(client);
        for (let batch = 0; batch < 11; batch += 1)
          await Promise.all(Array.from({ length: 50 }, () => charge(client, fan.accessToken, 1)));
        const { body } = await exportOf(fan);
        const balances: number[] = body.walletEntries.map(
          ({ balanceAfter }: { balanceAfter: number }) => balanceAfter,
        );
        expect(balances).toEqual(Array.from({ length: 550 }, (_, index) => 550 - index));
      });
    });

    describe('erasing an account', () => {
      it('replaces the person by a pseudonym and keeps the books', async () => {
        const { client, operator } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { fan, sale } = booking;
        const { body: receipt } = await pay(client, booking.token, (await holdSeats(client, booking, 0)).id);
        expect((await searchPayments(sale.concertId, fan.email)).body.items).toHaveLength(1);

        expect((await erase(fan.accessToken)).status).toBe(204);

        expect((await searchPayments(sale.concertId, fan.email)).body.items).toEqual([]);
        const payments = await client.get(`/operator/concerts/${sale.concertId}/payments`, operator);
        expect(payments.body.items).toMatchObject([
          { number: receipt.number, amount: PRICE, user: { id: fan.id, email: 'erased', name: 'erased' } },
        ]);
        expect(payments.text).not.toContain(fan.email);
        const stats = await client.get(`/operator/concerts/${sale.concertId}/stats`, operator);
        expect(stats.body).toMatchObject({ seatsSold: 1, revenue: PRICE });
        const audit = await client.get('/operator/audit?limit=200', operator);
        expect(audit.body.items).toContainEqual(
          expect.objectContaining({ action: 'ACCOUNT_ERASED', actor: { id: fan.id, email: 'erased' } }),
        );
      });

      it('ends every token, and the address can sign up again', async () => {
        const { client } = foyer;
        const { fan, token, sale, scheduleId } = await startBooking(foyer);
        expect((await erase(fan.accessToken)).status).toBe(204);
        // Twice, because two processes serve the calls in turn.
        for (let time = 0; time < 2; time += 1) {
          const calls = [
            client.get('/users/me', fan.accessToken),
            client.get('/wallet', fan.accessToken),
            client.get('/queue-tokens/me', token),
            client.get(`/schedules/${scheduleId}/seats`, token),
            join(client, fan, sale),
            erase(fan.accessToken),
          ];
          for (const answer of await Promise.all(calls)) expectProblem(answer, 404, 'USER_NOT_FOUND');
        }
        // Its version is revoked like any other, also where a credential is optional.
        expect((await client.get('/concerts', fan.accessToken)).status).toBe(200);
        const signIn = { email: fan.email, password: PASSWORD };
        expectProblem(await client.post('/sessions', undefined, signIn), 401, 'WRONG_CREDENTIALS');
        const again = await client.post('/users', undefined, { ...signIn, name: 'Again' });
        expect(again.status).toBe(201);
        expect(again.body.user.id).not.toBe(fan.id);
      });

      it('leaves every queue and releases every hold', async () => {
        const { client } = foyer;
        const policy = { maxActive: 1 };
        const booking = await startBooking(foyer, { policy });
        const elsewhere = await openSale(client, foyer.operator, { policy: { paused: true } });
        await join(client, booking.fan, elsewhere);
        await holdSeats(client, booking, 0, 1);
        const next = await signUpFan(client);
        const { body: waiting } = await join(client, next, booking.sale);
        expect(waiting).toMatchObject({ status: 'WAITING', rank: 1 });

        expect((await erase(booking.fan.accessToken)).status).toBe(204);

        const { body: admitted } = await client.get('/queue-tokens/me', waiting.token);
        expect(admitted.status).toBe('ACTIVE');
        const seats = await seatsOf(client, waiting.token, booking.sale);
        expect(seats.map(({ status }) => status)).not.toContain('HELD');
        const stats = await client.get(`/operator/concerts/${elsewhere.concertId}/stats`, foyer.operator);
        expect(stats.body).toMatchObject({ waiting: 0, left: 1 });
      });

      it('needs the right password and an access token', async () => {
        const { client } = foyer;
        const { fan, token } = await startBooking(foyer);
        expectProblem(await erase(fan.accessToken, { password: 'wrong-password' }), 401, 'WRONG_CREDENTIALS');
        expectProblem(await erase(fan.accessToken, {}), 400, 'INVALID_REQUEST');
        expectDenied(await erase(undefined), 401, 'MISSING');
        expectDenied(await erase(token), 401, 'INVALID');
        expect((await client.get('/users/me', fan.accessToken)).status).toBe(200);
      });

      it('is refused while there is money, unless the balance is given up', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { fan } = booking;
        await holdSeats(client, booking, 0);
        const refused = await erase(fan.accessToken);
        expectProblem(refused, 409, 'BALANCE_NOT_ZERO');
        expect(refused.body).toMatchObject({ balance: PRICE, currency: 'KRW' });
        // Nothing was changed: the hold is still there.
        const { body } = await client.get('/reservations', fan.accessToken);
        expect(body.items).toMatchObject([{ status: 'HELD' }]);
        const forfeit = { password: PASSWORD, forfeitBalance: true };
        expect((await erase(fan.accessToken, forfeit)).status).toBe(204);
      });

      it('is refused for operators', async () => {
        const { password } = { password: 'operator-password' };
        expectProblem(await erase(foyer.operator, { password }), 409, 'OPERATOR_NOT_ERASABLE');
        expect((await foyer.client.get('/users/me', foyer.operator)).status).toBe(200);
      });

      it('still allows a refund, which the books show', async () => {
        const { client, operator } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { body: receipt } = await pay(client, booking.token, (await holdSeats(client, booking, 0)).id);
        expect((await erase(booking.fan.accessToken)).status).toBe(204);
        const refund = await client.post(`/operator/payments/${receipt.id}/refund`, operator);
        expect(refund.status).toBe(201);
      });

      it('deletes mails to the address, and ends the links in them', async () => {
        const { client, operator } = foyer;
        const fan = await signUpFan(client);
        expect((await client.post('/password-resets', undefined, { email: fan.email })).status).toBe(202);
        const token = await linkTokenTo(client, operator, fan.email);
        expect((await erase(fan.accessToken)).status).toBe(204);
        expect(await mailsTo(client, operator, fan.email)).toEqual([]);
        const newPassword = 'new-password';
        const reset = await client.post(`/password-resets/${token}`, undefined, { newPassword });
        expectProblem(reset, 410, 'RESET_TOKEN_INVALID');
      });

      it('erases stored responses', async () => {
        const { client } = foyer;
        const fan = await signUpFan(client);
        const key = randomUUID();
        await client.post('/wallet/charges', fan.accessToken, { amount: 5 }, key);
        const forfeit = { password: PASSWORD, forfeitBalance: true };
        expect((await erase(fan.accessToken, forfeit)).status).toBe(204);
        expectProblem(
          await client.post('/wallet/charges', fan.accessToken, { amount: 5 }, key),
          404,
          'USER_NOT_FOUND',
        );
      });
    });
  });
}
