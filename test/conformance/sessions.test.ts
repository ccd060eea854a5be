import { describe, expect, it } from 'vitest';
import { poll, startBooking } from '../support/booking.js';
import type { Client } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { openEvents } from '../support/events.js';
import { forgeAccess, readToken } from '../support/forge.js';
import { type TestFoyer, useFoyer, useOwnFoyer } from '../support/foyer.js';
import { type Fan, hold, join, openSale, signUpFan } from '../support/sale.js';
import { expectDenied, expectProblem } from '../support/shapes.js';

const PASSWORD = 'fan-password';
const NEW_PASSWORD = 'another-password';

const changePassword = (client: Client, token: string, currentPassword = PASSWORD) =>
  client.post('/users/me/password', token, { currentPassword, newPassword: NEW_PASSWORD });
const signOutHere = (client: Client, token: string) => client.delete('/sessions/me', token);
const signOutEverywhere = (client: Client, token: string) => client.delete('/sessions', token);
const me = (client: Client, token: string) => client.get('/users/me', token);

async function signIn(client: Client, fan: Fan, password = PASSWORD): Promise<Fan> {
  const answer = await client.post('/sessions', undefined, { email: fan.email, password });
  expect(answer.status, answer.text).toBe(201);
  return { ...fan, accessToken: answer.body.accessToken };
}

for (const database of DATABASES) {
  describe(`sessions on ${database.name}`, () => {
    const foyer = useFoyer(database);

    it('have an id and a time of issue in their access token', async () => {
      const { client } = foyer;
      const fan = await signUpFan(client);
      const first = readToken(fan.accessToken).claims;
      const second = readToken((await signIn(client, fan)).accessToken).claims;
      expect(first['jti']).not.toBe(second['jti']);
      for (const { iat, exp } of [first, second]) expect(Number(exp) - Number(iat)).toBe(12 * 3600);
    });

    describe('changing the password', () => {
      it('refuses every token issued before and accepts the new password only', async () => {
        const { client } = foyer;
        const fan = await signUpFan(client);
        const phone = await signIn(client, fan);
        expect((await changePassword(client, fan.accessToken)).status).toBe(204);
        // Each process refuses at once: the client alternates between them.
        for (const { accessToken } of [fan, phone, fan, phone])
          expectDenied(await me(client, accessToken), 401, 'INVALID');
        expectDenied(await join(client, fan, await openSale(client, foyer.operator)), 401, 'INVALID');
        const old = await client.post('/sessions', undefined, { email: fan.email, password: PASSWORD });
        expectProblem(old, 401, 'WRONG_CREDENTIALS');
        const renewed = await signIn(client, fan, NEW_PASSWORD);
        for (let call = 0; call < 3; call += 1)
          expect((await me(client, renewed.accessToken)).status).toBe(200);
      });

      it('needs the current password and a new one that is long enough', async () => {
        const { client } = foyer;
        const fan = await signUpFan(client);
        expectProblem(await changePassword(client, fan.accessToken, 'wrong'), 401, 'WRONG_CREDENTIALS');
        const short = { currentPassword: PASSWORD, newPassword: 'short' };
        expectProblem(
          await client.post('/users/me/password', fan.accessToken, short),
          400,
          'INVALID_REQUEST',
        );
        expect((await me(client, fan.accessToken)).status).toBe(200);
        expect((await signIn(client, fan)).id).toBe(fan.id);
      });

      it('accepts one of several concurrent changes', async () => {
        const { client } = foyer;
        const fan = await signUpFan(client);
        const answers = await Promise.all(
          Array.from({ length: 4 }, () => changePassword(client, fan.accessToken)),
        );
        const [changed, ...refused] = answers.sort((a, b) => a.status - b.status);
        expect(changed?.status).toBe(204);
        for (const answer of refused) expect(answer.status).toBe(401);
      });
    });

    describe('signing out', () => {
      it('on this device ends this session only', async () => {
        const { client } = foyer;
        const fan = await signUpFan(client);
        const phone = await signIn(client, fan);
        expect((await signOutHere(client, phone.accessToken)).status).toBe(204);
        for (let call = 0; call < 3; call += 1)
          expectDenied(await me(client, phone.accessToken), 401, 'INVALID');
        expect((await me(client, fan.accessToken)).status).toBe(200);
      });

      it('on every device ends all sessions, and the password stays', async () => {
        const { client } = foyer;
        const fan = await signUpFan(client);
        const phone = await signIn(client, fan);
        expect((await signOutEverywhere(client, phone.accessToken)).status).toBe(204);
        for (const { accessToken } of [fan, phone, fan, phone])
          expectDenied(await me(client, accessToken), 401, 'INVALID');
        const again = await signIn(client, fan);
        expect((await me(client, again.accessToken)).status).toBe(200);
        expect((await signOutEverywhere(client, again.accessToken)).status).toBe(204);
        expectDenied(await me(client, again.accessToken), 401, 'INVALID');
      });

      it('needs an access token', async () => {
        const { client } = foyer;
        const { token } = await startBooking(foyer);
        expectDenied(await signOutHere(client, token), 401, 'INVALID');
        expectDenied(await signOutEverywhere(client, token), 401, 'INVALID');
        expectDenied(await changePassword(client, token), 401, 'INVALID');
      });

      it('ends tokens without a version, which another signer issued with the same secret', async () => {
        const { client } = foyer;
        const fan = await signUpFan(client);
        const foreign = forgeAccess(fan.id);
        expect((await me(client, foreign)).status).toBe(200);
        await signOutEverywhere(client, fan.accessToken);
        expectDenied(await me(client, foreign), 401, 'INVALID');
      });
    });

    it('close their open event streams on every process when all of them end', async () => {
      const { client, urls } = foyer;
      const { fan, token, scheduleId } = await startBooking(foyer);
      const streams = await Promise.all([
        openEvents(urls.at(-1) ?? '', '/queue-tokens/me/events', token),
        openEvents(urls[0] ?? '', `/schedules/${scheduleId}/seats/events`, token),
      ]);
      expect(streams.map(({ status }) => status)).toEqual([200, 200]);
      expect((await signOutEverywhere(client, fan.accessToken)).status).toBe(204);
      await Promise.all(streams.map(({ ended }) => ended));
    });

    describe('a place in a queue', () => {
      it('is kept when its tokens are revoked: joining again returns it with a new token', async () => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator, { policy: { maxActive: 1 } });
        const first = await signUpFan(client);
        const second = await signUpFan(client);
        const held = (await join(client, first, sale)).body;
        const waiting = (await join(client, second, sale)).body;
        expect([held.status, waiting.status]).toEqual(['ACTIVE', 'WAITING']);
        for (const [fan, before] of [
          [first, held],
          [second, waiting],
        ] as const) {
          await signOutEverywhere(client, fan.accessToken);
          for (let call = 0; call < 3; call += 1)
            expectDenied(await poll(client, before.token), 401, 'INVALID');
          expectDenied(await client.get('/queue-tokens/me/events', before.token), 401, 'INVALID');
          expectDenied(await hold(client, before.token, sale, ['x']), 401, 'INVALID');
          expectDenied(await client.get('/wallet', before.token), 401, 'INVALID');
          const again = await join(client, await signIn(client, fan), sale);
          expect(again.status, again.text).toBe(200);
          expect(again.body.token).not.toBe(before.token);
          expect(again.body).toMatchObject({
            status: before.status,
            rank: before.rank,
            joinedAt: before.joinedAt,
          });
          const { jti, num } = readToken(before.token).claims;
          expect(readToken(again.body.token).claims).toMatchObject({ jti, num });
          expect((await poll(client, again.body.token)).body.token).toBe(again.body.token);
        }
      });
    });
  });

  describe(`revoked sessions on ${database.name}`, () => {
    const foyer: TestFoyer = useOwnFoyer(database);

    it('stay revoked after a restart, with their queue tokens', async () => {
      const { client } = foyer;
      const { fan, token, sale } = await startBooking(foyer);
      const phone = await signIn(client, fan);
      await signOutHere(client, phone.accessToken);
      await signOutEverywhere(client, fan.accessToken);
      await foyer.stop();
      await foyer.restart();
      for (const { accessToken } of [fan, phone, fan, phone])
        expectDenied(await me(foyer.client, accessToken), 401, 'INVALID');
      for (let call = 0; call < 2; call += 1) expectDenied(await poll(foyer.client, token), 401, 'INVALID');
      const again = await join(foyer.client, await signIn(foyer.client, fan), sale);
      expect(again.status).toBe(200);
    });
  });
}
