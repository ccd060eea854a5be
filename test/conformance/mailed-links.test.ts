import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { useFoyer, useOwnFoyer } from '../support/foyer.js';
import { linkTo, linkTokenTo, mailsTo } from '../support/mailbox.js';
import { eventually, join, openSale, signUpFan } from '../support/sale.js';
import { expectDenied, expectList, expectProblem } from '../support/shapes.js';
import { useSmtpServer } from '../support/smtp-server.js';

const OLD_PASSWORD = 'fan-password';
const NEW_PASSWORD = 'another password';

for (const database of DATABASES) {
  describe(`mailed links on ${database.name}`, () => {
    const foyer = useFoyer(database);
    const requestReset = (email: string) => foyer.client.post('/password-resets', undefined, { email });
    const reset = (token: string, newPassword = NEW_PASSWORD) =>
      foyer.client.post(`/password-resets/${token}`, undefined, { newPassword });
    const signIn = (email: string, password: string) =>
      foyer.client.post('/sessions', undefined, { email, password });
    const tokenTo = (email: string) => linkTokenTo(foyer.client, foyer.operator, email);

    describe('a password reset', () => {
      it('sets a new password and ends every session, but keeps the place in the queue', async () => {
        const { client } = foyer;
        const fan = await signUpFan(client);
        const sale = await openSale(client, foyer.operator, { policy: { maxActive: 0 } });
        const before = await join(client, fan, sale);
        expect(await requestReset(fan.email)).toMatchObject({ status: 202, text: '{}' });
        const link = await linkTo(client, foyer.operator, fan.email);
        expect(link.pathname).toBe('/reset-password');

        expect(await reset(link.hash.slice(1))).toMatchObject({ status: 204, text: '' });
        expectDenied(await client.get('/users/me', fan.accessToken), 401, 'INVALID');
        expectProblem(await signIn(fan.email, OLD_PASSWORD), 401, 'WRONG_CREDENTIALS');
        const session = await signIn(fan.email, NEW_PASSWORD);
        expect(session).toMatchObject({ status: 201, body: { user: { id: fan.id, emailVerified: true } } });
        const after = await join(client, { ...fan, accessToken: session.body.accessToken }, sale);
        expect(after).toMatchObject({
          status: 200,
          body: { rank: before.body.rank, joinedAt: before.body.joinedAt },
        });
      });

      it('works once', async () => {
        const { email } = await signUpFan(foyer.client);
        await requestReset(email);
        const token = await tokenTo(email);
        expect((await reset(token)).status).toBe(204);
        expectProblem(await reset(token, 'a third password'), 410, 'RESET_TOKEN_INVALID');
        expect((await signIn(email, NEW_PASSWORD)).status).toBe(201);
      });

      it('ends the links that were asked for before it', async () => {
        const { email } = await signUpFan(foyer.client);
        await requestReset(email);
        const older = await tokenTo(email);
        await requestReset(email);
        const newer = await tokenTo(email);
        expect(newer).not.toBe(older);
        expect((await reset(newer)).status).toBe(204);
        expectProblem(await reset(older), 410, 'RESET_TOKEN_INVALID');
      });

      it('ignores the case of the address, and mails to the address of the account', async () => {
        const { email } = await signUpFan(foyer.client);
        expect((await requestReset(email.toUpperCase())).status).toBe(202);
        expect((await reset(await tokenTo(email))).status).toBe(204);
      });

      it('answers the same for an unknown address, and mails nothing', async () => {
        const email = `${randomUUID()}@fans.example`;
        const known = await requestReset((await signUpFan(foyer.client)).email);
        const unknown = await requestReset(email);
        expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
        expect(await mailsTo(foyer.client, foyer.operator, email)).toEqual([]);
      });

      it('refuses an unknown token, a short password and a token of another kind', async () => {
        const fan = await signUpFan(foyer.client);
        expectProblem(await reset('x'.repeat(43)), 410, 'RESET_TOKEN_INVALID');
        expectProblem(await reset('unknown'), 410, 'RESET_TOKEN_INVALID');
        await foyer.client.post('/email-verifications', fan.accessToken);
        const token = await tokenTo(fan.email);
        expectProblem(await reset(token), 410, 'RESET_TOKEN_INVALID');
        expectProblem(await reset(token, 'short'), 400, 'INVALID_REQUEST');
        expectProblem(await requestReset('nobody'), 400, 'INVALID_REQUEST');
      });
    });

    describe('a verification', () => {
      it('marks the address as verified, and can be repeated', async () => {
        const { client } = foyer;
        const fan = await signUpFan(client);
        const me = () => client.get('/users/me', fan.accessToken);
        expect((await me()).body).toMatchObject({ id: fan.id, emailVerified: false });
        expect((await client.post('/email-verifications', fan.accessToken)).status).toBe(202);
        const link = await linkTo(client, foyer.operator, fan.email);
        expect(link.pathname).toBe('/verify-email');
        for (let time = 0; time < 2; time += 1)
          expect((await client.post(`/email-verifications/${link.hash.slice(1)}`, undefined)).status).toBe(
            204,
          );
        expect((await me()).body).toMatchObject({ emailVerified: true });
        // Verified already: accepted, and no mail.
        expect((await client.post('/email-verifications', fan.accessToken)).status).toBe(202);
        expect(await mailsTo(client, foyer.operator, fan.email)).toHaveLength(1);
      });

      it('needs an account to be asked for, and a token of its own kind', async () => {
        const { client } = foyer;
        expectDenied(await client.post('/email-verifications', undefined), 401, 'MISSING');
        expectProblem(
          await client.post('/email-verifications/unknown', undefined),
          410,
          'VERIFICATION_TOKEN_INVALID',
        );
        const { email } = await signUpFan(client);
        await requestReset(email);
        const token = await tokenTo(email);
        expectProblem(
          await client.post(`/email-verifications/${token}`, undefined),
          410,
          'VERIFICATION_TOKEN_INVALID',
        );
      });
    });

    it('shows the mailbox to operators only', async () => {
      const { client } = foyer;
      const fan = await signUpFan(client);
      expectProblem(await client.get('/operator/mailbox', fan.accessToken), 403, 'FORBIDDEN');
      expectDenied(await client.get('/operator/mailbox'), 401, 'MISSING');
      expect((await client.get('/operator/mailbox', foyer.operator)).body).toMatchObject({
        delivery: 'MAILBOX',
      });
    });
  });

  describe(`mail by SMTP on ${database.name}`, () => {
    const smtp = useSmtpServer();
    const foyer = useOwnFoyer(database, () => ({
      FOYER_SMTP_URL: smtp.url,
      FOYER_MAIL_FROM: 'Foyer <tickets@example.com>',
      FOYER_PUBLIC_URL: 'https://tickets.example',
      FOYER_LOG_LEVEL: 'debug',
    }));

    it('sends the link once, and shows no text to operators', async () => {
      const { client } = foyer;
      const { email } = await signUpFan(client);
      await client.post('/password-resets', undefined, { email });
      const mails = async () => mailsTo(client, foyer.operator, email);
      await eventually(mails, ([mail]) => mail?.status === 'SENT');
      const received = smtp.received.filter(({ to }) => to === email);
      expect(received).toHaveLength(1);
      const token =
        /https:\/\/tickets\.example\/reset-password#(\S+)/.exec(received[0]?.text ?? '')?.[1] ?? '';
      expect(
        (await client.post(`/password-resets/${token}`, undefined, { newPassword: NEW_PASSWORD })).status,
      ).toBe(204);
      expect(await mails()).toMatchObject([{ text: null, status: 'SENT' }]);
      expect((await client.get('/operator/mailbox', foyer.operator)).body.delivery).toBe('SMTP');
      for (const server of foyer.servers) {
        expect(server.output()).not.toContain(token);
        expect(server.output()).not.toContain(email);
      }
    });

    it('shows no text of a mail that waits', async () => {
      const { client } = foyer;
      const { email } = await signUpFan(client);
      smtp.refuse(1, '451 try later');
      await client.post('/password-resets', undefined, { email });
      const mails = async () => mailsTo(client, foyer.operator, email);
      const [waiting] = await eventually(mails, ([mail]) => mail !== undefined);
      expect(waiting).toMatchObject({ text: null });
      expectList(await client.get('/operator/mailbox', foyer.operator));
    });
  });
}
