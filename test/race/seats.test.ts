import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { concurrently, openSaleWithFans } from '../support/race/sale-with-fans.js';
import { expectOneOwnerPerSeat, ONE_OWNER_PER_SEAT } from '../support/race/stored-state.js';
import { hold, PRICE } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';

const succeeded = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 201);
const refused = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status !== 201);

describe('races to hold seats', () => {
  const foyer = useCluster();

  describe('50 fans hold the same seat concurrently', () => {
    const ONE_HOLDER = 'one fan gets the seat';

    async function race(cluster: Cluster): Promise<void> {
      const { sale, tokens, seats } = await openSaleWithFans(cluster, 50);
      for (const seat of seats.slice(0, 3)) {
        const answers = await Promise.all(tokens.map((token) => hold(cluster.client, token, sale, [seat])));
        expect(succeeded(answers), ONE_HOLDER).toHaveLength(1);
        for (const answer of refused(answers)) {
          expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT', { seatIds: [seat] });
        }
        const stored = await expectOneOwnerPerSeat(cluster, sale);
        const heldSeat = {
          id: seat,
          status: 'HELD',
          reservationId: succeeded(answers)[0]?.body.id as string,
        };
        expect(stored).toContainEqual(expect.objectContaining(heldSeat));
      }
    }

    it('gives it to one fan and refuses the others with ALREADY_RESERVED_SEAT', () => race(foyer));

    describe('control', () => {
      // Correct without concurrency: a hold reads the seat before it claims it.
      const withoutSeatLock = useCluster({
        guards: { 'seat-lock': () => '', 'claim-available': () => 'true' },
      });
      it('gives one seat to several fans when the seat is not locked', () =>
        expectViolation(ONE_HOLDER, () => race(withoutSeatLock)));
    });
  });

  describe('40 fans hold overlapping sets of seats in opposite orders', () => {
    const setSize = 3;

    async function race(cluster: Cluster): Promise<void> {
      const { sale, tokens, seats } = await openSaleWithFans(cluster, 40);
      const answers = await concurrently(tokens.length, (index) => {
        const wanted = Array.from(
          { length: setSize },
          (_, next) => seats[(index + next) % seats.length] ?? '',
        );
        if (index % 2 === 1) wanted.reverse();
        return hold(cluster.client, tokens[index] ?? '', sale, wanted);
      });
      const stored = await expectOneOwnerPerSeat(cluster, sale);
      for (const answer of refused(answers)) expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT');
      for (const { body } of succeeded(answers)) {
        const owned = stored.filter(({ reservationId }) => reservationId === body.id);
        expect(owned.map(({ id }) => id)).toEqual((body.seats as { id: string }[]).map(({ id }) => id));
      }
      const taken = stored.filter(({ status }) => status !== 'AVAILABLE');
      expect(taken, 'a refused hold takes no seat').toHaveLength(setSize * succeeded(answers).length);
      // One set leaves seven adjacent seats of the ring of ten, and another fan requested three of those.
      expect(succeeded(answers).length).toBeGreaterThanOrEqual(2);
    }

    it('gives each fan all requested seats or none', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });

    describe('control', () => {
      const withoutSeatLock = useCluster({
        guards: { 'seat-lock': () => '', 'claim-available': () => 'true' },
      });
      it('puts a seat into two reservations when the seats are not locked', () =>
        expectViolation(ONE_OWNER_PER_SEAT, () => race(withoutSeatLock)));
    });
  });

  describe('30 fans request the best two of 60 seats concurrently', () => {
    const EVERY_FAN_SEATED = 'every fan gets two seats while seats are available';
    const sections = [{ name: 'A', rows: 6, seatsPerRow: 10, grade: 'R', price: PRICE }];

    async function race(cluster: Cluster): Promise<void> {
      const { sale, tokens } = await openSaleWithFans(cluster, 30, { sections });
      const request = { scheduleId: sale.scheduleIds[0], count: 2 };
      const answers = await Promise.all(
        tokens.map((token) => cluster.client.post('/reservations/best', token, request)),
      );
      const stored = await expectOneOwnerPerSeat(cluster, sale);
      expect(succeeded(answers), EVERY_FAN_SEATED).toHaveLength(tokens.length);
      expect(stored.map(({ status }) => status)).not.toContain('AVAILABLE');
      for (const { body } of succeeded(answers)) {
        const owned = stored.filter(({ reservationId }) => reservationId === body.id);
        expect(owned.map(({ id }) => id)).toEqual((body.seats as { id: string }[]).map(({ id }) => id));
      }
    }

    it('gives every fan two seats, each seat to one fan only', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });

    describe('control', () => {
      const withoutRetry = useCluster({ guards: { 'best-seats-attempts': () => 1 } });
      it('leaves some fans without seats when the best-seats-attempts guard is removed', () =>
        expectViolation(EVERY_FAN_SEATED, () => race(withoutRetry)));
    });
  });

  describe('one fan sends ten concurrent holds of one seat each', () => {
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
      const stored = await expectOneOwnerPerSeat(cluster, sale);
      const taken = stored.filter(({ status }) => status !== 'AVAILABLE');
      expect(taken.length, WITHIN_LIMIT).toBeLessThanOrEqual(limit);
      expect(succeeded(answers)).toHaveLength(limit);
      for (const answer of refused(answers)) expectProblem(answer, 409, 'SEAT_LIMIT_EXCEEDED', { limit });
    }

    it('gives the fan as many seats as the policy allows', async () => {
      for (let round = 0; round < 5; round += 1) await race(foyer);
    });

    describe('control', () => {
      const withoutPlaceLock = useCluster({ guards: { 'hold-place-lock': () => '' } });
      it('gives the fan more seats than allowed when the hold-place-lock guard is removed', () =>
        expectViolation(WITHIN_LIMIT, () => race(withoutPlaceLock)));
    });
  });
});
