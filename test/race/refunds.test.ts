import { describe, expect, it } from 'vitest';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { openSaleWithFans, concurrently } from '../support/race/sale-with-fans.js';
import { expectOneOwnerPerSeat, expectConsistentWallet } from '../support/race/stored-state.js';
import { hold, pay, PRICE } from '../support/sale.js';
import { charge, claim } from '../support/steps.js';

const ONE_REFUND = 'a payment was given back once';

describe('races for a refund', () => {
  const foyer = useCluster();
  /** Whether a payment was given back is looked up first, and nothing that follows decides it again. */
  const sabotaged = useCluster({
    guards: {
      'refund-once': () => '(SELECT p.refunded_at FROM payments p WHERE p.id = $1) IS NULL',
      'refund-confirmed': () => 'true',
      'refund-frees-seats': () => true,
    },
  });

  /** A fan who has paid for the first two seats, and others who are inside. */
  async function sellTwo(cluster: Cluster, others: number) {
    const { client } = cluster;
    const crowd = await openSaleWithFans(cluster, 1 + others);
    await Promise.all(crowd.fans.map(({ accessToken }) => charge(client, accessToken, 2 * PRICE)));
    const [token = ''] = crowd.tokens;
    const seats = crowd.seats.slice(0, 2);
    const receipt = (await pay(client, token, (await claim(client, token, crowd.sale, seats)).id)).body;
    return { ...crowd, seats, receipt, buyer: crowd.fans[0]!, takers: crowd.tokens.slice(1) };
  }

  const refund = ({ client, operator }: Cluster, paymentId: string) =>
    client.post(`/operator/payments/${paymentId}/refund`, operator);

  const refundsOf = (cluster: Cluster, paymentId: string) =>
    cluster.query(`SELECT id FROM wallet_entries WHERE type = 'REFUND' AND reference = $1`, [paymentId]);

  describe('it is given 20 times at once', () => {
    async function race(cluster: Cluster): Promise<void> {
      const { buyer, receipt, sale } = await sellTwo(cluster, 0);
      const answers = await concurrently(20, () => refund(cluster, receipt.id));
      expect(await refundsOf(cluster, receipt.id), ONE_REFUND).toHaveLength(1);
      expect(await expectConsistentWallet(cluster, buyer)).toMatchObject({ balance: 2 * PRICE });
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
      expect(new Set(answers.map(({ text }) => text)).size, 'one answer').toBe(1);
      const entries = await cluster.query(
        `SELECT id FROM audit_entries WHERE concert_id = $1 AND action = 'PAYMENT_REFUNDED'`,
        [sale.concertId],
      );
      expect(entries).toHaveLength(1);
    }

    it('the money goes back once, and all get the same answer', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });
    it('control: without its guard the money goes back more than once', () =>
      expectViolation(ONE_REFUND, () => race(sabotaged)));
  });

  it('it is given while others want the seats and their fan pays again: every seat has one owner', async () => {
    const { client } = foyer;
    for (let round = 0; round < 3; round += 1) {
      const { sale, fans, seats, receipt, buyer, takers } = await sellTwo(foyer, 6);
      const take = async (token: string): Promise<number> => {
        for (let tries = 0; tries < 10; tries += 1) {
          const answer = await hold(client, token, sale, seats);
          if (answer.status === 201) return (await pay(client, token, answer.body.id)).status;
        }
        return 409;
      };
      const [answers, payments] = await Promise.all([
        concurrently(3, () => refund(foyer, receipt.id)),
        Promise.all(takers.map(take)),
        concurrently(5, () => pay(client, buyer.accessToken, receipt.reservationId)),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
      const owners = await expectOneOwnerPerSeat(foyer, sale);
      const sold = owners.filter(({ status }) => status === 'SOLD');
      expect(payments.filter((status) => status === 201).length).toBe(sold.length / 2);
      expect(await expectConsistentWallet(foyer, buyer)).toMatchObject({ balance: 2 * PRICE });
      for (const fan of fans) await expectConsistentWallet(foyer, fan);
    }
  });
});
