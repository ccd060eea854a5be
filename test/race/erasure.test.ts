import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { concurrently, openSaleForFans } from '../support/race/sale-with-fans.js';
import { expectConsistentWallet, expectOneOwnerPerSeat } from '../support/race/stored-state.js';
import { type Fan, join, openSale, pay, PRICE, type Sale, signUpFan } from '../support/sale.js';
import { charge, claim } from '../support/steps.js';

const NO_MONEY = 'an erased account has no money';
const NO_PLACE = 'an erased account has no live place';
const ROUNDS = 5;

describe('races to erase an account', () => {
  const foyer = useCluster();
  const chargesClosedWallets = useCluster({ guards: { 'charge-open-wallet': () => 'true' } });
  const erasesMoney = useCluster({ guards: { 'close-empty-wallet': () => 'true' } });
  const joinsErased = useCluster({ guards: { 'join-not-erased': () => 'true' } });

  const erase = ({ client }: Cluster, fan: Fan, forfeitBalance: boolean): Promise<Answer> =>
    client.call('DELETE', '/users/me', {
      token: fan.accessToken,
      body: { password: 'fan-password', forfeitBalance },
    });

  const isErased = async (cluster: Cluster, { id }: Fan): Promise<boolean> => {
    const erased = 'SELECT 1 FROM users WHERE id = $1 AND erased_at IS NOT NULL';
    return (await cluster.query(erased, [id])).length === 1;
  };

  /** Sends the calls over some milliseconds, so that the erasure, which verifies a password first, falls between them. */
  async function around(
    call: (index: number) => Promise<unknown>,
    erasure: Promise<Answer>,
  ): Promise<Answer> {
    const progress = { isDone: false };
    const calls: Promise<unknown>[] = [];
    void erasure.finally(() => (progress.isDone = true));
    for (let index = 0; !progress.isDone; index += 1) {
      calls.push(call(index));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(calls);
    return erasure;
  }

  describe('charges while the account is erased', () => {
    async function race(cluster: Cluster, forfeitBalance: boolean): Promise<void> {
      for (let round = 0; round < ROUNDS; round += 1) {
        const fan = await signUpFan(cluster.client, 7);
        await around(() => charge(cluster.client, fan.accessToken, 1), erase(cluster, fan, forfeitBalance));
        const { balance } = await expectConsistentWallet(cluster, fan);
        if (await isErased(cluster, fan)) expect(balance, NO_MONEY).toBe(0);
        else expect(forfeitBalance).toBe(false);
      }
    }

    it('come before it or are refused', () => race(foyer, true));
    it('keep the account if it has money', () => race(foyer, false));
    it('control: reach an erased account when the guard of the charge is removed', () =>
      expectViolation(NO_MONEY, () => race(chargesClosedWallets, true)));
    it('control: are lost with the account when the guard of the erasure is removed', () =>
      expectViolation(NO_MONEY, () => race(erasesMoney, false)));
  });

  describe('joins while the account is erased', () => {
    const SALES = 30;

    async function race(cluster: Cluster): Promise<void> {
      const { client, operator } = cluster;
      const sales: Sale[] = [];
      for (let index = 0; index < SALES; index += 1) sales.push(await openSale(client, operator));
      for (let round = 0; round < ROUNDS; round += 1) {
        const fan = await signUpFan(client);
        const erased = await around(
          (index) => join(client, fan, sales[index % SALES]!),
          erase(cluster, fan, false),
        );
        expect(erased.status).toBe(204);
        const live = await cluster.query(
          `SELECT id FROM places WHERE user_id = $1 AND status IN ('WAITING', 'ACTIVE')`,
          [fan.id],
        );
        expect(live, NO_PLACE).toEqual([]);
      }
    }

    it('are left by it or refused', { timeout: 120_000 }, () => race(foyer));
    it('control: get a place for an erased account when the guard is removed', { timeout: 120_000 }, () =>
      expectViolation(NO_PLACE, () => race(joinsErased)),
    );
  });

  it('is before or after a concurrent payment, never in the middle', { timeout: 60_000 }, async () => {
    const { client } = foyer;
    for (let round = 0; round < ROUNDS; round += 1) {
      const fan = await signUpFan(client, PRICE);
      const { sale, tokens, seats } = await openSaleForFans(foyer, [fan]);
      const [token = ''] = tokens;
      const reservation = await claim(client, token, sale, seats.slice(0, 1));
      const [erased] = await Promise.all([
        erase(foyer, fan, true),
        concurrently(5, async (index) => {
          await new Promise((resolve) => setTimeout(resolve, index * 20));
          return pay(client, token, reservation.id);
        }),
      ]);
      expect(erased.status).toBe(204);
      const owners = await expectOneOwnerPerSeat(foyer, sale);
      expect(owners.filter(({ status }) => status === 'HELD')).toEqual([]);
      expect(await expectConsistentWallet(foyer, fan)).toMatchObject({ balance: 0 });
    }
  });
});
