import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Dialect, Statement } from '../../src/platform/sql/index.js';
import { forgeAccess } from '../support/forge.js';
import { linkTokenTo } from '../support/mailbox.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { concurrently } from '../support/race/sale-with-fans.js';

const ONE_USE = 'a mailed link is used once';
const ONE_REMAINS = 'an operator remains';

describe('races on accounts', () => {
  const foyer = useCluster();

  describe('10 concurrent uses of one reset link, each with another password', () => {
    async function race(cluster: Cluster): Promise<void> {
      const { client } = cluster;
      const [fan] = await cluster.createFans(1);
      const email = fan?.email ?? '';
      await client.post('/password-resets', undefined, { email });
      const token = await linkTokenTo(client, cluster.operator, email);
      const passwords = Array.from({ length: 10 }, () => randomUUID());
      const answers = await Promise.all(
        passwords.map((newPassword) => client.post(`/password-resets/${token}`, undefined, { newPassword })),
      );
      const winners = passwords.filter((_, index) => answers[index]?.status === 204);
      expect(winners, ONE_USE).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 410)).toHaveLength(9);
      const session = await client.post('/sessions', undefined, { email, password: winners[0] });
      expect(session.status, 'the password that was answered with 204 is the password').toBe(201);
    }

    it('set one password', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });

    describe('control', () => {
      const withoutGuard = useCluster({
        guards: {
          'mailed-token-once': () => '(SELECT t.used_at FROM mailed_tokens t WHERE t.hash = $1) IS NULL',
        },
      });
      it('set several passwords when the mailed-token-once guard is removed', () =>
        expectViolation(ONE_USE, () => race(withoutGuard)));
    });
  });

  describe('two operators who remove each other', () => {
    async function race(cluster: Cluster): Promise<void> {
      const pair = [randomUUID(), randomUUID()] as const;
      await cluster.query(
        `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
         SELECT id, id || '@staff.example', id || '@staff.example', '운영자', 'OPERATOR', 'none', 0
         FROM unnest(CAST($1 AS TEXT[])) AS id`,
        [pair],
      );
      const [first, second] = pair;
      const answers = await concurrently(2, (index) =>
        index === 0
          ? cluster.client.delete(`/operator/operators/${second}`, forgeAccess(first))
          : cluster.client.delete(`/operator/operators/${first}`, forgeAccess(second)),
      );
      const left = await cluster.query(`SELECT id FROM users WHERE id = ANY($1) AND role = 'OPERATOR'`, [
        pair,
      ]);
      expect(left, ONE_REMAINS).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    }

    it('leave one operator', async () => {
      for (let round = 0; round < 10; round += 1) await race(foyer);
    });

    describe('control', () => {
      const withoutLock = useCluster({
        guards: {
          'operator-removal-lock': (lock: Statement<[readonly string[]], unknown>) => ({
            name: 'find_operators_without_lock',
            text: (dialect: Dialect) => lock.text({ ...dialect, forUpdate: '' }),
          }),
        },
      });
      it('leave none when the operator-removal-lock guard is removed', () =>
        expectViolation(ONE_REMAINS, async () => {
          for (let round = 0; round < 20; round += 1) await race(withoutLock);
        }));
    });
  });
});
