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

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const withStatus = (answers: readonly Answer[], status: number): Answer[] =>
  answers.filter((answer) => answer.status === status);
const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status).sort();

for (const database of DATABASES) {
  describe(`races on ${database.name}`, () => {
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

    /** A sale without a limit of people, these fans in it, and its seats. */
    async function letIn(
      fans: readonly Fan[],
      policy: object = {},
    ): Promise<{ sale: Sale; tokens: string[]; seats: string[] }> {
      const { client, operator } = foyer;
      const sale = await openSale(client, operator, { policy: { maxActive: null, ...policy } });
      const tokens = await Promise.all(fans.map((fan) => joinActive(client, fan, sale)));
      return { sale, tokens, seats: await seatIds(client, tokens[0] ?? '', sale) };
    }

    describe('for seats', () => {
      it('200 fans who want one seat: one of them gets it', async () => {
        const { client, operator } = foyer;
        const { sale, tokens, seats } = await letIn(crowd);
        const [seat = ''] = seats;
        const answers = await Promise.all(tokens.map((token) => hold(client, token, sale, [seat])));
        expect(withStatus(answers, 201)).toHaveLength(1);
        for (const answer of answers) {
          if (answer.status !== 201) expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT', { seatIds: [seat] });
        }
        expect(await statsOf(client, operator, sale)).toMatchObject({ seatsHeld: 1, active: CROWD });
      });

      it('fans who want overlapping pairs in opposite orders: each gets both or none', async () => {
        const { client, operator } = foyer;
        const { sale, tokens, seats } = await letIn(crowd.slice(0, 60));
        const answers = await times(tokens.length, (index) => {
          const pair = [seats[index % 10] ?? '', seats[(index + 1) % 10] ?? ''];
          return hold(client, tokens[index] ?? '', sale, index % 2 === 0 ? pair : pair.reverse());
        });
        const won = withStatus(answers, 201);
        for (const answer of answers) {
          if (answer.status !== 201) expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT');
        }
        const held = won.flatMap(({ body }) => (body.seats as { id: string }[]).map(({ id }) => id));
        expect(new Set(held).size, 'no seat twice').toBe(held.length);
        expect(held).toHaveLength(2 * won.length);
        // However it went, no two free seats that somebody wanted together can be left.
        expect(won.length).toBeGreaterThanOrEqual(3);
        expect(await statsOf(client, operator, sale)).toMatchObject({ seatsHeld: held.length });
      });

      it('fans who want a seat whose hold has just run out: one of them gets it', async () => {
        const { client } = foyer;
        const { sale, tokens, seats } = await letIn(crowd.slice(0, 40), { holdSeconds: 1 });
        const [seat = ''] = seats;
        const first = await hold(client, tokens[0] ?? '', sale, [seat]);
        await untilPast(first.body.expiresAt);
        await patchRoom(client, foyer.operator, sale, { holdSeconds: 60 });
        const answers = await Promise.all(tokens.slice(1).map((token) => hold(client, token, sale, [seat])));
        expect(withStatus(answers, 201)).toHaveLength(1);
        expect(withStatus(answers, 409)).toHaveLength(38);
      });

      it('one fan with many calls: never more seats than the policy allows', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { policy: { maxSeatsPerUser: 4 } });
        const { token, fan, sale } = booking;
        const answers = await times(10, (index) =>
          hold(client, index % 2 === 0 ? token : fan.accessToken, sale, seatsAt(booking, index)),
        );
        expect(withStatus(answers, 201)).toHaveLength(4);
        for (const answer of answers)
          if (answer.status !== 201) expectProblem(answer, 409, 'SEAT_LIMIT_EXCEEDED');
      });

      it('one fan with many calls where reserving uses the place up: one reservation', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { policy: { consumeOn: 'RESERVATION' } });
        const answers = await times(10, (index) =>
          hold(client, booking.token, booking.sale, seatsAt(booking, index)),
        );
        expect(withStatus(answers, 201)).toHaveLength(1);
        for (const answer of answers) {
          if (answer.status !== 201) expectProblem(answer, 403, 'ACCESS_DENIED', { reason: 'USED' });
        }
      });
    });

    describe('for money', () => {
      it('20 payments of one reservation: it is paid once, and all get the receipt', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: 5 * PRICE });
        const { id } = await holdSeats(client, booking, 0);
        const answers = await times(20, () => pay(client, booking.token, id));
        expect(statusesOf(answers)).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
        expect(await paymentEntriesOf(booking.fan)).toHaveLength(1);
        expect(await balanceOf(client, booking.fan.accessToken)).toBe(4 * PRICE);
      });

      it('20 payments of one reservation with one key: it is paid once, and all get the same answer', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: 5 * PRICE });
        const { id } = await holdSeats(client, booking, 0);
        const key = newKey();
        const answers = await times(20, () => pay(client, booking.token, id, key));
        const paid = withStatus(answers, 201);
        expect(paid.length).toBeGreaterThanOrEqual(1);
        expect(new Set(paid.map(({ text }) => text)).size).toBe(1);
        for (const answer of answers) {
          if (answer.status !== 201) expectProblem(answer, 409, 'IDEMPOTENCY_KEY_IN_FLIGHT');
        }
        expect(await paymentEntriesOf(booking.fan)).toHaveLength(1);
        expect(await balanceOf(client, booking.fan.accessToken)).toBe(4 * PRICE);
      });

      it('two reservations and the money for one: one is paid, and the balance never falls below zero', async () => {
        const { client, operator } = foyer;
        const sales = await times(2, () => openSale(client, operator, { policy: { maxSeatsPerUser: 1 } }));
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

      it('a hold that ran out and was taken over: who took it pays, who lost it is refused', async () => {
        const { client } = foyer;
        const first = await startBooking(foyer, { balance: PRICE, policy: { holdSeconds: 1 } });
        const second = await enterSale(client, first.sale, PRICE);
        const lost = await holdSeats(client, first, 0);
        await untilPast(lost.expiresAt);
        await patchRoom(client, foyer.operator, first.sale, { holdSeconds: 60 });
        const taken = await holdSeats(client, second, 0);
        const [late, paid] = await Promise.all([
          pay(client, first.token, lost.id),
          pay(client, second.token, taken.id),
        ]);
        expect(paid.status, paid.text).toBe(201);
        expectProblem(late, 409, 'RESERVATION_EXPIRED');
        expect(await balanceOf(client, first.fan.accessToken)).toBe(PRICE);
        expect(await balanceOf(client, second.fan.accessToken)).toBe(0);
      });

      it('paying and releasing one reservation: one of the two, never both', async () => {
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

      it('charging and paying at once: nothing is lost', async () => {
        const { client } = foyer;
        const booking = await startBooking(foyer, { balance: PRICE });
        const { id } = await holdSeats(client, booking, 0);
        const { accessToken } = booking.fan;
        const [paid] = await Promise.all([
          pay(client, booking.token, id),
          times(10, () => charge(client, accessToken, 100)),
        ]);
        expect(paid.status).toBe(201);
        expect(await balanceOf(client, accessToken)).toBe(1000);
      });
    });

    describe('for a place in the line', () => {
      it('one fan who joins many times at once has one place', async () => {
        const { client, operator } = foyer;
        for (const paused of [true, false]) {
          const sale = await openSale(client, operator, { policy: { paused } });
          const answers = await times(20, () => join(client, crowd[0]!, sale));
          expect(statusesOf(answers)).toEqual([...Array.from({ length: 19 }, () => 200), 201]);
          expect(new Set(answers.map(({ body }) => body.token as string)).size).toBe(1);
          const { waiting, active } = await statsOf(client, operator, sale);
          expect(Number(waiting) + Number(active)).toBe(1);
        }
      });

      it('100 fans who join at once stand in one line without a gap', async () => {
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
        expect(byRank, 'who joined earlier stands further ahead').toEqual([...byRank].sort());
      });

      it('nobody is admitted beyond maxActive, however places come and go', async () => {
        const { client, operator } = foyer;
        const maxActive = 3;
        const sale = await openSale(client, operator, { policy: { maxActive } });
        let inside = 0;
        let most = 0;
        const visit = async (fan: Fan): Promise<void> => {
          const { token } = (await join(client, fan, sale)).body;
          await eventually(
            () => poll(client, token),
            ({ body }) => body.status === 'ACTIVE',
          );
          // Counted after the answer and before leaving: whoever counts here is ACTIVE for certain.
          inside += 1;
          most = Math.max(most, inside);
          const seen = await statsOf(client, operator, sale);
          expect(seen['active']).toBeLessThanOrEqual(maxActive);
          inside -= 1;
          await leave(client, token);
        };
        await Promise.all(crowd.slice(0, 40).map(visit));
        expect(most).toBeLessThanOrEqual(maxActive);
        expect(await statsOf(client, operator, sale)).toMatchObject({ active: 0, waiting: 0, left: 40 });
      });
    });
  });
}
