import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { expectBack, startRush } from '../support/cluster/rush.js';
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
  const rush = await startRush(url, { tablesUrl });
  onTestFinished(() => rush.cluster.kill());
  await primary.kill();
  await sleep(WITHOUT_MS);
  await standby.promote();
  await expectBack(rush, 'promotion of the standby');
  await rush.settle(standby.url(database));
  expect(rush.load.repeats()).toBeGreaterThan(0);
});
