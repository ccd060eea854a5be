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
import { eventually, hold, join as joinLine, openSale, pay, signUpFan } from '../support/sale.js';
import { tempDirectory } from '../support/server.js';

const MINUTE_MS = 60_000;
const OFF_MS = [10 * MINUTE_MS, -10 * MINUTE_MS, 0];
const HOLD_MS = 3000;
const ACCESS_MS = 12 * 60 * MINUTE_MS;
/** How well a process knows the database's time, on a machine that is busy. */
const INEXACT_MS = 250;

let cluster: Cluster;
let url: string;
const clean: (() => Promise<void>)[] = [];

beforeAll(async () => {
  const directory = await tempDirectory();
  const preload = join(directory.path, 'wrong-clock.mjs');
  await writeFile(preload, WRONG_CLOCK);
  const database = await createTestDatabase();
  url = database.url;
  clean.push(directory.remove, database.drop);
  cluster = await startCluster(url, (index) => ({
    NODE_OPTIONS: `--import=${preload}`,
    FOYER_TEST_CLOCK_OFF_MS: String(OFF_MS[index]),
  }));
  clean.unshift(() => cluster.kill());
});

afterAll(async () => {
  for (const step of clean) await step();
});

/** Does something, and answers between which two times by the database's clock. */
async function timed<T>(work: () => Promise<T>): Promise<{ value: T; fromMs: number; toMs: number }> {
  const fromMs = await databaseTimeMs(url);
  const value = await work();
  return { value, fromMs: fromMs - INEXACT_MS, toMs: (await databaseTimeMs(url)) + INEXACT_MS };
}

function expectWithin(time: string, { fromMs, toMs }: { fromMs: number; toMs: number }, plusMs = 0): void {
  expect(Date.parse(time) - plusMs).toBeGreaterThanOrEqual(fromMs);
  expect(Date.parse(time) - plusMs).toBeLessThanOrEqual(toMs);
}

const untilDatabaseMs = (ms: number): Promise<number> =>
  eventually(
    () => databaseTimeMs(url),
    (nowMs) => nowMs >= ms,
  );

/** The first bits of a user's id are the time of the machine that made it: a control that the clocks are wrong. */
const idTimeMs = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('processes whose clocks are ten minutes off', () => {
  it('date everything by the database, and take each other’s tokens', async () => {
    const sale = await openSale(cluster.client, cluster.operator, { policy: { maxActive: 2 } });
    for (const [index, client] of cluster.clients.entries()) {
      const signedUp = await timed(() => signUpFan(client));
      const fan = signedUp.value;
      expect(Math.abs(idTimeMs(fan.id) - signedUp.toMs - OFF_MS[index]!)).toBeLessThan(MINUTE_MS);
      const signedIn = await timed(() =>
        client.post('/sessions', undefined, { email: fan.email, password: 'fan-password' }),
      );
      // A token counts in whole seconds.
      const whole = { ...signedIn, fromMs: signedIn.fromMs - 1000 };
      expectWithin(signedIn.value.body.expiresAt, whole, ACCESS_MS);
      for (const other of cluster.clients) {
        expect((await other.get('/users/me', signedIn.value.body.accessToken)).status).toBe(200);
      }
      const joined = await timed(() => joinLine(client, fan, sale));
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

  it('let holds run out when they should, whoever made them and whoever is asked', async () => {
    const policy = { holdSeconds: HOLD_MS / 1000 };
    const { clients, client, operator } = cluster;
    const booking = await startBooking({ client, operator }, { policy, balance: 100_000 });
    const rival = await signUpFan(client);
    const rivalToken = (await joinLine(client, rival, booking.sale)).body.token;
    const take = (at: Client, token: string, seat: number) =>
      hold(at, token, booking.sale, [booking.seats[seat]!]);
    const held = await Promise.all(
      clients.map((each, index) => timed(() => take(each, booking.token, index))),
    );
    for (const { value, ...span } of held) {
      expect(value.status).toBe(201);
      expectWithin(value.body.createdAt, span);
      expect(Date.parse(value.body.expiresAt) - Date.parse(value.body.createdAt)).toBe(HOLD_MS);
    }
    const ends = held.map(({ value }) => Date.parse(value.body.expiresAt));
    const shown = (): Promise<string[]> =>
      Promise.all(
        clients.flatMap((each) =>
          held.map(async ({ value }) => {
            const { body } = await each.get(`/reservations/${value.body.id}`, booking.token);
            return body.status as string;
          }),
        ),
      );
    const refused = (): Promise<number[]> =>
      Promise.all(clients.map(async (each, index) => (await take(each, rivalToken, (index + 1) % 3)).status));

    const early = await timed(async () => ({ shown: await shown(), refused: await refused() }));
    // Only if the machine was quick enough to ask in time.
    if (early.toMs < Math.min(...ends)) {
      expect(early.value).toEqual({ shown: Array(9).fill('HELD'), refused: [409, 409, 409] });
    }
    await untilDatabaseMs(Math.max(...ends) + INEXACT_MS);
    expect(await shown()).toEqual(Array(9).fill('EXPIRED'));
    for (const [index, each] of clients.entries()) {
      const late = await pay(each, booking.token, held[(index + 1) % 3]!.value.body.id);
      expect([late.status, late.body.code]).toEqual([409, 'RESERVATION_EXPIRED']);
    }
    expect(await refused()).toEqual([201, 201, 201]);
    expect(early.toMs, 'the machine was too slow to see the holds').toBeLessThan(Math.min(...ends));
  });

  it('open a sale at the same time, and let people in by the same portions', async () => {
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
    expect(early.toMs, 'the machine was too slow to come early').toBeLessThan(opensMs);
    expect(early.value.map(({ body }) => body.code)).toEqual(Array(6).fill('SALES_NOT_OPEN'));
    await untilDatabaseMs(opensMs + INEXACT_MS);
    expect((await joinAll()).map(({ status }) => status)).toEqual(Array(6).fill(201));
    const admitted = () =>
      queryRows<{ at: number }>(
        url,
        `SELECT activated_at AS at FROM places WHERE concert_id = '${sale.concertId}'
         AND activated_at IS NOT NULL ORDER BY number`,
      );
    const rows = await eventually(admitted, ({ length }) => length === 6);
    const times = rows.map(({ at }) => at);
    // Two at once, and two seconds before the next two: no process is ahead of its time, none behind.
    const portions = [0, 2, 4].map((first) => times[first]! - times[0]!);
    expect(times.slice(2).every((at, index) => at - times[index]! >= 2000)).toBe(true);
    expect(portions[2]).toBeLessThan(4000 + 3000);
    await expectConsistentTables(url);
  });
});
