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

describe('three processes under load', () => {
  it('recover from database restarts and from the loss of all connections', async () => {
    const sale = await startSaleUnderLoad(await postgres.createDatabase());
    onTestFinished(() => sale.cluster.kill());
    const recoveriesMs: number[] = [];
    for (const mode of ['fast', 'immediate'] as const) {
      await postgres.restart(mode);
      recoveriesMs.push(await expectRecovery(sale, `restart ${mode}`));
    }
    for (let times = 1; times <= 3; times += 1) {
      expect(await postgres.terminateBackends()).toBeGreaterThan(0);
      recoveriesMs.push(await expectRecovery(sale, 'pg_terminate_backend'));
    }
    expectFastRecovery(recoveriesMs);
    await sale.stopAndCheck();
  });
});

describe('three processes after a crash of their database', () => {
  it('receive changes of transactions whose ids were used before the crash', async () => {
    // PostgreSQL writes aborted transactions to disk late. A crash loses them, and their transaction ids are reused.
    await psql(postgres.url(), `ALTER SYSTEM SET wal_writer_delay = '10s'; SELECT pg_reload_conf()`);
    const url = await postgres.createDatabase();
    const cluster = await startCluster(url);
    onTestFinished(() => cluster.kill());
    const { client, clients, operator } = cluster;
    const sale = await openSale(client, operator, { policy: { maxActive: 1 } });
    const fans = await insertFans(url, 6);
    const slowPid = cluster.servers[2]!.pid;
    const nextTransactionId = async (): Promise<number> =>
      Number(await psql(url, 'SELECT pg_snapshot_xmax(pg_current_snapshot())'));

    /** Uses up transaction ids, lets every process see them, and crashes the database. Returns whether ids will be reused. */
    async function crashAndLoseIds(): Promise<boolean> {
      await psql(
        url,
        'DO $$ BEGIN FOR i IN 1..500 LOOP PERFORM pg_current_xact_id(); ROLLBACK; END LOOP; END $$',
      );
      for (const each of clients) expect((await each.get('/concerts')).status).toBe(200);
      const before = await nextTransactionId();
      // The suspended process reads the change feed only after the others have committed with the reused ids.
      process.kill(slowPid, 'SIGSTOP');
      await postgres.kill();
      await postgres.restart();
      return (await nextTransactionId()) < before;
    }

    // Ids are not reused if PostgreSQL happened to write to disk just before the crash: try again.
    for (let crashes = 1; !(await crashAndLoseIds()); crashes += 1) {
      expect(crashes).toBeLessThan(10);
      process.kill(slowPid, 'SIGCONT');
    }
    const tokens: string[] = [];
    for (const [index, fan] of fans.entries()) {
      const path = `/concerts/${sale.concertId}/queue-tokens`;
      const joined = await clients[index % 2]!.post(path, fan.accessToken);
      expect([joined.status, joined.body.rank]).toEqual([201, index]);
      tokens.push(joined.body.token);
    }
    process.kill(slowPid, 'SIGCONT');
    const ranks: unknown[] = [];
    for (const token of tokens) {
      const { status, body } = await clients[2]!.get('/queue-tokens/me', token);
      ranks.push([status, body.rank]);
    }
    expect(ranks).toEqual(fans.map((_, index) => [200, index]));
  });
});
