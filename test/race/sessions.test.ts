import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { concurrently } from '../support/race/sale-with-fans.js';
import { join, openSale, signUpFan } from '../support/sale.js';

const OLD_PASSWORD = 'fan-password';
/** Of OLD_PASSWORD with 1 MiB, less than the current cost, and a salt of sixteen sevens. */
const WEAK_HASH =
  '$argon2id$v=19$m=1024,t=1,p=2$BwcHBwcHBwcHBwcHBwcHBw$2jfbNY9vnIIjHjLgCseJ7NEafW7CkHnDd7y6wAWjRVQ';

/** Slow hashes, so that sign-ins overlap with the change of the password. */
const SLOW_HASHES = () => ({ FOYER_PASSWORD_MEMORY_MIB: '64' });

const NO_SURVIVOR = 'no token for the old password survives a change of the password';
const ONE_CHANGE = 'one of several concurrent changes of a password succeeds';
const NEW_PASSWORD_STAYS = 'the new password stays';

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const signIn = ({ client }: Cluster, email: string, password: string) =>
  client.post('/sessions', undefined, { email, password });

const changePassword = ({ client }: Cluster, token: string, newPassword: string) =>
  client.post('/users/me/password', token, { currentPassword: OLD_PASSWORD, newPassword });

describe('races around a change of the password', () => {
  const foyer = useCluster(undefined, SLOW_HASHES);

  describe('sign-ins with the old password while it is changed', () => {
    const withoutVersions = useCluster(
      { guards: { 'sign-in-version': () => '9007199254740991' } },
      SLOW_HASHES,
    );
    const withoutCheck = useCluster({ guards: { 'token-version': () => () => false } }, SLOW_HASHES);

    async function race(cluster: Cluster): Promise<void> {
      const { client, operator } = cluster;
      const sale = await openSale(client, operator);
      const fan = await signUpFan(client);
      // Some sign-ins read the old password before the change and verify it after.
      const [changed, answers] = await Promise.all([
        changePassword(cluster, fan.accessToken, 'new-password'),
        concurrently(9, (index) => delay(15 * index).then(() => signIn(cluster, fan.email, OLD_PASSWORD))),
      ]);
      expect(changed.status).toBe(204);
      const tokens = answers.flatMap(({ status, body }) =>
        status === 201 ? [body.accessToken as string] : [],
      );
      const joins = await Promise.all(
        tokens.map((accessToken) => join(client, { ...fan, accessToken }, sale)),
      );
      const survivors = [fan.accessToken, ...tokens].map((token) => client.get('/users/me', token));
      expect(
        [...joins, ...(await Promise.all(survivors))].filter(({ status }) => status !== 401),
        NO_SURVIVOR,
      ).toEqual([]);
    }

    it('yield no token that survives', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });
    it('control: yield one when a session does not carry the version of its password', () =>
      expectViolation(NO_SURVIVOR, () => race(withoutVersions)));
    it('control: yield one when versions are not compared', () =>
      expectViolation(NO_SURVIVOR, () => race(withoutCheck)));
  });

  describe('concurrent changes with the same current password', () => {
    const withoutGuard = useCluster(
      { guards: { 'own-password-version': () => 'credential_version >= 0 + 0 * $4' } },
      SLOW_HASHES,
    );

    async function race(cluster: Cluster): Promise<void> {
      const fan = await signUpFan(cluster.client);
      const passwords = Array.from({ length: 6 }, () => `password-${randomUUID()}`);
      const answers = await Promise.all(
        passwords.map((password) => changePassword(cluster, fan.accessToken, password)),
      );
      const accepted = passwords.filter((_, index) => answers[index]?.status === 204);
      expect(accepted.length, ONE_CHANGE).toBe(1);
      expect((await signIn(cluster, fan.email, accepted[0] ?? '')).status).toBe(201);
    }

    it('succeed once', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });
    it('control: succeed several times when a revoked session may change the password', () =>
      expectViolation(ONE_CHANGE, () => race(withoutGuard)));
  });

  describe('a sign-in that replaces a weak hash while the password is changed', () => {
    const withoutGuard = useCluster({ guards: { 'rehash-unchanged': () => 'length($2) > 0' } }, SLOW_HASHES);

    async function race(cluster: Cluster): Promise<void> {
      const fan = await signUpFan(cluster.client);
      await cluster.query('UPDATE users SET password_hash = $2 WHERE id = $1', [fan.id, WEAK_HASH]);
      const newPassword = `password-${randomUUID()}`;
      const [changed] = await Promise.all([
        changePassword(cluster, fan.accessToken, newPassword),
        concurrently(12, (index) => delay(10 * index).then(() => signIn(cluster, fan.email, OLD_PASSWORD))),
      ]);
      expect(changed.status).toBe(204);
      expect((await signIn(cluster, fan.email, newPassword)).status, NEW_PASSWORD_STAYS).toBe(201);
      expect((await signIn(cluster, fan.email, OLD_PASSWORD)).status, NEW_PASSWORD_STAYS).toBe(401);
    }

    it('does not bring the old password back', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });
    it('control: brings it back when the hash may have changed', () =>
      expectViolation(NEW_PASSWORD_STAYS, () => race(withoutGuard)));
  });
});
