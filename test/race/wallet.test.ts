import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { concurrently, openSaleForFans, openSaleWithFans } from '../support/race/sale-with-fans.js';
import {
  expectOneOwnerPerSeat,
  expectConsistentWallet,
  NO_NEGATIVE_BALANCE,
} from '../support/race/stored-state.js';
import { hold, newKey, pay, PRICE } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { charge, claim } from '../support/steps.js';

describe('races on the wallet and keys of one fan', () => {
  const foyer = useCluster();

  describe('ten concurrent payments from a wallet with money for four', () => {
    async function race(cluster: Cluster): Promise<void> {
      const { client } = cluster;
      const fans = await cluster.createFans(1);
      const [fan] = fans;
      expect((await charge(client, fan?.accessToken, 4 * PRICE)).status).toBe(201);
      const held = await concurrently(10, async () => {
        const { sale, tokens, seats } = await openSaleForFans(cluster, fans);
        return claim(client, tokens[0] ?? '', sale, seats.slice(0, 1));
      });
      const answers = await Promise.all(held.map(({ id }) => pay(client, fan?.accessToken ?? '', id)));
      expect(await expectConsistentWallet(cluster, fan!)).toMatchObject({ balance: 0, entries: 5, paid: 4 });
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(6);
      for (const answer of refused) {
        expectProblem(answer, 402, 'NOT_ENOUGH_BALANCE', { balance: 0, amount: PRICE });
      }
    }

    it('pay for four reservations and never make the balance negative', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });

    describe('control', () => {
      // Correct without concurrency: a payment reads the balance before it debits it. The constraints guard it as well.
      const withoutWalletLock = useCluster({
        guards: { 'wallet-lock': () => '', 'wallet-unchanged': () => 'true' },
        sql: `ALTER TABLE wallets DROP CONSTRAINT wallets_balance_check;
          ALTER TABLE wallet_entries DROP CONSTRAINT wallet_entries_pkey`,
      });
      it('make the balance negative when the wallet is not locked', () =>
        expectViolation(NO_NEGATIVE_BALANCE, () => race(withoutWalletLock)));
    });
  });

  describe('20 concurrent requests with one Idempotency-Key', () => {
    const ONE_EFFECT = 'requests with one key take effect once';
    const ONE_ANSWER = 'requests with one key get one response';

    function expectOneAnswer(answers: readonly Answer[]): void {
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, ONE_ANSWER).toBe(1);
      expect(answers[0]?.status).toBe(201);
    }

    async function raceCharges(cluster: Cluster): Promise<void> {
      const [fan] = await cluster.createFans(1);
      const key = newKey();
      const answers = await concurrently(20, () =>
        cluster.client.post('/wallet/charges', fan?.accessToken, { amount: 1000 }, key),
      );
      const { entries, balance } = await expectConsistentWallet(cluster, fan!);
      expect({ entries, balance }, ONE_EFFECT).toEqual({ entries: 1, balance: 1000 });
      expectOneAnswer(answers);
    }

    async function raceHolds(cluster: Cluster): Promise<void> {
      const { sale, tokens, seats } = await openSaleWithFans(cluster, 1);
      const key = newKey();
      const answers = await concurrently(20, () =>
        hold(cluster.client, tokens[0] ?? '', sale, seats.slice(0, 2), key),
      );
      const taken = (await expectOneOwnerPerSeat(cluster, sale)).filter(({ status }) => status === 'HELD');
      expect(taken, ONE_EFFECT).toHaveLength(2);
      expectOneAnswer(answers);
    }

    it('charge the wallet once and all get the same response', async () => {
      for (let round = 0; round < 3; round += 1) await raceCharges(foyer);
    });

    it('hold the seats once and all get the same response', async () => {
      for (let round = 0; round < 3; round += 1) await raceHolds(foyer);
    });

    describe('control', () => {
      const withoutInsertGuard = useCluster({
        guards: { 'idempotency-insert': () => 'DO UPDATE SET body = excluded.body' },
      });
      it('charge the wallet several times when the idempotency-insert guard is removed', () =>
        expectViolation(ONE_EFFECT, () => raceCharges(withoutInsertGuard)));
      it('get a refusal for seats the same fan holds when the idempotency-insert guard is removed', () =>
        expectViolation(ONE_ANSWER, () => raceHolds(withoutInsertGuard)));
    });
  });
});
