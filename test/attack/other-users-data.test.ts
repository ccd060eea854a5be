import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Booking, enterSale, holdSeats, startBooking } from '../support/booking.js';
import type { Answer, Client } from '../support/client.js';
import { DATABASES, sqlite } from '../support/databases.js';
import { useFoyer } from '../support/foyer.js';
import { hold, newKey, pay, PRICE } from '../support/sale.js';
import { expectProblem } from '../support/shapes.js';
import { balanceOf, payFor } from '../support/steps.js';

interface Ids {
  readonly reservationId: string;
  readonly paymentId: string;
}

/** Every call that takes the id of something that belongs to a user. */
const callsWithIds = (client: Client, { reservationId, paymentId }: Ids) => ({
  'reading a reservation': (token: string) => client.get(`/reservations/${reservationId}`, token),
  'releasing a reservation': (token: string) => client.delete(`/reservations/${reservationId}`, token),
  'paying for a reservation': (token: string) => pay(client, token, reservationId),
  'reading a receipt': (token: string) => client.get(`/payments/${paymentId}`, token),
});

const visible = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'date'),
});

const unknownIds = (): Ids => ({ reservationId: randomUUID(), paymentId: randomUUID() });

for (const database of DATABASES) {
  describe(`data of another user, on ${database.name}`, () => {
    const foyer = useFoyer(database);

    it('gets the same response as data that does not exist, byte for byte, with either token', async () => {
      const { client } = foyer;
      const { owner, thief, target } = await startTheft(foyer);
      const onExisting = callsWithIds(client, target);
      const onUnknown = callsWithIds(client, unknownIds());
      for (const [name, call] of Object.entries(onExisting)) {
        for (const token of [thief.fan.accessToken, thief.token]) {
          const existing = await call(token);
          const unknown = await onUnknown[name as keyof typeof onUnknown](token);
          expect(existing.status, name).toBe(404);
          expect(visible(existing), name).toEqual(visible(unknown));
        }
      }
      expect((await client.get(`/reservations/${target.reservationId}`, owner.token)).body.status).toBe(
        'HELD',
      );
      expect(await balanceOf(client, thief.fan.accessToken)).toBe(2 * PRICE);
    });

    it('appears in no list and no wallet except the owner’s', async () => {
      const { client } = foyer;
      const { thief, target } = await startTheft(foyer);
      for (const path of ['/reservations', '/payments', '/wallet/entries']) {
        const text = (await client.get(path, thief.fan.accessToken)).text;
        expect(text).not.toContain(target.reservationId);
        expect(text).not.toContain(target.paymentId);
      }
      for (const path of ['/wallet', '/wallet/entries', '/reservations', '/payments']) {
        const answer = await client.get(`${path}?userId=${randomUUID()}`, thief.fan.accessToken);
        // An unknown parameter is refused or has no effect.
        if (answer.status !== 200) expectProblem(answer, 400, 'INVALID_REQUEST');
        else expect(answer.body).toEqual((await client.get(path, thief.fan.accessToken)).body);
      }
    });

    it('is not returned to a fan who guesses the owner’s Idempotency-Key', async () => {
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

describe('the response time', () => {
  const foyer = useFoyer(sqlite);
  const ROUNDS = 150;

  /** The median, because it ignores single pauses of the machine. */
  const median = (times: readonly number[]): number =>
    [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

  it('does not reveal whether the data of another user exists', async () => {
    const { client } = foyer;
    const { thief, target } = await startTheft(foyer);
    const names = Object.keys(callsWithIds(client, target)) as (keyof ReturnType<typeof callsWithIds>)[];
    for (const name of names) {
      const times = { existing: [] as number[], unknown: [] as number[] };
      // Alternate, so that a slow machine affects both equally.
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const kind of ['existing', 'unknown'] as const) {
          const call = callsWithIds(client, kind === 'existing' ? target : unknownIds())[name];
          const startedMs = performance.now();
          await call(thief.fan.accessToken);
          times[kind].push(performance.now() - startedMs);
        }
      }
      const ratio = median(times.existing) / median(times.unknown);
      expect(ratio, `${name}: ${ratio}`).toBeGreaterThan(0.5);
      expect(ratio, `${name}: ${ratio}`).toBeLessThan(2);
    }
  });
});

/** An owner with a hold and a receipt, and a thief who has an ACTIVE place in the same sale and knows both ids. */
async function startTheft(foyer: {
  readonly client: Client;
  readonly operator: string;
}): Promise<{ owner: Booking; thief: Booking; target: Ids }> {
  const { client } = foyer;
  const owner = await startBooking(foyer, { balance: 2 * PRICE });
  const paid = await holdSeats(client, owner, 0);
  const receipt = await payFor(client, owner.token, paid.id);
  const rejoined = await client.post(`/concerts/${owner.sale.concertId}/queue-tokens`, owner.fan.accessToken);
  const returned = { ...owner, token: String(rejoined.body.token) };
  const held = await holdSeats(client, returned, 1);
  const thief = await enterSale(client, owner.sale, 2 * PRICE);
  return { owner: returned, thief, target: { reservationId: held.id, paymentId: receipt.id } };
}
