import { describe, expect, it } from 'vitest';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { concurrently, openSaleWithFans } from '../support/race/sale-with-fans.js';
import { expectOneOwnerPerSeat, expectConsistentWallet } from '../support/race/stored-state.js';
import { hold, pay, PRICE } from '../support/sale.js';
import { charge, claim } from '../support/steps.js';

const ONE_REFUND = 'a payment is refunded once';

describe('races to refund a payment', () => {
  const foyer = useCluster();
  /** A refund reads first whether the payment was refunded, and no later statement checks it again. */
  const withoutRefundGuards = useCluster({
    guards: {
      'refund-once': () => '(SELECT p.refunded_at FROM payments p WHERE p.id = $1) IS NULL',
      'refund-confirmed': () => 'true',
      'refund-frees-seats': () => true,
    },
  });

  /** A buyer who has paid for the first two seats, and rivals with an ACTIVE place. */
  async function sellTwoSeats(cluster: Cluster, rivalCount: number) {
    const { client } = cluster;
    const opened = await openSaleWithFans(cluster, 1 + rivalCount);
    await Promise.all(opened.fans.map(({ accessToken }) => charge(client, accessToken, 2 * PRICE)));
    const [token = ''] = opened.tokens;
    const seats = opened.seats.slice(0, 2);
    const receipt = (await pay(client, token, (await claim(client, token, opened.sale, seats)).id)).body;
    return { ...opened, seats, receipt, buyer: opened.fans[0]!, rivals: opened.tokens.slice(1) };
  }

  const refund = ({ client, operator }: Cluster, paymentId: string) =>
    client.post(`/operator/payments/${paymentId}/refund`, operator);

  const refundsOf = (cluster: Cluster, paymentId: string) =>
    cluster.query(`SELECT id FROM wallet_entries WHERE type = 'REFUND' AND reference = $1`, [paymentId]);

  describe('20 concurrent refunds of one payment', () => {
    async function race(cluster: Cluster): Promise<void> {
      const { buyer, receipt, sale } = await sellTwoSeats(cluster, 0);
      const answers = await concurrently(20, () => refund(cluster, receipt.id));
      expect(await refundsOf(cluster, receipt.id), ONE_REFUND).toHaveLength(1);
      expect(await expectConsistentWallet(cluster, buyer)).toMatchObject({ balance: 2 * PRICE });
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
      expect(new Set(answers.map(({ text }) => text)).size, 'all responses are the same').toBe(1);
      const entries = await cluster.query(
        `SELECT id FROM audit_entries WHERE concert_id = $1 AND action = 'PAYMENT_REFUNDED'`,
        [sale.concertId],
      );
      expect(entries).toHaveLength(1);
    }

    it('return the money once and all get the same response', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });
    it('control: return the money more than once when the refund guards are removed', () =>
      expectViolation(ONE_REFUND, () => race(withoutRefundGuards)));
  });

  it('leaves one owner per seat when other fans hold the seats and the buyer repeats the payment', async () => {
    const { client } = foyer;
    for (let round = 0; round < 3; round += 1) {
      const { sale, fans, seats, receipt, buyer, rivals } = await sellTwoSeats(foyer, 6);
      const holdAndPay = async (token: string): Promise<number> => {
        for (let tries = 0; tries < 10; tries += 1) {
          const answer = await hold(client, token, sale, seats);
          if (answer.status === 201) return (await pay(client, token, answer.body.id)).status;
        }
        return 409;
      };
      const [answers, payments] = await Promise.all([
        concurrently(3, () => refund(foyer, receipt.id)),
        Promise.all(rivals.map(holdAndPay)),
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
