import { readUserIds } from '../datasets/read-ids.js';
import { join, poll, TOKEN_PATTERN } from '../foyer/requests.js';
import type { FoyerServer } from '../foyer/server.js';
import { signAccessToken } from '../foyer/tokens.js';
import { ratePerSecond } from '../measurement/against-references.js';
import { Histogram } from '../measurement/histogram.js';
import { formatCount } from '../report/format-figure.js';
import { type BenchmarkCase, type CaseContext, withServerOnCopy } from './case.js';

const JOINS_PER_JOB = 50_000;
/** How many queue tokens of each job are saved, to poll with. */
const TOKENS_PER_JOB = 500;
/** Enough joins to fill the server's bounded caches before its memory is measured. */
const WARM_UP_JOINS = 45_000;
const JOIN_SECONDS_MAX = 600;
const CAPTURES = [{ step: 0, name: 'token', pattern: TOKEN_PATTERN }];

/** Joins all users and returns a sample of their queue tokens. */
async function joinAll(
  context: CaseContext,
  { port }: FoyerServer,
  concertId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const sample: string[] = [];
  for (let start = 0; start < userIds.length; start += JOINS_PER_JOB) {
    const chunk = userIds.slice(start, start + JOINS_PER_JOB);
    const { captured } = await context.load.run({
      port,
      scenarios: chunk.map((id) => [join(concertId, signAccessToken(id))]),
      once: true,
      expectedStatuses: [201],
      seconds: JOIN_SECONDS_MAX,
      captures: CAPTURES,
    });
    const step = Math.max(1, Math.floor(captured.length / TOKENS_PER_JOB));
    sample.push(...captured.filter((_, index) => index % step === 0).map(({ text }) => text));
  }
  return sample;
}

/** Grows the queue of one server from empty by joins: memory per place, and the cost of a poll at each length. */
export const growthCase = (queueLengths: readonly number[]): BenchmarkCase => {
  const longest = queueLengths.at(-1) ?? 0;
  return {
    name: 'growth',
    rows: [{ id: 'growth', title: `memory per waiting person, from 0 to ${formatCount(longest)}` }],
    async run(context, record) {
      const { database, concertId, otherConcertId } = await context.datasets.joiners(longest);
      const userIds = await readUserIds(database, longest);
      const runPolls = ({ port }: FoyerServer, tokens: readonly string[]) =>
        context.load.run({
          port,
          scenarios: tokens.map((token) => [poll(token)]),
          seconds: context.sizes.measureSeconds,
        });

      async function grow(server: FoyerServer): Promise<void> {
        const warmUpTokens = await joinAll(context, server, otherConcertId, userIds.slice(0, WARM_UP_JOINS));
        await runPolls(server, warmUpTokens);
        const tokens: string[] = [];
        let waiting = 0;
        let emptyBytes: number | undefined;
        for (const queueLength of queueLengths) {
          tokens.push(...(await joinAll(context, server, concertId, userIds.slice(waiting, queueLength))));
          waiting = queueLength;
          // An empty queue has no tokens to poll with, so the first measurement polls the other concert's queue.
          const outcome = await runPolls(server, tokens.length > 0 ? tokens : warmUpTokens);
          const bytes = await server.residentBytes();
          emptyBytes ??= bytes;
          context.addPoint('memory', waiting, bytes);
          context.addPoint('poll-cost', waiting, 1e6 / ratePerSecond(outcome));
          if (waiting !== longest) continue;
          const { p99Ms } = new Histogram(outcome.latency).percentiles();
          record('growth', { figures: { bytesEach: (bytes - emptyBytes) / longest, p99Ms } });
        }
      }

      await withServerOnCopy(context, database, grow, { canMeasureMemory: true });
    },
  };
};
