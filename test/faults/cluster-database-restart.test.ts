import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startCluster } from '../support/cluster/cluster.js';
import { insertFans } from '../support/cluster/insert-fans.js';
import {
  expectRecovery,
  expectFastRecovery,
  startSaleUnderLoad,
} from '../support/cluster/sale-under-load.js';
import { type PostgresServer, psql, startPostgres } from '../support/postgres/index.js';
import { openSale } from '../support/sale.js';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

describe('three processes in the middle of a rush', () => {
  it('outlive restarts of their database, and the end of all their connections', async () => {
    const rush = await startSaleUnderLoad(await postgres.createDatabase());
    onTestFinished(() => rush.cluster.kill());
    const backAfterMs: number[] = [];
    for (const mode of ['fast', 'immediate'] as const) {
      await postgres.restart(mode);
      backAfterMs.push(await expectRecovery(rush, `restart ${mode}`));
    }
    for (let times = 1; times <= 3; times += 1) {
      expect(await postgres.terminateBackends()).toBeGreaterThan(0);
      backAfterMs.push(await expectRecovery(rush, 'pg_terminate_backend'));
    }
    expectFastRecovery(backAfterMs);
    await rush.stopAndCheck();
  });
});

describe('three processes whose database has crashed', () => {
  it('hear of transactions whose numbers had been given before', async () => {
    // Aborted transactions stay in memory for a while: a crash forgets them, and their numbers are given again.
    await psql(postgres.url(), `ALTER SYSTEM SET wal_writer_delay = '10s'; SELECT pg_reload_conf()`);
    const url = await postgres.createDatabase();
    const cluster = await startCluster(url);
    onTestFinished(() => cluster.kill());
    const { client, clients, operator } = cluster;
    const sale = await openSale(client, operator, { policy: { maxActive: 1 } });
    const fans = await insertFans(url, 6);
    const slow = cluster.servers[2]!.pid;
    const newest = async (): Promise<number> =>
      Number(await psql(url, 'SELECT pg_snapshot_xmax(pg_current_snapshot())'));

    /** Numbers are given and seen, one process is slow to come back, and the database crashes. Are they given again? */
    async function crash(): Promise<boolean> {
      await psql(
        url,
        'DO $$ BEGIN FOR i IN 1..500 LOOP PERFORM pg_current_xact_id(); ROLLBACK; END LOOP; END $$',
      );
      for (const each of clients) expect((await each.get('/concerts')).status).toBe(200);
      const before = await newest();
      // The others have been at work before it looks again.
      process.kill(slow, 'SIGSTOP');
      await postgres.kill();
      await postgres.restart();
      return (await newest()) < before;
    }

    // Not if anything happened to be written to the disk just before.
    for (let crashes = 1; !(await crash()); crashes += 1) {
      expect(crashes).toBeLessThan(10);
      process.kill(slow, 'SIGCONT');
    }
    const tokens: string[] = [];
    for (const [index, fan] of fans.entries()) {
      const path = `/concerts/${sale.concertId}/queue-tokens`;
      const joined = await clients[index % 2]!.post(path, fan.accessToken);
      expect([joined.status, joined.body.rank]).toEqual([201, index]);
      tokens.push(joined.body.token);
    }
    process.kill(slow, 'SIGCONT');
    const ranks: unknown[] = [];
    for (const token of tokens) {
      const { status, body } = await clients[2]!.get('/queue-tokens/me', token);
      ranks.push([status, body.rank]);
    }
    expect(ranks).toEqual(fans.map((_, index) => [200, index]));
  });
});
