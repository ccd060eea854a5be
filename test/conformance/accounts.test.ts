import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { OPERATOR } from '../support/server.js';
import { signUpFan } from '../support/sale.js';
import { aSession, aUser, expectProblem } from '../support/shapes.js';

const PASSWORD = 'fan-password';
const newEmail = (): string => `${randomUUID()}@fans.example`;

for (const database of DATABASES) {
  describe(`accounts on ${database.name}`, () => {
    const foyer = useFoyer(database);

    describe('signing up', () => {
      it('creates a customer account and returns a session', async () => {
        const email = newEmail();
        const answer = await foyer.client.post('/users', undefined, {
          email,
          password: PASSWORD,
          name: '김팬',
        });
        expect(answer.status, answer.text).toBe(201);
        expect(answer.body).toMatchObject(aSession);
        expect(answer.body.user).toMatchObject({ email, name: '김팬', role: 'CUSTOMER' });
        expect(Date.parse(answer.body.expiresAt)).toBeGreaterThan(Date.now());
        expect(answer.text).not.toContain(PASSWORD);
        const me = await foyer.client.get('/users/me', answer.body.accessToken);
        expect(me).toMatchObject({ status: 200, body: answer.body.user });
      });

      it('returns 409 EMAIL_TAKEN for an address that is already registered', async () => {
        const { email } = await signUpFan(foyer.client);
        const duplicate = await foyer.client.post('/users', undefined, {
          email,
          password: 'another-password',
          name: 'F',
        });
        expectProblem(duplicate, 409, 'EMAIL_TAKEN');
        const session = await foyer.client.post('/sessions', undefined, { email, password: PASSWORD });
        expect(session.status, 'the first password still works').toBe(201);
      });

      it('creates one account when several requests register the same address concurrently', async () => {
        const body = { email: newEmail(), password: PASSWORD, name: 'F' };
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => foyer.client.post('/users', undefined, body)),
        );
        const [created, ...refused] = answers.sort((a, b) => a.status - b.status);
        expect(created?.status).toBe(201);
        for (const answer of refused) expectProblem(answer, 409, 'EMAIL_TAKEN');
      });

      it('returns 400 when the address, the password or the name is missing, empty or malformed', async () => {
        const account = { email: newEmail(), password: PASSWORD, name: 'F' };
        for (const field of ['email', 'password', 'name']) {
          const { client } = foyer;
          const without = Object.fromEntries(Object.entries(account).filter(([name]) => name !== field));
          expectProblem(await client.post('/users', undefined, without), 400, 'INVALID_REQUEST');
          expectProblem(
            await client.post('/users', undefined, { ...account, [field]: '' }),
            400,
            'INVALID_REQUEST',
          );
        }
        const malformed = await foyer.client.post('/users', undefined, { ...account, email: 'nobody' });
        expectProblem(malformed, 400, 'INVALID_REQUEST');
      });
    });

    describe('signing in', () => {
      it('returns a session in the same shape as signing up', async () => {
        const fan = await signUpFan(foyer.client);
        const answer = await foyer.client.post('/sessions', undefined, {
          email: fan.email,
          password: PASSWORD,
        });
        expect(answer.status, answer.text).toBe(201);
        expect(answer.body).toMatchObject({ ...aSession, user: { ...aUser, id: fan.id, email: fan.email } });
        const me = await foyer.client.get('/users/me', answer.body.accessToken);
        expect(me).toMatchObject({ status: 200, body: { id: fan.id } });
      });

      it('keeps the existing sessions valid', async () => {
        const fan = await signUpFan(foyer.client);
        await foyer.client.post('/sessions', undefined, { email: fan.email, password: PASSWORD });
        expect((await foyer.client.get('/users/me', fan.accessToken)).status).toBe(200);
      });

      it('returns the same 401 WRONG_CREDENTIALS for a wrong password and for an unknown address', async () => {
        const { email } = await signUpFan(foyer.client);
        const wrong = await foyer.client.post('/sessions', undefined, { email, password: 'wrong-password' });
        const unknown = await foyer.client.post('/sessions', undefined, {
          email: newEmail(),
          password: PASSWORD,
        });
        expectProblem(wrong, 401, 'WRONG_CREDENTIALS');
        expect(unknown).toMatchObject({ status: 401, body: wrong.body });
      });
    });

    describe('GET /users/me', () => {
      it('returns the customer', async () => {
        const fan = await signUpFan(foyer.client);
        const me = await foyer.client.get('/users/me', fan.accessToken);
        expect(me.status).toBe(200);
        expect(me.body).toMatchObject(aUser);
        expect(me.body).toMatchObject({ id: fan.id, email: fan.email, name: '팬', role: 'CUSTOMER' });
      });

      it('returns the operator that was created when the server started', async () => {
        const me = await foyer.client.get('/users/me', foyer.operator);
        expect(me.body).toMatchObject({ ...aUser, email: OPERATOR.email, role: 'OPERATOR' });
      });
    });
  });
}
