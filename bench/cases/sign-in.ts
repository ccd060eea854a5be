import { strict as assert } from 'node:assert';
import { sampleQueueTokens } from '../datasets/read-ids.js';
import { poll, signIn, type Account } from '../foyer/requests.js';
import { type FoyerServer, withServer } from '../foyer/server.js';
import { startLoadGenerator } from '../load/load-generator.js';
import { ratePerSecond, toRound } from '../measurement/against-references.js';
import { Histogram } from '../measurement/histogram.js';
import { type BenchmarkCase, type CaseContext } from './case.js';

/** What users run with; the servers of other cases hash faster. */
const PASSWORD_MEMORY_MIB = '19';
const ACCOUNT: Account = { email: 'rush@bench.example', password: 'a-password-of-the-bench' };
/** More than one process hashes at the same time, so that some wait. */
const CONNECTIONS = 8;

async function signUp({ url }: FoyerServer): Promise<void> {
  const response = await fetch(`${url}/api/v1/users`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ACCOUNT, name: 'Rush' }),
  });
  assert(response.ok, `signing up returned ${response.status}`);
}

/** Polls at a quarter of the maximum rate, first alone and then during a rush of sign-ins. */
async function measure({ load, sizes }: CaseContext, port: number, polls: string[][]) {
  const rush = startLoadGenerator();
  try {
    const job = { port, scenarios: polls, seconds: sizes.signInSeconds };
    const maxPerSecond = ratePerSecond(await load.run({ ...job, seconds: sizes.measureSeconds }));
    const paced = { ...job, arrivalsPerSecond: maxPerSecond / 4 };
    const calm = await load.run(paced);
    const signInJob = {
      port,
      scenarios: [[signIn(ACCOUNT)]],
      connections: CONNECTIONS,
      seconds: sizes.signInSeconds,
      expectedStatuses: [201],
    };
    const [signIns, during] = await Promise.all([rush.run(signInJob), load.run(paced)]);
    return { calm, during, signIns };
  } finally {
    await rush.stop();
  }
}

/** Sign-ins with the password cost that users run with, and what they cost fans who wait. */
export const signInCase: BenchmarkCase = {
  name: 'sign-in',
  rows: [
    { id: 'sign-in', title: `sign-in, argon2id with ${PASSWORD_MEMORY_MIB} MiB` },
    { id: 'sign-in-polls', title: 'poll at a quarter of the maximum rate, during a rush of sign-ins' },
  ],
  async run(context, record) {
    const { sizes, datasets, databases } = context;
    const queue = await datasets.queue(sizes.queueLengths[0]);
    const polls = (await sampleQueueTokens(queue, sizes.distinctUsers)).map((token) => [poll(token)]);
    const copy = await databases.copy(queue.database);
    try {
      const env = { ...copy.env, FOYER_PASSWORD_MEMORY_MIB: PASSWORD_MEMORY_MIB };
      await withServer({ env }, async (server) => {
        await signUp(server);
        const { calm, during, signIns } = await measure(context, server.port, polls);
        record('sign-in', toRound(signIns));
        const before = new Histogram(calm.latency).percentiles();
        const after = new Histogram(during.latency).percentiles();
        record(
          'sign-in-polls',
          toRound(during, {
            medianRatio: after.p50Ms / before.p50Ms,
            calmP99Ms: before.p99Ms,
            tailRatio: after.p99Ms / before.p99Ms,
          }),
        );
      });
    } finally {
      await copy.remove();
    }
  },
};
