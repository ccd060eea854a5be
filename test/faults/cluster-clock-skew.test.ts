import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBooking } from '../support/booking.js';
import type { Client } from '../support/client.js';
import { type Cluster, startCluster } from '../support/cluster/cluster.js';
import { insertFans } from '../support/cluster/insert-fans.js';
import { databaseTimeMs, expectConsistentTables, queryRows } from '../support/cluster/tables.js';
import { WRONG_CLOCK } from '../support/machine/wrong-clock.js';
import { createTestDatabase } from '../support/postgres/index.js';
import { eventually, hold, join as joinQueue, openSale, pay, signUpFan } from '../support/sale.js';
import { tempDirectory } from '../support/server.js';

const MINUTE_MS = 60_000;
const CLOCK_OFFSETS_MS = [10 * MINUTE_MS, -10 * MINUTE_MS, 0];
const HOLD_MS = 3000;
const ACCESS_TOKEN_MS = 12 * 60 * MINUTE_MS;
/** How far a process's estimate of the database time may be off on a busy machine. */
const TOLERANCE_MS = 250;

let cluster: Cluster;
let url: string;
const cleanUpSteps: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const directory = await tempDirectory();
  const preload = join(directory.path, 'wrong-clock.mjs');
  await writeFile(preload, WRONG_CLOCK);
  const database = await createTestDatabase();
  url = database.url;
  cleanUpSteps.push(directory.remove, database.drop);
  cluster = await startCluster(url, (index) => ({
    NODE_OPTIONS: `--import=${preload}`,
    FOYER_TEST_CLOCK_OFF_MS: String(CLOCK_OFFSETS_MS[index]),
  }));
  cleanUpSteps.unshift(() => cluster.kill());
});

afterAll(async () => {
  for (const step of cleanUpSteps) await step();
});

/** Runs `work` and returns the database times before and after it, widened by the tolerance. */
async function timed<T>(work: () => Promise<T>): Promise<{ value: T; fromMs: number; toMs: number }> {
  const fromMs = await databaseTimeMs(url);
  const value = await work();
  return { value, fromMs: fromMs - TOLERANCE_MS, toMs: (await databaseTimeMs(url)) + TOLERANCE_MS };
}

function expectWithin(time: string, { fromMs, toMs }: { fromMs: number; toMs: number }, plusMs = 0): void {
  expect(Date.parse(time) - plusMs).toBeGreaterThanOrEqual(fromMs);
  expect(Date.parse(time) - plusMs).toBeLessThanOrEqual(toMs);
}

const waitForDatabaseTime = (ms: number): Promise<number> =>
  eventually(
    () => databaseTimeMs(url),
    (nowMs) => nowMs >= ms,
  );

/** A user id starts with the time of the process that created it, which proves that the clocks really are skewed. */
const idTimeMs = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('processes whose clocks are ten minutes off', () => {
  it('take all times from the database clock and accept each other’s tokens', async () => {
    const sale = await openSale(cluster.client, cluster.operator, { policy: { maxActive: 2 } });
    for (const [index, client] of cluster.clients.entries()) {
      const signedUp = await timed(() => signUpFan(client));
      const fan = signedUp.value;
      expect(Math.abs(idTimeMs(fan.id) - signedUp.toMs - CLOCK_OFFSETS_MS[index]!)).toBeLessThan(MINUTE_MS);
      const signedIn = await timed(() =>
        client.post('/sessions', undefined, { email: fan.email, password: 'fan-password' }),
      );
      // Token times are rounded down to seconds.
      const wholeSeconds = { ...signedIn, fromMs: signedIn.fromMs - 1000 };
      expectWithin(signedIn.value.body.expiresAt, wholeSeconds, ACCESS_TOKEN_MS);
      for (const other of cluster.clients) {
        expect((await other.get('/users/me', signedIn.value.body.accessToken)).status).toBe(200);
      }
      const joined = await timed(() => joinQueue(client, fan, sale));
      expectWithin(joined.value.body.joinedAt, joined);
      for (const other of cluster.clients) {
        const { body } = await other.get('/queue-tokens/me', joined.value.body.token);
        expect(body).toMatchObject({ status: index < 2 ? 'ACTIVE' : 'WAITING', rank: index < 2 ? 0 : 1 });
        expect(body.joinedAt).toBe(joined.value.body.joinedAt);
      }
      if (index === 2) continue;
      expectWithin(joined.value.body.activatedAt, joined);
      expectWithin(joined.value.body.expiresAt, joined, 30 * MINUTE_MS);
    }
    await expectConsistentTables(url);
  });

  it('expire holds at the same time, whichever process created them or is asked', async () => {
    const policy = { holdSeconds: HOLD_MS / 1000 };
    const { clients, client, operator } = cluster;
    const booking = await startBooking({ client, operator }, { policy, balance: 100_000 });
    const rival = await signUpFan(client);
    const rivalToken = (await joinQueue(client, rival, booking.sale)).body.token;
    const holdSeat = (at: Client, token: string, seat: number) =>
      hold(at, token, booking.sale, [booking.seats[seat]!]);
    const held = await Promise.all(
      clients.map((each, index) => timed(() => holdSeat(each, booking.token, index))),
    );
    for (const { value, ...span } of held) {
      expect(value.status).toBe(201);
      expectWithin(value.body.createdAt, span);
      expect(Date.parse(value.body.expiresAt) - Date.parse(value.body.createdAt)).toBe(HOLD_MS);
    }
    const ends = held.map(({ value }) => Date.parse(value.body.expiresAt));
    const reservationStatuses = (): Promise<string[]> =>
      Promise.all(
        clients.flatMap((each) =>
          held.map(async ({ value }) => {
            const { body } = await each.get(`/reservations/${value.body.id}`, booking.token);
            return body.status as string;
          }),
        ),
      );
    const rivalHoldStatuses = (): Promise<number[]> =>
      Promise.all(
        clients.map(async (each, index) => (await holdSeat(each, rivalToken, (index + 1) % 3)).status),
      );

    const early = await timed(async () => ({
      reservations: await reservationStatuses(),
      rivalHolds: await rivalHoldStatuses(),
    }));
    // A slow machine may ask after the expiry; the last assertion reports that.
    if (early.toMs < Math.min(...ends)) {
      expect(early.value).toEqual({ reservations: Array(9).fill('HELD'), rivalHolds: [409, 409, 409] });
    }
    await waitForDatabaseTime(Math.max(...ends) + TOLERANCE_MS);
    expect(await reservationStatuses()).toEqual(Array(9).fill('EXPIRED'));
    for (const [index, each] of clients.entries()) {
      const late = await pay(each, booking.token, held[(index + 1) % 3]!.value.body.id);
      expect([late.status, late.body.code]).toEqual([409, 'RESERVATION_EXPIRED']);
    }
    expect(await rivalHoldStatuses()).toEqual([201, 201, 201]);
    expect(early.toMs, 'the machine was too slow to read the holds before they expired').toBeLessThan(
      Math.min(...ends),
    );
  });

  it('open a sale at the same time and admit fans at the same rate', async () => {
    const { client, clients, operator } = cluster;
    const opensMs = (await databaseTimeMs(url)) + 3000;
    const sale = await openSale(client, operator, {
      policy: { maxActive: null, admitCount: 2, admitEverySeconds: 2 },
      concert: { salesOpenAt: new Date(opensMs).toISOString() },
    });
    const fans = await insertFans(url, 6);
    const joinAll = () =>
      Promise.all(
        fans.map(({ accessToken }, index) =>
          clients[index % 3]!.post(`/concerts/${sale.concertId}/queue-tokens`, accessToken),
        ),
      );
    const early = await timed(joinAll);
    expect(early.toMs, 'the machine was too slow to join before the sale opened').toBeLessThan(opensMs);
    expect(early.value.map(({ body }) => body.code)).toEqual(Array(6).fill('SALES_NOT_OPEN'));
    await waitForDatabaseTime(opensMs + TOLERANCE_MS);
    expect((await joinAll()).map(({ status }) => status)).toEqual(Array(6).fill(201));
    const admitted = () =>
      queryRows<{ at: number }>(
        url,
        `SELECT activated_at AS at FROM places WHERE concert_id = '${sale.concertId}'
         AND activated_at IS NOT NULL ORDER BY number`,
      );
    const rows = await eventually(admitted, ({ length }) => length === 6);
    const times = rows.map(({ at }) => at);
    // Two fans per batch, with two seconds between batches: no process admits early or late.
    const batchOffsetsMs = [0, 2, 4].map((first) => times[first]! - times[0]!);
    expect(times.slice(2).every((at, index) => at - times[index]! >= 2000)).toBe(true);
    expect(batchOffsetsMs[2]).toBeLessThan(4000 + 3000);
    await expectConsistentTables(url);
  });
});
