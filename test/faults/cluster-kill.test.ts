import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  expectRecovery,
  type SaleUnderLoad,
  startSaleUnderLoad,
} from '../support/cluster/sale-under-load.js';
import { type PostgresServer, psql, startPostgres } from '../support/postgres/index.js';

const FREEZE_ATTEMPTS_MAX = 100;
/** More than `maxActive`, so this many payments need new admissions. */
const PAYMENTS = 30;

let postgres: PostgresServer;
let url: string;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

async function startSale(options: Parameters<typeof startSaleUnderLoad>[1] = {}): Promise<SaleUnderLoad> {
  url = await postgres.createDatabase();
  const started = await startSaleUnderLoad(url, options);
  onTestFinished(() => started.cluster.kill());
  return started;
}

/** Suspends a process with SIGSTOP while one of its transactions has the queue locked. */
async function freezeWithQueueLocked(pid: number): Promise<void> {
  for (let attempt = 1; attempt <= FREEZE_ATTEMPTS_MAX; attempt += 1) {
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
  throw new Error('the process was never frozen with the queue locked');
}

describe('one of three processes under load', () => {
  it('can be killed: the others keep serving, and it serves again after its restart', async () => {
    const sale = await startSale();
    const { cluster, load } = sale;
    for (const index of [1, 2]) {
      await cluster.servers[index]!.kill();
      await load.waitForPayments(PAYMENTS);
      await cluster.restart(index);
    }
    await expectRecovery(sale, 'kill -9 and restart');
    await sale.stopAndCheck();
    expect(load.retries()).toBeGreaterThan(0);
    for (const count of Object.values(load.books.counts())) expect(count).toBeGreaterThan(0);
  });

  it('can freeze with the queue locked: the others wait for the lock only a few seconds', async () => {
    const sale = await startSale({ load: { answerMaxMs: 1000 } });
    const { cluster, load } = sale;
    await freezeWithQueueLocked(cluster.servers[0]!.pid);
    load.stopSendingTo(0);
    await load.waitForPayments(PAYMENTS);
    await cluster.servers[0]!.kill();
    await cluster.restart(0);
    await sale.stopAndCheck();
  });
});
