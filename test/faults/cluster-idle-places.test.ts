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

/** Three processes, and somebody who is inside. */
async function inside(
  policy: object,
): Promise<{ url: string; cluster: Cluster; sale: Sale; token: string; seenAfterMs: () => Promise<number> }> {
  const url = await postgres.createDatabase();
  const cluster = await startCluster(url);
  onTestFinished(() => cluster.kill());
  const sale = await openSale(cluster.client, cluster.operator, { policy: { ...policy } });
  const { body } = await join(cluster.client, await signUpFan(cluster.client), sale);
  expect(body.status).toBe('ACTIVE');
  const seenAfterMs = async (): Promise<number> =>
    Number(await psql(url, 'SELECT last_seen_at - activated_at FROM places'));
  return { url, cluster, sale, token: body.token, seenAfterMs };
}

describe('who has been here lately', () => {
  it('is passed on by a process that stops', async () => {
    const { cluster, token, seenAfterMs } = await inside({ idleSeconds: 300 });
    await sleep(1000);
    await poll(cluster.clients[0]!, token);
    expect(await seenAfterMs()).toBe(0);
    await cluster.servers[0]!.stop();
    expect(await seenAfterMs()).toBeGreaterThanOrEqual(1000);
  });

  it('is not asked of the time before the idle time was made shorter, by processes that start later either', async () => {
    const { cluster, sale, token } = await inside({ idleSeconds: null });
    await sleep(6000);
    await patchRoom(cluster.clients[0]!, cluster.operator, sale, { idleSeconds: 5 });
    await Promise.all(cluster.servers.map((server) => server.kill()));
    await Promise.all(cluster.servers.map((_, index) => cluster.restart(index)));
    expect((await poll(cluster.clients[1]!, token)).body.status).toBe('ACTIVE');
  });
});
