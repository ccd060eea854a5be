import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.js';
import { expectViolation } from '../support/race/expect-violation.js';
import { type Cluster, useCluster } from '../support/race/cluster.js';
import { concurrently, openSaleWithFans } from '../support/race/sale-with-fans.js';
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

const sleepUntil = (atMs: number): Promise<void> => sleep(Math.max(0, atMs - Date.now()));

describe('races to pay a reservation', () => {
  const foyer = useCluster();
  /**
   * A payment reads whether the reservation can be paid, but locks neither its row nor the wallet, and does not notice
   * that nothing was confirmed or sold. The database guards one payment per reservation and one entry per position as
   * well, so those constraints are dropped.
   */
  const withoutReservationGuards = useCluster({
    guards: {
      'reservation-lock': () => '',
      'seat-lock': () => '',
      'reservation-expiry': (status: string) => (status === 'EXPIRED' ? 'HELD' : status),
      'sell-all-seats': () => true,
      'wallet-unchanged': () => 'true',
      'batch-row-count': () => 'count(*)',
      'batch-distinct-users': () => (_userId: string, work: () => unknown) => work(),
    },
    sql: `ALTER TABLE payments DROP CONSTRAINT payments_reservation_id_key;
      ALTER TABLE wallet_entries DROP CONSTRAINT wallet_entries_pkey`,
  });

  describe('20 concurrent payments of one reservation', () => {
    async function race(cluster: Cluster): Promise<void> {
      const { client } = cluster;
      // The reservation consumes the place. If the payment consumed it, the lock of the place would be a second guard.
      const { sale, fans, tokens, seats } = await openSaleWithFans(cluster, 1, {
        policy: { consumeOn: 'RESERVATION' },
      });
      const [fan] = fans;
      expect((await charge(client, fan?.accessToken, 50 * PRICE)).status).toBe(201);
      const { id } = await claim(client, tokens[0] ?? '', sale, seats.slice(0, 1));
      const answers = await concurrently(20, () => pay(client, fan?.accessToken ?? '', id));
      expect(await expectConsistentWallet(cluster, fan!)).toMatchObject({ balance: 49 * PRICE, paid: 1 });
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
      expect(new Set(answers.map(({ text }) => text)).size, 'all responses are the same receipt').toBe(1);
    }

    it('debit the wallet once and all return the same receipt', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });
    it('control: debit the wallet more than once when the reservation guards are removed', () =>
      expectViolation(ONE_DEBIT_PER_RESERVATION, () => race(withoutReservationGuards)));
  });

  describe('a hold that expires while it is paid and other fans hold its seats', () => {
    const PAID_SEATS_ARE_OWNED = 'a fan who paid owns the seats';
    const HALLS = 4;
    const PAIR = [{ name: 'A', rows: 1, seatsPerRow: 2, grade: 'R', price: PRICE }];
    /** Each hall pays this much earlier than the one before; the first pays at the moment of expiry. */
    const LEAD_STEP_MS = 50;
    /** How long after the expiry the payments that began before it are delayed. */
    const PAYMENT_DELAY_MS = 30;
    const HOLD_ATTEMPTS = 5;

    /** Two seats and three fans, one of whom holds both seats for a second. */
    async function openHall(cluster: Cluster) {
      const { client } = cluster;
      const options = { policy: { holdSeconds: 1 }, sections: PAIR };
      const { sale, fans, tokens, seats } = await openSaleWithFans(cluster, 3, options);
      await Promise.all(fans.map(({ accessToken }) => charge(client, accessToken, 2 * PRICE)));
      const [holder = '', ...rivals] = tokens;
      const held = await claim(client, holder, sale, seats);
      return { sale, fans, seats, holder, rivals, held, endMs: Date.parse(held.expiresAt) };
    }
    type Hall = Awaited<ReturnType<typeof openHall>>;

    async function payLate(
      { client }: Cluster,
      { holder, held, endMs }: Hall,
      leadMs: number,
    ): Promise<Answer> {
      await sleepUntil(endMs - leadMs);
      return pay(client, holder, held.id, newKey());
    }

    /** Tries to hold both seats from the moment their hold expires, and pays immediately if it gets them. */
    async function holdExpiredSeats(
      { client }: Cluster,
      hall: Hall,
      index: 0 | 1,
    ): Promise<Answer | undefined> {
      const token = hall.rivals[index] ?? '';
      const wanted = index === 0 ? hall.seats : [...hall.seats].reverse();
      await sleepUntil(hall.endMs);
      for (let tries = 0; tries < HOLD_ATTEMPTS; tries += 1) {
        const answer = await hold(client, token, hall.sale, wanted);
        if (answer.status === 201) return pay(client, token, answer.body.id);
        expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT');
      }
      return undefined;
    }

    /** Returns the responses to the payments of each hall: the holder's, then the rivals'. */
    async function payAtExpiry(cluster: Cluster, halls: readonly Hall[]) {
      // The holders' wallets stay locked until after the expiry, so payments that began before it finish after it.
      const wallets = halls.map(({ fans }) => fans[0]?.id);
      const release = await cluster.lockRows('SELECT FROM wallets WHERE user_id = ANY($1) FOR UPDATE', [
        wallets,
      ]);
      const lastEndMs = Math.max(...halls.map(({ endMs }) => endMs));
      const released = sleepUntil(lastEndMs + PAYMENT_DELAY_MS).then(release);
      const payments = halls.map((hall, index) =>
        Promise.all([
          payLate(cluster, hall, index * LEAD_STEP_MS),
          holdExpiredSeats(cluster, hall, 0),
          holdExpiredSeats(cluster, hall, 1),
        ]),
      );
      await released;
      return Promise.all(payments);
    }

    async function race(cluster: Cluster): Promise<void> {
      const halls = await concurrently(HALLS, () => openHall(cluster));
      const payments = await payAtExpiry(cluster, halls);
      for (const [index, { sale, fans }] of halls.entries()) {
        const seats = await expectOneOwnerPerSeat(cluster, sale);
        for (const [position, answer] of payments[index]!.entries()) {
          const { balance } = await expectConsistentWallet(cluster, fans[position]!);
          if (answer?.status === 201) {
            const owned = seats.filter(({ reservationId }) => reservationId === answer.body.reservationId);
            expect(owned, PAID_SEATS_ARE_OWNED).toMatchObject([{ status: 'SOLD' }, { status: 'SOLD' }]);
            expect(balance).toBe(0);
          } else {
            expect(balance, 'a fan who was refused paid nothing').toBe(2 * PRICE);
            if (answer) expectProblem(answer, 409, 'RESERVATION_EXPIRED');
          }
        }
      }
    }

    it('ends with one owner per seat, who paid for it, and debits no one who was refused', async () => {
      for (let round = 0; round < 3; round += 1) await race(foyer);
    });
    it('control: takes money for seats sold to another fan when the reservation guards are removed', () =>
      // A late payment may also confirm its reservation, and then two reservations own the seats.
      expectViolation(PAID_SEATS_ARE_OWNED, () => race(withoutReservationGuards), ONE_OWNER_PER_SEAT));
  });

  it('does not consume the place when a payment with a key is refused as expired', async () => {
    const { client } = foyer;
    const { sale, fans, tokens, seats } = await openSaleWithFans(foyer, 2, { policy: { holdSeconds: 1 } });
    const [slow = '', quick = ''] = tokens;
    await charge(client, slow, PRICE);
    const held = await claim(client, slow, sale, seats.slice(0, 1));
    const unlock = await foyer.lockRows('SELECT FROM wallets WHERE user_id = $1 FOR UPDATE', [fans[0]?.id]);
    const paid = pay(client, slow, held.id, newKey());
    await sleepUntil(Date.parse(held.expiresAt) + 100);
    const taken = await hold(client, quick, sale, seats.slice(0, 1));
    await unlock();
    expect(taken.status, taken.text).toBe(201);
    expectProblem(await paid, 409, 'RESERVATION_EXPIRED');
    const places = await concurrently(3, () => client.get('/queue-tokens/me', slow));
    expect(places.map(({ body }) => body.status)).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE']);
  });

  it('does not free seats of another fan when a release arrives after the hold expired', async () => {
    const { client } = foyer;
    const { sale, tokens, seats } = await openSaleWithFans(foyer, 2, { policy: { holdSeconds: 1 } });
    const [slow = '', quick = ''] = tokens;
    const held = await claim(client, slow, sale, seats.slice(0, 1));
    await patchRoom(client, foyer.operator, sale, { holdSeconds: 60 });
    const unlock = await foyer.lockRows('SELECT FROM reservations WHERE id = $1 FOR UPDATE', [held.id]);
    const released = client.delete(`/reservations/${held.id}`, slow);
    await sleepUntil(Date.parse(held.expiresAt) + 100);
    const taken = await hold(client, quick, sale, seats.slice(0, 1));
    await unlock();
    expect(taken.status, taken.text).toBe(201);
    expectProblem(await released, 409, 'RESERVATION_NOT_HELD');
    const path = `/schedules/${sale.scheduleIds[0] ?? ''}/seats?limit=1`;
    const shown = await concurrently(3, () => client.get(path, quick));
    expect(shown.map(({ body }) => body.items[0].status)).toEqual(['HELD', 'HELD', 'HELD']);
  });
});
