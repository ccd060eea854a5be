import { type Bench, type CaseGroup, onCopy } from '../bench.js';
import { userIds } from '../look-up.js';
import { perSecond } from '../measure.js';
import { Histogram } from '../histogram.js';
import { join, poll } from '../requests.js';
import { type Server, serving } from '../servers.js';
import { accessToken } from '../tokens.js';

/** Joins handed to the load process at once. */
const CHUNK = 50_000;
/** Enough to fill the caches of the server, which are bounded, before its memory is looked at. */
const WARM_UP_MAX = 45_000;
const JOIN_SECONDS_MAX = 600;
const CAPTURES = [{ step: 0, name: 'token', pattern: '"token":"([^"]+)"' }];

/** Lets people join and answers the tokens of some of them. */
async function joinAll(
  bench: Bench,
  { port }: Server,
  concertId: string,
  userIdsToJoin: readonly string[],
): Promise<string[]> {
  const some: string[] = [];
  for (let at = 0; at < userIdsToJoin.length; at += CHUNK) {
    const chunk = userIdsToJoin.slice(at, at + CHUNK);
    const visits = chunk.map((id) => [join(concertId, accessToken(id))]);
    const job = { port, visits, once: true, expect: [201], seconds: JOIN_SECONDS_MAX, captures: CAPTURES };
    const { captured } = await bench.load.run(job);
    const step = Math.max(1, Math.floor(captured.length / 500));
    some.push(...captured.filter((_, index) => index % step === 0).map(({ text }) => text));
  }
  return some;
}

/** One process while its line grows from nobody: what each of them costs in memory, and whether polls get dearer. */
export const growthCase = (steps: readonly number[]): CaseGroup => ({
  name: 'growth',
  rows: [
    {
      id: 'growth',
      title: `memory per waiting person, from 0 to ${(steps.at(-1) ?? 0).toLocaleString('en')}`,
    },
  ],
  async run(bench, fill) {
    const most = steps.at(-1) ?? 0;
    const { data, concertId, otherId } = await bench.datasets.crowd(most);
    const ids = await userIds(data, most);
    const pollFor = async ({ port }: Server, tokens: readonly string[]) => {
      const visits = tokens.map((token) => [poll(token)]);
      return bench.load.run({ port, visits, seconds: bench.sizes.seconds });
    };

    async function grow(server: Server): Promise<void> {
      const warmers = await joinAll(bench, server, otherId, ids.slice(0, WARM_UP_MAX));
      await pollFor(server, warmers);
      const tokens: string[] = [];
      let waiting = 0;
      let emptyBytes: number | undefined;
      for (const step of steps) {
        tokens.push(...(await joinAll(bench, server, concertId, ids.slice(waiting, step))));
        waiting = step;
        // With nobody waiting in this line the other one is asked.
        const outcome = await pollFor(server, tokens.length > 0 ? tokens : warmers);
        const bytes = await server.residentBytes();
        emptyBytes ??= bytes;
        bench.point('memory', waiting, bytes);
        bench.point('poll-cost', waiting, 1e6 / perSecond(outcome));
        const { p99Ms } = new Histogram(outcome.latency).percentiles();
        if (waiting === most) fill('growth', { figures: { bytesEach: (bytes - emptyBytes) / most, p99Ms } });
      }
    }

    await onCopy(bench, data, (copy) => serving(copy, grow, { memory: true }));
  },
});
