import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Booking, enterSale, holdSeats, startBooking } from '../support/booking.js';
import type { Answer, Client } from '../support/client.js';
import { DATABASES, sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { hold, newKey, pay, PRICE } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { balanceOf, payFor } from '../support/steps.js';

interface Target {
  readonly reservationId: string;
  readonly paymentId: string;
}

/** Every way to name a thing that belongs to somebody. */
const ways = (client: Client, { reservationId, paymentId }: Target) => ({
  'reading a reservation': (token: string) => client.get(`/reservations/${reservationId}`, token),
  'releasing a reservation': (token: string) => client.delete(`/reservations/${reservationId}`, token),
  'paying for a reservation': (token: string) => pay(client, token, reservationId),
  'reading a receipt': (token: string) => client.get(`/payments/${paymentId}`, token),
});

const shown = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'date'),
});

const nothing = (): Target => ({ reservationId: randomUUID(), paymentId: randomUUID() });

for (const database of DATABASES) {
  describe(`what belongs to somebody else, on ${database.name}`, () => {
    const foyer = useFoyer(database);

    it('answers as what does not exist, to the byte, whichever token asks', async () => {
      const { client } = foyer;
      const { owner, thief, target } = await aTheft(foyer);
      const onTheirs = ways(client, target);
      const onNothing = ways(client, nothing());
      for (const [name, ask] of Object.entries(onTheirs)) {
        for (const token of [thief.fan.accessToken, thief.token]) {
          const theirs = await ask(token);
          const unknown = await onNothing[name as keyof typeof onNothing](token);
          expect(theirs.status, name).toBe(404);
          expect(shown(theirs), name).toEqual(shown(unknown));
        }
      }
      expect((await client.get(`/reservations/${target.reservationId}`, owner.token)).body.status).toBe(
        'HELD',
      );
      expect(await balanceOf(client, thief.fan.accessToken)).toBe(2 * PRICE);
    });

    it('is in no list and in no wallet but its owner’s', async () => {
      const { client } = foyer;
      const { thief, target } = await aTheft(foyer);
      for (const path of ['/reservations', '/payments', '/wallet/entries']) {
        const text = (await client.get(path, thief.fan.accessToken)).text;
        expect(text).not.toContain(target.reservationId);
        expect(text).not.toContain(target.paymentId);
      }
      for (const path of ['/wallet', '/wallet/entries', '/reservations', '/payments']) {
        const answer = await client.get(`${path}?userId=${randomUUID()}`, thief.fan.accessToken);
        // A parameter that nobody knows is refused, or it changes nothing.
        if (answer.status !== 200) expectProblem(answer, 400, 'INVALID_REQUEST');
        else expect(answer.body).toEqual((await client.get(path, thief.fan.accessToken)).body);
      }
    });

    it('is not given out again to who guesses its Idempotency-Key', async () => {
      const { client } = foyer;
      const owner = await startBooking(foyer, { balance: PRICE });
      const key = newKey();
      const held = await hold(client, owner.token, owner.sale, owner.seats.slice(0, 1), key);
      expect(held.status).toBe(201);
      const thief = await enterSale(client, owner.sale);
      const answer = await hold(client, thief.token, owner.sale, owner.seats.slice(0, 1), key);
      expectProblem(answer, 409, 'ALREADY_RESERVED_SEAT');
      expect(answer.text).not.toContain(held.body.id);
    });
  });
}

describe('the time of an answer', () => {
  const foyer = useFoyer(sqlite);
  const ROUNDS = 150;

  /** The median, which a pause of the machine does not move. */
  const median = (times: readonly number[]): number =>
    [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

  it('tells no more than the answer whether somebody else has it', async () => {
    const { client } = foyer;
    const { thief, target } = await aTheft(foyer);
    const pairs = Object.keys(ways(client, target)) as (keyof ReturnType<typeof ways>)[];
    for (const name of pairs) {
      const times = { theirs: [] as number[], unknown: [] as number[] };
      // In turns, so that whatever slows the machine down slows both.
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const kind of ['theirs', 'unknown'] as const) {
          const ask = ways(client, kind === 'theirs' ? target : nothing())[name];
          const startedMs = performance.now();
          await ask(thief.fan.accessToken);
          times[kind].push(performance.now() - startedMs);
        }
      }
      const ratio = median(times.theirs) / median(times.unknown);
      expect(ratio, `${name}: ${ratio}`).toBeGreaterThan(0.5);
      expect(ratio, `${name}: ${ratio}`).toBeLessThan(2);
    }
  });
});

/** Somebody with a hold and a receipt, and somebody else who is inside the same sale and has learnt their ids. */
async function aTheft(foyer: {
  readonly client: Client;
  readonly operator: string;
}): Promise<{ owner: Booking; thief: Booking; target: Target }> {
  const { client } = foyer;
  const owner = await startBooking(foyer, { balance: 2 * PRICE });
  const paid = await holdSeats(client, owner, 0);
  const receipt = await payFor(client, owner.token, paid.id);
  const inside = await client.post(`/concerts/${owner.sale.concertId}/queue-tokens`, owner.fan.accessToken);
  const again = { ...owner, token: String(inside.body.token) };
  const held = await holdSeats(client, again, 1);
  const thief = await enterSale(client, owner.sale, 2 * PRICE);
  return { owner: again, thief, target: { reservationId: held.id, paymentId: receipt.id } };
}
