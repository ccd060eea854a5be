import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { expectRecovery, startSaleUnderLoad } from '../support/cluster/sale-under-load.js';
import { startPostgres, startStandby } from '../support/postgres/index.js';

/** Longer than a request waits for a connection: it takes a while until somebody has decided to promote. */
const WITHOUT_MS = 6000;

it('three processes follow the database to its standby, with everything they have ever answered', async () => {
  const primary = await startPostgres();
  onTestFinished(() => primary.stop());
  const standby = await startStandby(primary);
  onTestFinished(() => standby.stop());
  await standby.makeSynchronous();
  const tablesUrl = await primary.createDatabase();
  const database = new URL(tablesUrl).pathname.slice(1);
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`;
  const url = `postgres://postgres@${hosts}/${database}?target_session_attrs=read-write`;
  const rush = await startSaleUnderLoad(url, { tablesUrl });
  onTestFinished(() => rush.cluster.kill());
  await primary.kill();
  await sleep(WITHOUT_MS);
  await standby.promote();
  await expectRecovery(rush, 'promotion of the standby');
  await rush.stopAndCheck(standby.url(database));
  expect(rush.load.retries()).toBeGreaterThan(0);
});
