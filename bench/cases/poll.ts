import { strict as assert } from 'node:assert';
import { sampleQueueTokens } from '../datasets/read-ids.js';
import { poll } from '../foyer/requests.js';
import { withServer } from '../foyer/server.js';
import { ratePerSecond, toRound } from '../measurement/against-references.js';
import { runInterleaved } from '../measurement/interleave.js';
import { formatCount } from '../report/format-figure.js';
import type { BenchmarkCase } from './case.js';

const ROWS = ['poll-small', 'poll-middle', 'poll-large'] as const;

/** Polls queues of three lengths, each on its own server, interleaved with both reference servers. */
export const pollCase = (queueLengths: readonly number[]): BenchmarkCase => ({
  name: 'poll',
  rows: [
    { id: 'http', title: 'reference: node:http alone' },
    { id: 'fastify', title: 'reference: an empty Fastify route' },
    ...ROWS.map((id, index) => ({ id, title: `poll, ${formatCount(queueLengths[index] ?? 0)} waiting` })),
  ],
  async run(context, record) {
    const { datasets, load, referenceServers, sizes } = context;
    const pollJobs: { port: number; scenarios: string[][]; seconds: number }[] = [];

    /** Nests one `withServer` per queue length, so that all servers run during the measurement. */
    async function startServers([length, ...rest]: readonly number[]): Promise<void> {
      if (length === undefined) return measureAll();
      const queue = await datasets.queue(length);
      const tokens = await sampleQueueTokens(queue, sizes.distinctUsers);
      const scenarios = tokens.map((token) => [poll(token)]);
      await withServer(queue.database, ({ port }) => {
        pollJobs.push({ port, scenarios, seconds: sizes.measureSeconds });
        return startServers(rest);
      });
    }

    async function measureAll(): Promise<void> {
      let bodyBytes = 0;
      for (const job of pollJobs) {
        const warmUp = await load.run({ ...job, seconds: sizes.warmUpSeconds });
        bodyBytes = warmUp.bodyBytes;
      }
      const [http, fastify, ...polls] = await runInterleaved(load, [
        await referenceServers.createJob('http', bodyBytes),
        await referenceServers.createJob('fastify', bodyBytes),
        ...pollJobs,
      ]);
      assert(http && fastify && polls[0]);
      record('http', toRound(http));
      record('fastify', toRound(fastify));
      const shortestQueueRate = ratePerSecond(polls[0]);
      for (const [index, outcome] of polls.entries()) {
        const rate = ratePerSecond(outcome);
        const figures = { ofFastify: rate / ratePerSecond(fastify), ofShortLine: rate / shortestQueueRate };
        record(ROWS[index] ?? '', toRound(outcome, figures));
      }
    }

    await startServers(sizes.queueLengths);
  },
});
