import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { openSaleWithFans, concurrently } from '../support/race/sale-with-fans.js';
import {
  expectOneOwnerPerSeat,
  expectConsistentWallet,
  ONE_DEBIT_PER_RESERVATION,
  ONE_OWNER_PER_SEAT,
} from '../support/race/stored-state.js';
import { hold, newKey, pay, PRICE } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { patchRoom } from '../support/booking.js';
import { charge, claim } from '../support/steps.js';

const until = (atMs: number): Promise<void> => sleep(Math.max(0, atMs - Date.now()));

describe('races for a reservation', () => {
  const foyer = useCluster();
  /**
   * Whether a reservation can be paid is looked up first and not decided again: its row is not locked, and it goes
   * unnoticed that nothing was confirmed or sold. That it has one payment, the database would guard too.
   */
  const sabotaged = useCluster({
    guards: { 'reservation-lock': () => '', 'confirm-once': () => true, 'sell-all-seats': () => false },
    sql: 'ALTER TABLE payments DROP CONSTRAINT payments_reservation_id_key',
  });

  describe('it is paid 20 times at once', () => {
    async function race(cluster: Cluster): Promise<void> {
      const { client } = cluster;
      // Reserving uses the place up: where paying does, the lock of the place would be one more guard.
      const { sale, fans, tokens, seats } = await openSaleWithFans(cluster, 1, {
        policy: { consumeOn: 'RESERVATION' },
      });
      const [fan] = fans;
      expect((await charge(client, fan?.accessToken, 50 * PRICE)).status).toBe(201);
      const { id } = await claim(client, tokens[0] ?? '', sale, seats.slice(0, 1));
      const answers = await concurrently(20, () => pay(client, fan?.accessToken ?? '', id));
      expect(await expectConsistentWallet(cluster, fan!)).toMatchObject({ balance: 49 * PRICE, paid: 1 });
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
      expect(new Set(answers.map(({ text }) => text)).size, 'one receipt').toBe(1);
    }

    it('it is debited once, and all get the receipt', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });
    it('control: without its lock it is debited more than once', () =>
      expectViolation(ONE_DEBIT_PER_RESERVATION, () => race(sabotaged)));
  });

  describe('it runs out while it is paid, and others want its seats', () => {
    const PAID_IS_OWNED = 'who paid owns the seats';
    const HALLS = 4;
    const PAIR = [{ name: 'A', rows: 1, seatsPerRow: 2, grade: 'R', price: PRICE }];
    /** How long before its end a hold is paid, from one hall to the next: the first comes too late, or almost. */
    const LEAD_STEP_MS = 50;
    /** How long after the end the payments that were begun in time go on. */
    const SLOW_MS = 30;
    const TAKE_OVER_TRIES = 5;

    /** A hall of two seats and three fans, one of whom holds both for a second. */
    async function openHall(cluster: Cluster) {
      const { client } = cluster;
      const options = { policy: { holdSeconds: 1 }, sections: PAIR };
      const { sale, fans, tokens, seats } = await openSaleWithFans(cluster, 3, options);
      await Promise.all(fans.map(({ accessToken }) => charge(client, accessToken, 2 * PRICE)));
      const [holder = '', ...takers] = tokens;
      const held = await claim(client, holder, sale, seats);
      return { sale, fans, seats, holder, takers, held, endMs: Date.parse(held.expiresAt) };
    }
    type Hall = Awaited<ReturnType<typeof openHall>>;

    async function payLate(
      { client }: Cluster,
      { holder, held, endMs }: Hall,
      leadMs: number,
    ): Promise<Answer> {
      await until(endMs - leadMs);
      return pay(client, holder, held.id, newKey());
    }

    /** Wants both seats again and again from the end of their hold on, and pays at once for what it gets. */
    async function takeOver({ client }: Cluster, hall: Hall, index: 0 | 1): Promise<Answer | undefined> {
      const token = hall.takers[index] ?? '';
      const wanted = index === 0 ? hall.seats : [...hall.seats].reverse();
      await until(hall.endMs);
      for (let tries = 0; tries < TAKE_OVER_TRIES; tries += 1) {
        const answer = await hold(client, token, hall.sale, wanted);
        if (answer.status === 201) return pay(client, token, answer.body.id);
        expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT');
      }
      return undefined;
    }

    /** Answers each fan's payment, hall by hall. */
    async function payAndTakeOver(cluster: Cluster, halls: readonly Hall[]) {
      // The holders' wallets are busy until after the end: who began to pay before it is still at it.
      const wallets = halls.map(({ fans }) => fans[0]?.id);
      const release = await cluster.lockRows('SELECT FROM wallets WHERE user_id = ANY($1) FOR UPDATE', [
        wallets,
      ]);
      const lastEndMs = Math.max(...halls.map(({ endMs }) => endMs));
      const released = until(lastEndMs + SLOW_MS).then(release);
      const payments = halls.map((hall, index) =>
        Promise.all([
          payLate(cluster, hall, index * LEAD_STEP_MS),
          takeOver(cluster, hall, 0),
          takeOver(cluster, hall, 1),
        ]),
      );
      await released;
      return Promise.all(payments);
    }

    async function race(cluster: Cluster): Promise<void> {
      const halls = await concurrently(HALLS, () => openHall(cluster));
      const payments = await payAndTakeOver(cluster, halls);
      for (const [index, { sale, fans }] of halls.entries()) {
        const seats = await expectOneOwnerPerSeat(cluster, sale);
        for (const [position, answer] of payments[index]!.entries()) {
          const { balance } = await expectConsistentWallet(cluster, fans[position]!);
          if (answer?.status === 201) {
            const owned = seats.filter(({ reservationId }) => reservationId === answer.body.reservationId);
            expect(owned, PAID_IS_OWNED).toMatchObject([{ status: 'SOLD' }, { status: 'SOLD' }]);
            expect(balance).toBe(0);
          } else {
            expect(balance, 'who was refused paid nothing').toBe(2 * PRICE);
            if (answer) expectProblem(answer, 409, 'RESERVATION_EXPIRED');
          }
        }
      }
    }

    it('each seat has one owner, who paid for it; who was refused paid nothing', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });
    it('control: without its lock somebody pays for seats that are gone', () =>
      // Who paid too late may still be confirmed, and then two believe to have the seats.
      expectViolation(PAID_IS_OWNED, () => race(sabotaged), ONE_OWNER_PER_SEAT));
  });

  it('a payment that comes too late has used nothing up, though its refusal is kept under a key', async () => {
    const { client } = foyer;
    const { sale, fans, tokens, seats } = await openSaleWithFans(foyer, 2, { policy: { holdSeconds: 1 } });
    const [slow = '', quick = ''] = tokens;
    await charge(client, slow, PRICE);
    const held = await claim(client, slow, sale, seats.slice(0, 1));
    const letGo = await foyer.lockRows('SELECT FROM wallets WHERE user_id = $1 FOR UPDATE', [fans[0]?.id]);
    const paid = pay(client, slow, held.id, newKey());
    await until(Date.parse(held.expiresAt) + 100);
    const taken = await hold(client, quick, sale, seats.slice(0, 1));
    await letGo();
    expect(taken.status, taken.text).toBe(201);
    expectProblem(await paid, 409, 'RESERVATION_EXPIRED');
    const places = await concurrently(3, () => client.get('/queue-tokens/me', slow));
    expect(places.map(({ body }) => body.status)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE']);
  });

  it('a release that comes too late frees nothing of who has taken the seats over', async () => {
    const { client } = foyer;
    const { sale, tokens, seats } = await openSaleWithFans(foyer, 2, { policy: { holdSeconds: 1 } });
    const [slow = '', quick = ''] = tokens;
    const held = await claim(client, slow, sale, seats.slice(0, 1));
    await patchRoom(client, foyer.operator, sale, { holdSeconds: 60 });
    const letGo = await foyer.lockRows('SELECT FROM reservations WHERE id = $1 FOR UPDATE', [held.id]);
    const released = client.delete(`/reservations/${held.id}`, slow);
    await until(Date.parse(held.expiresAt) + 100);
    const taken = await hold(client, quick, sale, seats.slice(0, 1));
    await letGo();
    expect(taken.status, taken.text).toBe(201);
    expectProblem(await released, 409, 'RESERVATION_NOT_HELD');
    const path = `/schedules/${sale.scheduleIds[0] ?? ''}/seats?limit=1`;
    const shown = await concurrently(3, () => client.get(path, quick));
    expect(shown.map(({ body }) => body.items[0].status)).toEqual(['HELD', 'HELD', 'HELD']);
  });
});
