import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { concurrently, openSaleWithFans } from '../support/race/sale-with-fans.js';
import { expectConsistentWallet, expectOneOwnerPerSeat } from '../support/race/stored-state.js';
import { hold, PRICE } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { charge } from '../support/steps.js';

const AMOUNT = 1000;
/** Longer than a session of PostgreSQL keeps its statistics to itself. */
const STATISTICS_DELAY_MS = 1500;

describe('concurrent writes share a transaction', () => {
  const foyer = useCluster();

  describe('sixty fans hold overlapping seats through three processes', () => {
    const NO_DEADLOCK = 'the database has ended no deadlock';
    const FANS = 60;
    const SEATS = [{ name: 'A', rows: 4, seatsPerRow: 10, grade: 'R', price: PRICE }];

    const countDeadlocks = async (cluster: Cluster): Promise<number> => {
      const [row] = await cluster.query<{ deadlocks: string }>(
        'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
        [],
      );
      return Number(row?.deadlocks);
    };

    async function race(cluster: Cluster): Promise<void> {
      for (let round = 0; round < 4; round += 1) {
        const { sale, tokens, seats } = await openSaleWithFans(cluster, FANS, { sections: SEATS });
        await concurrently(FANS, (index) => {
          const first = (index * 7 + round) % seats.length;
          const wanted = [seats[first] ?? '', seats[(first + 13) % seats.length] ?? ''];
          return hold(cluster.client, tokens[index] ?? '', sale, wanted);
        });
        await expectOneOwnerPerSeat(cluster, sale);
      }
      await sleep(STATISTICS_DELAY_MS);
      expect(await countDeadlocks(cluster), NO_DEADLOCK).toBe(0);
    }

    it('and no transaction deadlocks', () => race(foyer));

    describe('control', () => {
      const inOrderOfArrival = useCluster({
        guards: { 'batch-lock-order': (column: string) => `array_position($1, ${column})` },
      });
      it('transactions deadlock when they lock rows in order of arrival', () =>
        expectViolation(NO_DEADLOCK, () => race(inOrderOfArrival)));
    });
  });

  describe('twenty concurrent charges of one fan at one process', () => {
    const EVERY_CHARGE_COUNTS = 'every charge that succeeded is in the balance';

    async function race(cluster: Cluster): Promise<void> {
      const [fan] = await cluster.createFans(1);
      const answers = await concurrently(20, () => charge(cluster.firstProcess, fan?.accessToken, AMOUNT));
      const charged = answers.filter(({ status }) => status === 201).length;
      const [wallet] = await cluster.query<{ balance: string }>(
        'SELECT balance FROM wallets WHERE user_id = $1',
        [fan?.id],
      );
      expect(Number(wallet?.balance), EVERY_CHARGE_COUNTS).toBe(charged * AMOUNT);
      expect(charged).toBe(20);
    }

    it('are all in the balance', () => race(foyer));

    describe('control', () => {
      const severalPerBatch = useCluster({
        guards: {
          'batch-distinct-users': () => (_userId: string, work: () => unknown) => work(),
          'batch-row-count': () => 'count(*)',
          'wallet-unchanged': () => 'true',
        },
        sql: 'ALTER TABLE wallet_entries DROP CONSTRAINT wallet_entries_pkey',
      });
      it('are lost when two calls of one user are in one batch', () =>
        expectViolation(EVERY_CHARGE_COUNTS, () => race(severalPerBatch)));
    });
  });

  describe('thirty fans hold seats at one process, some of them the same', () => {
    const ACCEPTED_ARE_STORED = 'every hold that succeeded owns its seats';

    async function race(cluster: Cluster): Promise<void> {
      const { sale, tokens, seats } = await openSaleWithFans(cluster, 30);
      const answers = await concurrently(tokens.length, (index) =>
        hold(cluster.firstProcess, tokens[index] ?? '', sale, [seats[index % seats.length] ?? '']),
      );
      const held = answers.filter(({ status }) => status === 201);
      const stored = await expectOneOwnerPerSeat(cluster, sale);
      const owners = stored.flatMap(({ reservationId }) => reservationId ?? []);
      expect(owners.sort(), ACCEPTED_ARE_STORED).toEqual(held.map(({ body }) => body.id as string).sort());
      expect(held).toHaveLength(seats.length);
      for (const answer of answers.filter(({ status }) => status !== 201))
        expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT');
    }

    it('and a refused one undoes none of the others', () => race(foyer));

    describe('control', () => {
      const undoneByRefusals = useCluster({
        guards: {
          'batch-keeps-accepted': ({
            accepted,
            others,
          }: {
            accepted: readonly unknown[];
            others: number;
          }) => ({
            accepted: others > 0 ? [] : accepted,
          }),
        },
      });
      it('answers holds that are not stored when a refused member undoes the others', () =>
        expectViolation(ACCEPTED_ARE_STORED, () => race(undoneByRefusals)));
    });
  });

  it('charge all fans but the one whose wallet stays locked', async () => {
    const fans = await foyer.createFans(12);
    const release = await foyer.lockRows('SELECT FROM wallets WHERE user_id = $1 FOR UPDATE', [fans[5]?.id]);
    const answers = await concurrently(fans.length, (index) =>
      charge(foyer.firstProcess, fans[index]?.accessToken, AMOUNT),
    );
    await release();
    const expected = fans.map((_, index) => (index === 5 ? 503 : 201));
    expect(answers.map(({ status }) => status)).toEqual(expected);
    for (const [index, fan] of fans.entries())
      expect((await expectConsistentWallet(foyer, fan)).balance).toBe(index === 5 ? 0 : AMOUNT);
    expect((await charge(foyer.firstProcess, fans[5]?.accessToken, AMOUNT)).status).toBe(201);
  });

  it('charge all fans but one whose account does not exist', async () => {
    const fans = await foyer.createFans(8);
    await foyer.query('DELETE FROM wallets WHERE user_id = $1', [fans[3]?.id]);
    const answers = await concurrently(fans.length, (index) =>
      charge(foyer.firstProcess, fans[index]?.accessToken, AMOUNT),
    );
    const expected = fans.map((_, index) => (index === 3 ? 404 : 201));
    expect(answers.map(({ status }) => status)).toEqual(expected);
  });
});
