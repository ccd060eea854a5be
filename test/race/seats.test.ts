import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { openSaleWithFans, concurrently } from '../support/race/sale-with-fans.js';
import { expectOneOwnerPerSeat, ONE_OWNER_PER_SEAT } from '../support/race/stored-state.js';
import { hold, PRICE } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';

const wins = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 201);
const losses = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status !== 201);

describe('races for seats', () => {
  const foyer = useCluster();

  describe('50 fans want one seat', () => {
    const ONE_WINNER = 'one fan gets the seat';

    async function race(cluster: Cluster): Promise<void> {
      const { sale, tokens, seats } = await openSaleWithFans(cluster, 50);
      for (const seat of seats.slice(0, 3)) {
        const answers = await Promise.all(tokens.map((token) => hold(cluster.client, token, sale, [seat])));
        expect(wins(answers), ONE_WINNER).toHaveLength(1);
        for (const answer of losses(answers)) {
          expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT', { seatIds: [seat] });
        }
        const onRecord = await expectOneOwnerPerSeat(cluster, sale);
        const won = { id: seat, status: 'HELD', reservationId: wins(answers)[0]?.body.id as string };
        expect(onRecord).toContainEqual(expect.objectContaining(won));
      }
    }

    it('one gets it, and everybody else is told that it is taken', () => race(foyer));

    describe('control: whether it is free is looked up first, and not decided by the update', () => {
      // Right as long as one fan comes after another: the subquery sees what was so when the statement began.
      const sabotaged = useCluster({
        guards: {
          'seat-available': () =>
            "NOT EXISTS (SELECT 1 FROM seats s WHERE s.id = ANY($1) AND s.status <> 'AVAILABLE')",
        },
      });
      it('several get it', () => expectViolation(ONE_WINNER, () => race(sabotaged)));
    });
  });

  describe('40 fans want overlapping sets of seats in opposite orders', () => {
    const size = 3;

    async function race(cluster: Cluster): Promise<void> {
      const { sale, tokens, seats } = await openSaleWithFans(cluster, 40);
      const answers = await concurrently(tokens.length, (index) => {
        const wanted = Array.from({ length: size }, (_, next) => seats[(index + next) % seats.length] ?? '');
        if (index % 2 === 1) wanted.reverse();
        return hold(cluster.client, tokens[index] ?? '', sale, wanted);
      });
      const onRecord = await expectOneOwnerPerSeat(cluster, sale);
      for (const answer of losses(answers)) expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT');
      for (const { body } of wins(answers)) {
        const owned = onRecord.filter(({ reservationId }) => reservationId === body.id);
        expect(owned.map(({ id }) => id)).toEqual((body.seats as { id: string }[]).map(({ id }) => id));
      }
      const taken = onRecord.filter(({ status }) => status !== 'AVAILABLE');
      expect(taken, 'who got nothing holds nothing').toHaveLength(size * wins(answers).length);
      // Of ten seats in a ring one set leaves seven side by side: somebody else wanted three of those.
      expect(wins(answers).length).toBeGreaterThanOrEqual(2);
    }

    it('each gets all of them or none', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });

    describe('control: some of the seats are enough', () => {
      const sabotaged = useCluster({ guards: { 'seat-claim-complete': () => false } });
      it('a seat stands in two reservations', () =>
        expectViolation(ONE_OWNER_PER_SEAT, () => race(sabotaged)));
    });
  });

  describe('30 fans want the best two of 60 seats', () => {
    const EVERYBODY_SEATED = 'everybody gets two seats, as long as there are any';
    const sections = [{ name: 'A', rows: 6, seatsPerRow: 10, grade: 'R', price: PRICE }];

    async function race(cluster: Cluster): Promise<void> {
      const { sale, tokens } = await openSaleWithFans(cluster, 30, { sections });
      const wish = { scheduleId: sale.scheduleIds[0], count: 2 };
      const answers = await Promise.all(
        tokens.map((token) => cluster.client.post('/reservations/best', token, wish)),
      );
      const onRecord = await expectOneOwnerPerSeat(cluster, sale);
      expect(wins(answers), EVERYBODY_SEATED).toHaveLength(tokens.length);
      expect(onRecord.map(({ status }) => status)).not.toContain('AVAILABLE');
      for (const { body } of wins(answers)) {
        const owned = onRecord.filter(({ reservationId }) => reservationId === body.id);
        expect(owned.map(({ id }) => id)).toEqual((body.seats as { id: string }[]).map(({ id }) => id));
      }
    }

    it('everybody gets them, and no seat is given twice', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });

    describe('control: whoever was beaten does not choose again', () => {
      const sabotaged = useCluster({ guards: { 'best-seats-attempts': () => 1 } });
      it('some get nothing', () => expectViolation(EVERYBODY_SEATED, () => race(sabotaged)));
    });
  });

  describe('one fan holds ten seats at once, one by one', () => {
    const WITHIN_LIMIT = 'a fan has no more seats than the policy allows';
    const limit = 4;

    async function race(cluster: Cluster): Promise<void> {
      const { sale, fans, tokens, seats } = await openSaleWithFans(cluster, 1, {
        policy: { maxSeatsPerUser: limit },
      });
      const credentials = [tokens[0] ?? '', fans[0]?.accessToken ?? ''];
      const answers = await concurrently(seats.length, (index) =>
        hold(cluster.client, credentials[index % 2] ?? '', sale, [seats[index] ?? '']),
      );
      const onRecord = await expectOneOwnerPerSeat(cluster, sale);
      const taken = onRecord.filter(({ status }) => status !== 'AVAILABLE');
      expect(taken.length, WITHIN_LIMIT).toBeLessThanOrEqual(limit);
      expect(wins(answers)).toHaveLength(limit);
      for (const answer of losses(answers)) expectProblem(answer, 409, 'SEAT_LIMIT_EXCEEDED', { limit });
    }

    it('and gets as many as the policy allows', async () => {
      for (let round = 0; round < 5; round += 1) await race(foyer);
    });

    describe('control: the holds of one fan do not take turns', () => {
      const sabotaged = useCluster({ guards: { 'hold-place-lock': () => () => Promise.resolve() } });
      it('and gets more', () => expectViolation(WITHIN_LIMIT, () => race(sabotaged)));
    });
  });
});
