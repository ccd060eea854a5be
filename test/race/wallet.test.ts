import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { openSaleForFans, openSaleWithFans, concurrently } from '../support/race/sale-with-fans.js';
import {
  expectOneOwnerPerSeat,
  expectConsistentWallet,
  NO_NEGATIVE_BALANCE,
} from '../support/race/stored-state.js';
import { hold, newKey, pay, PRICE } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { charge, claim } from '../support/steps.js';

describe('races of one fan', () => {
  const foyer = useCluster();

  describe('ten payments from a wallet with the money for four', () => {
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

    it('pay four times, and never in debt', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });

    describe('control: the balance is looked up first, and not guarded by the update', () => {
      // The constraints of both tables are second guards.
      const sabotaged = useCluster({
        guards: { 'wallet-balance': () => '(SELECT w.balance FROM wallets w WHERE w.user_id = $1) >= $2' },
        sql: `ALTER TABLE wallets DROP CONSTRAINT wallets_balance_check;
          ALTER TABLE wallet_entries DROP CONSTRAINT wallet_entries_balance_after_check`,
      });
      it('get into debt', () => expectViolation(NO_NEGATIVE_BALANCE, () => race(sabotaged)));
    });
  });

  describe('one Idempotency-Key sent 20 times', () => {
    const ONE_EFFECT = 'what was asked for with one key happened once';
    const ONE_ANSWER = 'one key has one answer';

    function expectOneAnswer(answers: readonly Answer[]): void {
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, ONE_ANSWER).toBe(1);
      expect(answers[0]?.status).toBe(201);
    }

    async function raceOfCharges(cluster: Cluster): Promise<void> {
      const [fan] = await cluster.createFans(1);
      const key = newKey();
      const answers = await concurrently(20, () =>
        cluster.client.post('/wallet/charges', fan?.accessToken, { amount: 1000 }, key),
      );
      const { entries, balance } = await expectConsistentWallet(cluster, fan!);
      expect({ entries, balance }, ONE_EFFECT).toEqual({ entries: 1, balance: 1000 });
      expectOneAnswer(answers);
    }

    async function raceOfHolds(cluster: Cluster): Promise<void> {
      const { sale, tokens, seats } = await openSaleWithFans(cluster, 1);
      const key = newKey();
      const answers = await concurrently(20, () =>
        hold(cluster.client, tokens[0] ?? '', sale, seats.slice(0, 2), key),
      );
      const taken = (await expectOneOwnerPerSeat(cluster, sale)).filter(({ status }) => status === 'HELD');
      expect(taken, ONE_EFFECT).toHaveLength(2);
      expectOneAnswer(answers);
    }

    it('charges once, and gets the same answer each time', async () => {
      for (let round = 0; round < 3; round += 1) await raceOfCharges(foyer);
    });

    it('holds once, and gets the same answer each time', async () => {
      for (let round = 0; round < 3; round += 1) await raceOfHolds(foyer);
    });

    describe('control: an answer is kept over the one that was kept first', () => {
      const sabotaged = useCluster({
        guards: { 'idempotency-insert': () => 'DO UPDATE SET body = excluded.body' },
      });
      it('charges several times', () => expectViolation(ONE_EFFECT, () => raceOfCharges(sabotaged)));
      it('is told that the seats are taken, by itself', () =>
        expectViolation(ONE_ANSWER, () => raceOfHolds(sabotaged)));
    });
  });
});
