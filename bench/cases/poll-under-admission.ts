import { setTimeout as sleep } from 'node:timers/promises';
import { sampleQueueTokens } from '../datasets/read-ids.js';
import { type OperatorClient, signInAsOperator } from '../foyer/operator-client.js';
import { poll } from '../foyer/requests.js';
import { toRound } from '../measurement/against-references.js';
import { Histogram } from '../measurement/histogram.js';
import { formatCount } from '../report/format-figure.js';
import type { Sizes } from '../sizes.js';
import { type BenchmarkCase, withServerOnCopy } from './case.js';

/** The slots are opened in this many steps over the lifetime of a place, so that places expire all the time. */
const RAMP_STEPS = 40;

async function rampUp(
  operator: OperatorClient,
  concertId: string,
  { active, activeSeconds }: Sizes['turnover'],
): Promise<void> {
  for (let step = 1; step <= RAMP_STEPS; step += 1) {
    await operator.changePolicy(concertId, {
      maxActive: Math.ceil((active * step) / RAMP_STEPS),
      activeSeconds,
    });
    await sleep((activeSeconds * 1000) / RAMP_STEPS);
  }
}

/** Polls of fans who wait, while places expire and others are admitted without a break. */
export const pollUnderAdmissionCase = (
  { active, activeSeconds }: Sizes['turnover'],
  waiting: number,
): BenchmarkCase => ({
  name: 'poll-under-admission',
  rows: [
    {
      id: 'poll-under-admission',
      title: `poll, ${formatCount(waiting)} waiting, ${formatCount(active)} active, ${formatCount(active / activeSeconds)} admitted per second`,
    },
  ],
  async run(context, record) {
    const { datasets, load, sizes } = context;
    const queue = await datasets.queue(waiting);
    const { database, concertId } = queue;
    const tokens = await sampleQueueTokens(queue, sizes.distinctUsers);
    // The back half is not admitted during the measurement.
    const scenarios = tokens.slice(tokens.length / 2).map((token) => [poll(token)]);
    await withServerOnCopy(context, database, async (server) => {
      const operator = await signInAsOperator(server);
      await load.run({ port: server.port, scenarios, seconds: sizes.warmUpSeconds });
      await rampUp(operator, concertId, sizes.turnover);
      const before = await operator.readStats(concertId);
      const outcome = await load.run({ port: server.port, scenarios, seconds: sizes.turnoverSeconds });
      const after = await operator.readStats(concertId);
      const { p50Ms, p99Ms } = new Histogram(outcome.latency).percentiles();
      const admittedPerSecond = (before.waiting - after.waiting) / outcome.seconds;
      record('poll-under-admission', toRound(outcome, { admittedPerSecond, tailRatio: p99Ms / p50Ms }));
    });
  },
});
