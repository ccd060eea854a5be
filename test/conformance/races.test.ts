import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Booking,
  enterSale,
  holdSeats,
  patchRoom,
  poll,
  seatsAt,
  startBooking,
  untilPast,
} from '../support/booking.js';
import type { Answer } from '../support/client.js';
import { DATABASES } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import {
  eventually,
  type Fan,
  hold,
  join,
  joinActive,
  newKey,
  openSale,
  pay,
  PRICE,
  type Sale,
  seatIds,
  signUpFan,
  signUpFans,
} from '../support/sale.js';
import { expectList, expectProblem } from '../support/shapes.js';
import { balanceOf, charge, leave, statsOf } from '../support/steps.js';

const CROWD = 200;

const concurrently = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const withStatus = (answers: readonly Answer[], status: number): Answer[] =>
  answers.filter((answer) => answer.status === status);
const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();

for (const database of DATABASES) {
  describe(`concurrent requests on ${database.name}`, () => {
    const foyer = useFoyer(database);
    let crowd: Fan[] = [];
    beforeAll(async () => {
      crowd = await signUpFans(foyer.client, CROWD);
    });

    const entriesOf = async ({ accessToken }: Fan) =>
      expectList(await foyer.client.get('/wallet/entries', accessToken));
    const paymentEntriesOf = async (fan: Fan) =>
      (await entriesOf(fan)).filter(({ type }) => type === 'PAYMENT');
    const release = ({ token }: Booking, reservationId: string): Promise<Answer> =>
      foyer.client.delete(`/reservations/${reservationId}`, token);

    /** Opens a sale without a limit of ACTIVE fans and admits these fans. */
    async function admitFans(
      fans: readonly Fan[],
      policy: object = {},
    ): Promise<{ sale: Sale; tokens: string[]; seats: string[] }> {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: { maxActive: null, ...policy } });
      const tokens = await Promise.all(fans.map((fan) => joinActive(client, fan, sale)));
      return { sale, tokens, seats: await seatIds(client, tokens[0] ?? '', sale) };
    }

    describe('for seats', () => {
      it('give one seat to exactly one of 200 fans', async () => {
        const { client, operator } = foyer;
        const { sale, tokens, seats } = await admitFans(crowd);
        const [seat = ''] = seats;
        const answers = await Promise.all(tokens.map((token) => hold(client, token, sale, [seat])));
        expect(withStatus(answers, 201)).toHaveLength(1);
        for (const answer of answers) {
          if (answer.status !== 201) expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT', { seatIds: [seat] });
        }
        expect(await statsOf(client, operator, sale)).toMatchObject({ seatsHeld: 1, active: CROWD });
      });

      it('give each fan both seats of a pair or none, for overlapping pairs in opposite orders', async () => {
        const { client, operator } = foyer;
        const { sale, tokens, seats } = await admitFans(crowd.slice(0, 60));
        const answers = await concurrently(tokens.length, (index) => {
          const pair = [seats[index % 10] ?? '', seats[(index + 1) % 10] ?? ''];
          return hold(client, tokens[index] ?? '', sale, index % 2 === 0 ? pair : pair.reverse());
        });
        const won = withStatus(answers, 201);
        for (const answer of answers) {
          if (answer.status !== 201) expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT');
        }
        const held = won.flatMap(({ body }) => (body.seats as { id: string }[]).map(({ id }) => id));
        expect(new Set(held).size, 'no seat is held twice').toBe(held.length);
        expect(held).toHaveLength(2 * won.length);
        // Each hold blocks three of the ten requested pairs, so at least three holds must succeed.
        expect(won.length).toBeGreaterThanOrEqual(3);
        expect(await statsOf(client, operator, sale)).toMatchObject({ seatsHeld: held.length });
      });

      it('give a seat whose hold has just expired to exactly one fan', async () => {
        const { client } = foyer;
        const { sale, tokens, seats } = await admitFans(crowd.slice(0, 40), { holdSeconds: 1 });
        const [seat = ''] = seats;
        const first = await hold(client, tokens[0] ?? '', sale, [seat]);
        await untilPast(first.body.expiresAt);
        await patchRoom(client, foyer.operator, sale, { holdSeconds: 60 });
        const answers = await Promise.all(tokens.slice(1).map((token) => hold(client, token, sale, [seat])));
        expect(withStatus(answers, 201)).toHaveLength(1);
        expect(withStatus(answers, 409)).toHaveLength(38);
      });

      it('never give one fan more seats than maxSeatsPerUser', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { policy: { maxSeatsPerUser: 4 } });
        const { token, fan, sale } = booking;
        const answers = await concurrently(10, (index) =>
          hold(client, index % 2 === 0 ? token : fan.accessToken, sale, seatsAt(booking, index)),
        );
        expect(withStatus(answers, 201)).toHaveLength(4);
        for (const answer of answers)
          if (answer.status !== 201) expectProblem(answer, 409, 'SEAT_LIMIT_EXCEEDED');
      });

      it('make one reservation for one fan when consumeOn is RESERVATION', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { policy: { consumeOn: 'RESERVATION' } });
        const answers = await concurrently(10, (index) =>
          hold(client, booking.token, booking.sale, seatsAt(booking, index)),
        );
        expect(withStatus(answers, 201)).toHaveLength(1);
        for (const answer of answers) {
          if (answer.status !== 201) expectProblem(answer, 403, 'ACCESS_DENIED', { reason: 'USED' });
        }
      });
    });

    describe('for money', () => {
      it('debit 20 payments of one reservation once and return the same receipt to all', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: 5 * PRICE });
        const { id } = await holdSeats(client, booking, 0);
        const answers = await concurrently(20, () => pay(client, booking.token, id));
        expect(statusesOf(answers)).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
        expect(await paymentEntriesOf(booking.fan)).toHaveLength(1);
        expect(await balanceOf(client, booking.fan.accessToken)).toBe(4 * PRICE);
      });

      it('debit 20 payments of one reservation with one idempotency key once', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: 5 * PRICE });
        const { id } = await holdSeats(client, booking, 0);
        const key = newKey();
        const answers = await concurrently(20, () => pay(client, booking.token, id, key));
        const paid = withStatus(answers, 201);
        expect(paid.length).toBeGreaterThanOrEqual(1);
        expect(new Set(paid.map(({ text }) => text)).size).toBe(1);
        for (const answer of answers) {
          if (answer.status !== 201) expectProblem(answer, 409, 'IDEMPOTENCY_KEY_IN_FLIGHT');
        }
        expect(await paymentEntriesOf(booking.fan)).toHaveLength(1);
        expect(await balanceOf(client, booking.fan.accessToken)).toBe(4 * PRICE);
      });

      it('pay one of two reservations when the balance covers one, and never overdraw the wallet', async () => {
        const { client, operator } = foyer;
        const sales = await concurrently(2, () =>
          openSale(client, operator, { policy: { maxSeatsPerUser: 1 } }),
        );
        for (let round = 0; round < 5; round += 1) {
          const fan = await signUpFan(client, PRICE);
          const reservations = await Promise.all(
            sales.map(async (sale) => {
              const token = await joinActive(client, fan, sale);
              const booking = { fan, token, sale, scheduleId: '', seats: await seatIds(client, token, sale) };
              return (await holdSeats(client, booking, round)).id as string;
            }),
          );
          const answers = await Promise.all(reservations.map((id) => pay(client, fan.accessToken, id)));
          expect(statusesOf(answers)).toEqual([201, 402]);
          expectProblem(withStatus(answers, 402)[0]!, 402, 'NOT_ENOUGH_BALANCE', {
            balance: 0,
            amount: PRICE,
          });
          expect(await balanceOf(client, fan.accessToken)).toBe(0);
          for (const entry of await entriesOf(fan)) expect(entry['balanceAfter']).toBeGreaterThanOrEqual(0);
        }
      });

      it('accept the payment of the new hold and refuse that of the expired hold on the same seat', async () => {
        const { client } = foyer;
        const first = await startBooking(foyer, { balance: PRICE, policy: { holdSeconds: 1 } });
        const second = await enterSale(client, first.sale, PRICE);
        const expiredHold = await holdSeats(client, first, 0);
        await untilPast(expiredHold.expiresAt);
        await patchRoom(client, foyer.operator, first.sale, { holdSeconds: 60 });
        const newHold = await holdSeats(client, second, 0);
        const [late, paid] = await Promise.all([
          pay(client, first.token, expiredHold.id),
          pay(client, second.token, newHold.id),
        ]);
        expect(paid.status, paid.text).toBe(201);
        expectProblem(late, 409, 'RESERVATION_EXPIRED');
        expect(await balanceOf(client, first.fan.accessToken)).toBe(PRICE);
        expect(await balanceOf(client, second.fan.accessToken)).toBe(0);
      });

      it('either pay or release one reservation, never both', async () => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator);
        for (let round = 0; round < 5; round += 1) {
          const booking = await enterSale(client, sale, PRICE);
          const { id } = await holdSeats(client, booking, round);
          const [paid, released] = await Promise.all([pay(client, booking.token, id), release(booking, id)]);
          expect([paid.status, released.status]).toSatisfy(([a, b]: number[]) =>
            a === 201 ? b === 409 : a === 409 && b === 204,
          );
          const { status } = (await client.get(`/reservations/${id as string}`, booking.token)).body;
          expect(status).toBe(paid.status === 201 ? 'CONFIRMED' : 'CANCELLED');
          expect(await balanceOf(client, booking.fan.accessToken)).toBe(paid.status === 201 ? 0 : PRICE);
        }
      });

      it('lose no charge while a payment is made', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { id } = await holdSeats(client, booking, 0);
        const { accessToken } = booking.fan;
        const [paid] = await Promise.all([
          pay(client, booking.token, id),
          concurrently(10, () => charge(client, accessToken, 100)),
        ]);
        expect(paid.status).toBe(201);
        expect(await balanceOf(client, accessToken)).toBe(1000);
      });
    });

    describe('for places in the queue', () => {
      it('create one place for a fan who joins many times', async () => {
        const { client, operator } = foyer;
        for (const paused of [true, false]) {
          const sale = await openSale(client, operator, { policy: { paused } });
          const answers = await concurrently(20, () => join(client, crowd[0]!, sale));
          expect(statusesOf(answers)).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
          expect(new Set(answers.map(({ body }) => body.token as string)).size).toBe(1);
          const { waiting, active } = await statsOf(client, operator, sale);
          expect(Number(waiting) + Number(active)).toBe(1);
        }
      });

      it('give 100 joining fans the ranks 1 to 100', async () => {
        const { client, operator } = foyer;
        const sale = await openSale(client, operator, { policy: { paused: true } });
        const answers = await Promise.all(crowd.slice(0, 100).map((fan) => join(client, fan, sale)));
        expect(withStatus(answers, 201)).toHaveLength(100);
        const polls = await Promise.all(answers.map(({ body }) => poll(client, body.token)));
        const ranks = polls.map(({ body }) => body.rank as number);
        expect([...ranks].sort((a, b) => a - b)).toEqual(
          Array.from({ length: 100 }, (_, index) => index + 1),
        );
        const joined = polls.map(({ body }) => ({ rank: body.rank as number, at: body.joinedAt as string }));
        const byRank = joined.sort((a, b) => a.rank - b.rank).map(({ at }) => at);
        expect(byRank, 'ranks follow the time of joining').toEqual([...byRank].sort());
      });

      it('never admit more than maxActive fans while places are created and left', async () => {
        const { client, operator } = foyer;
        const maxActive = 3;
        const sale = await openSale(client, operator, { policy: { maxActive } });
        let activeNow = 0;
        let activeMax = 0;
        const joinAndLeave = async (fan: Fan): Promise<void> => {
          const { token } = (await join(client, fan, sale)).body;
          await eventually(
            () => poll(client, token),
            ({ body }) => body.status === 'ACTIVE',
          );
          // Counted after the ACTIVE response and before leaving: every fan counted here is ACTIVE.
          activeNow += 1;
          activeMax = Math.max(activeMax, activeNow);
          const seen = await statsOf(client, operator, sale);
          expect(seen['active']).toBeLessThanOrEqual(maxActive);
          activeNow -= 1;
          await leave(client, token);
        };
        await Promise.all(crowd.slice(0, 40).map(joinAndLeave));
        expect(activeMax).toBeLessThanOrEqual(maxActive);
        expect(await statsOf(client, operator, sale)).toMatchObject({ active: 0, waiting: 0, left: 40 });
      });
    });
  });
}
