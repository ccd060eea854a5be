import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  expectRecovery,
  type SaleUnderLoad,
  startSaleUnderLoad,
} from '../support/cluster/sale-under-load.js';
import { type PostgresServer, psql, startPostgres } from '../support/postgres/index.js';

const TRIES_MAX = 100;
/** More than may be in the sale at once: so many cannot pay unless the line moves. */
const SEVERAL = 30;

let postgres: PostgresServer;
let url: string;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

async function rush(options: Parameters<typeof startSaleUnderLoad>[1] = {}): Promise<SaleUnderLoad> {
  url = await postgres.createDatabase();
  const started = await startSaleUnderLoad(url, options);
  onTestFinished(() => started.cluster.kill());
  return started;
}

/** Stops a process in its tracks while one of its transactions has the line locked. */
async function freezeHoldingTheLine(pid: number): Promise<void> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    process.kill(pid, 'SIGSTOP');
    const held = await psql(
      url,
      `SELECT pg_sleep(0.3); SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE relation = 'queues'::regclass AND state = 'idle in transaction'
         AND state_change < clock_timestamp() - interval '0.3 seconds'`,
    );
    if (Number(held) > 0) return;
    process.kill(pid, 'SIGCONT');
    await sleep(Math.random() * 50);
  }
  throw new Error('the process never had the line locked');
}

describe('one of three processes, in the middle of a rush', () => {
  it('may be killed: the others carry on, and it serves again when it is back', async () => {
    const running = await rush();
    const { cluster, load } = running;
    for (const index of [1, 2]) {
      await cluster.servers[index]!.kill();
      await load.waitForPayments(SEVERAL);
      await cluster.restart(index);
    }
    await expectRecovery(running, 'kill -9 and start');
    await running.stopAndCheck();
    expect(load.retries()).toBeGreaterThan(0);
    for (const count of Object.values(load.books.counts())) expect(count).toBeGreaterThan(0);
  });

  it('may freeze with the line locked: the others wait for it a few seconds, and no longer', async () => {
    const running = await rush({ load: { answerMaxMs: 1000 } });
    const { cluster, load } = running;
    await freezeHoldingTheLine(cluster.servers[0]!.pid);
    load.stopSendingTo(0);
    await load.waitForPayments(SEVERAL);
    await cluster.servers[0]!.kill();
    await cluster.restart(0);
    await running.stopAndCheck();
  });
});
