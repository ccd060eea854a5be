import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { patchRoom, poll } from '../support/booking.js';
import { type Cluster, startCluster } from '../support/cluster/cluster.js';
import { type PostgresServer, psql, startPostgres } from '../support/postgres/index.js';
import { join, openSale, type Sale, signUpFan } from '../support/sale.js';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

/** Starts three processes and admits one fan. `storedSeenMs` is `last_seen_at` in ms after the admission. */
async function startWithActiveFan(
  policy: object,
): Promise<{ cluster: Cluster; sale: Sale; token: string; storedSeenMs: () => Promise<number> }> {
  const url = await postgres.createDatabase();
  const cluster = await startCluster(url);
  onTestFinished(() => cluster.kill());
  const sale = await openSale(cluster.client, cluster.operator, { policy: { ...policy } });
  const { body } = await join(cluster.client, await signUpFan(cluster.client), sale);
  expect(body.status).toBe('ACTIVE');
  const storedSeenMs = async (): Promise<number> =>
    Number(await psql(url, 'SELECT last_seen_at - activated_at FROM places'));
  return { cluster, sale, token: body.token, storedSeenMs };
}

describe('idle places on three processes', () => {
  it('a process that stops writes its last-seen times to the database', async () => {
    const { cluster, token, storedSeenMs } = await startWithActiveFan({ idleSeconds: 300 });
    await sleep(1000);
    await poll(cluster.clients[0]!, token);
    expect(await storedSeenMs()).toBe(0);
    await cluster.servers[0]!.stop();
    expect(await storedSeenMs()).toBeGreaterThanOrEqual(1000);
  });

  it('a shorter idleSeconds ignores idle time from before the change, even after a restart', async () => {
    const { cluster, sale, token } = await startWithActiveFan({ idleSeconds: null });
    await sleep(6000);
    await patchRoom(cluster.clients[0]!, cluster.operator, sale, { idleSeconds: 5 });
    await Promise.all(cluster.servers.map((server) => server.kill()));
    await Promise.all(cluster.servers.map((_, index) => cluster.restart(index)));
    expect((await poll(cluster.clients[1]!, token)).body.status).toBe('ACTIVE');
  });
});
