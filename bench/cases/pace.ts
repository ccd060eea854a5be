import { readUserIds, sampleQueueTokens } from '../datasets/read-ids.js';
import { charge, poll } from '../foyer/requests.js';
import { withServer } from '../foyer/server.js';
import { signAccessToken } from '../foyer/tokens.js';
import { ratePerSecond, toRound } from '../measurement/against-references.js';
import { Histogram } from '../measurement/histogram.js';
import type { Round } from '../result.js';
import { type BenchmarkCase, type CaseContext, withServerOnCopy } from './case.js';

/** Measures the maximum rate, then starts requests at half of it on a fixed schedule (open-loop load). */
async function measureAtHalfRate(
  { load, sizes }: CaseContext,
  port: number,
  scenarios: string[][],
  expectedStatuses: number[],
): Promise<Round> {
  const job = { port, scenarios, expectedStatuses, seconds: sizes.measureSeconds };
  await load.run({ ...job, seconds: sizes.warmUpSeconds });
  const maxPerSecond = ratePerSecond(await load.run(job));
  const outcome = await load.run({ ...job, arrivalsPerSecond: maxPerSecond / 2 });
  const { p50Ms, p99Ms } = new Histogram(outcome.latency).percentiles();
  return toRound(outcome, { ofMost: ratePerSecond(outcome) / maxPerSecond, tailRatio: p99Ms / p50Ms });
}

export const paceCase: BenchmarkCase = {
  name: 'pace',
  rows: [
    { id: 'pace-poll', title: 'poll at half of the maximum rate' },
    { id: 'pace-charge', title: 'charge at half of the maximum rate' },
  ],
  async run(context, record) {
    const { distinctUsers, queueLengths } = context.sizes;
    const queue = await context.datasets.queue(queueLengths[0]);
    const polls = (await sampleQueueTokens(queue, distinctUsers)).map((token) => [poll(token)]);
    await withServer(queue.database, async ({ port }) => {
      record('pace-poll', await measureAtHalfRate(context, port, polls, [200]));
    });
    const database = await context.datasets.users(distinctUsers);
    const charges = (await readUserIds(database, distinctUsers)).map((id) => [charge(signAccessToken(id))]);
    await withServerOnCopy(context, database, async ({ port }) => {
      record('pace-charge', await measureAtHalfRate(context, port, charges, [201]));
    });
  },
};
