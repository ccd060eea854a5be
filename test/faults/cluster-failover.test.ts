import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { expectRecovery, startSaleUnderLoad } from '../support/cluster/sale-under-load.js';
import { startPostgres, startStandby } from '../support/postgres/index.js';

/** Longer than a request waits for a connection, because promoting a standby takes a while in practice. */
const DATABASE_DOWN_MS = 6000;

it('three processes fail over to the standby without losing anything they acknowledged', async () => {
  const primary = await startPostgres();
  onTestFinished(() => primary.stop());
  const standby = await startStandby(primary);
  onTestFinished(() => standby.stop());
  await standby.makeSynchronous();
  const tablesUrl = await primary.createDatabase();
  const database = new URL(tablesUrl).pathname.slice(1);
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  const url = `postgres://postgres@${hosts}/${database}?target_session_attrs=read-write`;
  const sale = await startSaleUnderLoad(url, { tablesUrl });
  onTestFinished(() => sale.cluster.kill());
  await primary.kill();
  await sleep(DATABASE_DOWN_MS);
  await standby.promote();
  await expectRecovery(sale, 'promotion of the standby');
  await sale.stopAndCheck(standby.url(database));
  expect(sale.load.retries()).toBeGreaterThan(0);
});
