import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { linkTo, linkTokenTo } from '../support/mailbox.js';
import { signUpFan } from '../support/sale.js';
import { expectDenied, expectList, expectProblem } from '../support/shapes.js';

const PASSWORD = 'operator password';
const newEmail = (): string => `${randomUUID()}@staff.example`;

for (const database of DATABASES) {
  describe(`operators on ${database.name}`, () => {
    const foyer = useFoyer(database);
    const invite = (email: string, token = foyer.operator) =>
      foyer.client.post('/operator/operators', token, { email, name: '부운영자' });
    const accept = async (email: string) =>
      foyer.client.post(
        `/password-resets/${await linkTokenTo(foyer.client, foyer.operator, email)}`,
        undefined,
        {
          newPassword: PASSWORD,
        },
      );
    const signIn = (email: string, password = PASSWORD) =>
      foyer.client.post('/sessions', undefined, { email, password });
    const remove = (id: string, token = foyer.operator) =>
      foyer.client.delete(`/operator/operators/${id}`, token);
    const listed = async (id: string) =>
      expectList(await foyer.client.get('/operator/operators?limit=200', foyer.operator)).find(
        (operator) => operator['id'] === id,
      );
    const auditOf = async (id: string) =>
      expectList<{ action: string; details: { operatorId?: string } }>(
        await foyer.client.get('/operator/audit?limit=200', foyer.operator),
      )
        .filter(({ details }) => details.operatorId === id)
        .map(({ action }) => action);

    /** Invites a new address, accepts and signs in. */
    async function addOperator() {
      const email = newEmail();
      const { body } = await invite(email);
      expect((await accept(email)).status).toBe(204);
      const session = await signIn(email);
      expect(session.status).toBe(201);
      return { id: String(body.id), email, token: String(session.body.accessToken) };
    }

    it('are invited by mail and become operators by choosing a password', async () => {
      const email = newEmail();
      const invited = await invite(email);
      expect(invited).toMatchObject({ status: 201, body: { email, name: '부운영자', status: 'INVITED' } });
      expect(await listed(invited.body.id)).toMatchObject({ status: 'INVITED' });
      expectProblem(await signIn(email, ''), 401, 'WRONG_CREDENTIALS');
      expect((await linkTo(foyer.client, foyer.operator, email)).pathname).toBe('/accept-invitation');

      expect((await accept(email)).status).toBe(204);
      const { body } = await signIn(email);
      expect(body.user).toMatchObject({ role: 'OPERATOR', emailVerified: true });
      expect((await foyer.client.get('/operator/concerts', body.accessToken)).status).toBe(200);
      expect(await listed(invited.body.id)).toMatchObject({ status: 'ACTIVE' });
      expect(await auditOf(invited.body.id)).toEqual(
        expect.arrayContaining(['OPERATOR_INVITED', 'OPERATOR_ADDED']),
      );
    });

    it('get another link when they are invited again, and the first one ends', async () => {
      const email = newEmail();
      const first = await invite(email);
      const older = await linkTokenTo(foyer.client, foyer.operator, email);
      expect(await invite(email)).toMatchObject({ status: 201, body: { id: first.body.id } });
      const late = await foyer.client.post(`/password-resets/${older}`, undefined, { newPassword: PASSWORD });
      expectProblem(late, 410, 'RESET_TOKEN_INVALID');
      expect((await accept(email)).status).toBe(204);
      expectProblem(await invite(email), 409, 'ALREADY_OPERATOR');
    });

    it('are not made of a fan until the invited person uses the link, which takes the account from the fan', async () => {
      const fan = await signUpFan(foyer.client);
      expect(await invite(fan.email)).toMatchObject({ status: 201, body: { id: fan.id, name: '팬' } });
      expectProblem(await foyer.client.get('/operator/concerts', fan.accessToken), 403, 'FORBIDDEN');
      expect((await accept(fan.email)).status).toBe(204);
      expectDenied(await foyer.client.get('/operator/concerts', fan.accessToken), 401, 'INVALID');
      expectProblem(await signIn(fan.email, 'fan-password'), 401, 'WRONG_CREDENTIALS');
      expect((await signIn(fan.email)).body.user).toMatchObject({ id: fan.id, role: 'OPERATOR' });
    });

    it('are removed at once, on every process', async () => {
      const { client } = foyer;
      const other = await addOperator();
      expect((await remove(other.id)).status).toBe(204);
      for (let time = 0; time < 4; time += 1)
        expectDenied(await client.get('/operator/concerts', other.token), 401, 'INVALID');
      const { body } = await signIn(other.email);
      expect(body.user.role).toBe('CUSTOMER');
      expectProblem(await client.get('/operator/concerts', body.accessToken), 403, 'FORBIDDEN');
      expect(await listed(other.id)).toBeUndefined();
      expect(await auditOf(other.id)).toContain('OPERATOR_REMOVED');
      expectProblem(await remove(other.id), 404, 'OPERATOR_NOT_FOUND');
      // A removal can be undone.
      expect((await invite(other.email)).status).toBe(201);
      expect((await accept(other.email)).status).toBe(204);
      expect((await signIn(other.email)).body.user.role).toBe('OPERATOR');
    });

    it('lose an invitation that is withdrawn', async () => {
      const email = newEmail();
      const { body } = await invite(email);
      expect((await remove(body.id)).status).toBe(204);
      expect(await listed(body.id)).toBeUndefined();
      expectProblem(await accept(email), 410, 'RESET_TOKEN_INVALID');
    });

    it('do not remove themselves or a fan', async () => {
      const { client } = foyer;
      const me = await client.get('/users/me', foyer.operator);
      expectProblem(await remove(me.body.id), 409, 'CANNOT_REMOVE_YOURSELF');
      const fan = await signUpFan(client);
      expectProblem(await remove(fan.id), 404, 'OPERATOR_NOT_FOUND');
      expectProblem(await remove('nobody'), 404, 'OPERATOR_NOT_FOUND');
      expect((await client.get('/users/me', fan.accessToken)).status).toBe(200);
    });

    it('alone may invite, list and remove', async () => {
      const fan = await signUpFan(foyer.client);
      expectProblem(await invite(newEmail(), fan.accessToken), 403, 'FORBIDDEN');
      expectProblem(await foyer.client.get('/operator/operators', fan.accessToken), 403, 'FORBIDDEN');
      expectProblem(await remove(fan.id, fan.accessToken), 403, 'FORBIDDEN');
      expectProblem(await invite('nobody'), 400, 'INVALID_REQUEST');
    });
  });
}
