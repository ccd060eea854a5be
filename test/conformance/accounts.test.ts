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
      it('makes a customer and signs them in', async () => {
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

      it('is refused with an address that somebody has', async () => {
        const { email } = await signUpFan(foyer.client);
        const again = await foyer.client.post('/users', undefined, {
          email,
          password: 'another-password',
          name: 'F',
        });
        expectProblem(again, 409, 'EMAIL_TAKEN');
        const session = await foyer.client.post('/sessions', undefined, { email, password: PASSWORD });
        expect(session.status, 'the first password stays').toBe(201);
      });

      it('gives an address to one of several who want it at once', async () => {
        const body = { email: newEmail(), password: PASSWORD, name: 'F' };
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => foyer.client.post('/users', undefined, body)),
        );
        const [won, ...lost] = answers.sort((a, b) => a.status - b.status);
        expect(won?.status).toBe(201);
        for (const answer of lost) expectProblem(answer, 409, 'EMAIL_TAKEN');
      });

      it('needs an address, a password and a name', async () => {
        const whole = { email: newEmail(), password: PASSWORD, name: 'F' };
        for (const field of ['email', 'password', 'name']) {
          const { client } = foyer;
          const without = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
          expectProblem(await client.post('/users', undefined, without), 400, 'INVALID_REQUEST');
          expectProblem(
            await client.post('/users', undefined, { ...whole, [field]: '' }),
            400,
            'INVALID_REQUEST',
          );
        }
        const noAddress = await foyer.client.post('/users', undefined, { ...whole, email: 'nobody' });
        expectProblem(noAddress, 400, 'INVALID_REQUEST');
      });
    });

    describe('signing in', () => {
      it('answers the same shape as signing up', async () => {
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

      it('does not end the sessions that there are', async () => {
        const fan = await signUpFan(foyer.client);
        await foyer.client.post('/sessions', undefined, { email: fan.email, password: PASSWORD });
        expect((await foyer.client.get('/users/me', fan.accessToken)).status).toBe(200);
      });

      it('is refused alike for a wrong password and for an address that nobody has', async () => {
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

    describe('who I am', () => {
      it('is said to a customer', async () => {
        const fan = await signUpFan(foyer.client);
        const me = await foyer.client.get('/users/me', fan.accessToken);
        expect(me.status).toBe(200);
        expect(me.body).toMatchObject(aUser);
        expect(me.body).toMatchObject({ id: fan.id, email: fan.email, name: '팬', role: 'CUSTOMER' });
      });

      it('is said to the operator, who was made at the start', async () => {
        const me = await foyer.client.get('/users/me', foyer.operator);
        expect(me.body).toMatchObject({ ...aUser, email: OPERATOR.email, role: 'OPERATOR' });
      });
    });
  });
}
