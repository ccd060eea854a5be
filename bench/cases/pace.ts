import { type Bench, type CaseGroup, onCopy } from '../bench.js';
import { Histogram } from '../histogram.js';
import { placesOf, userIds } from '../look-up.js';
import { perSecond, roundOf } from '../measure.js';
import type { Round } from '../result.js';
import { charge, poll } from '../requests.js';
import { serving } from '../servers.js';
import { accessToken, queueToken } from '../tokens.js';

/** Finds the highest rate, then sends half of it by the clock, whether or not the answers keep up. */
async function atHalf(bench: Bench, port: number, visits: string[][], expect: number[]): Promise<Round> {
  const { warmSeconds, seconds } = bench.sizes;
  const job = { port, visits, expect, seconds };
  await bench.load.run({ ...job, seconds: warmSeconds });
  const most = perSecond(await bench.load.run(job));
  const outcome = await bench.load.run({ ...job, pace: most / 2 });
  const { p50Ms, p99Ms } = new Histogram(outcome.latency).percentiles();
  return roundOf(outcome, { ofMost: perSecond(outcome) / most, tailRatio: p99Ms / p50Ms });
}

export const paceCases: CaseGroup = {
  name: 'pace',
  rows: [
    { id: 'pace-poll', title: 'poll at half of the highest rate' },
    { id: 'pace-charge', title: 'charge at half of the highest rate' },
  ],
  async run(bench, fill) {
    const { sizes } = bench;
    const waiting = await bench.datasets.line(sizes.lines[0]);
    const places = await placesOf(waiting, sizes.pollers);
    const polls = places.map((place) => [poll(queueToken(waiting.concertId, place))]);
    await serving(waiting.data, async ({ port }) => {
      fill('pace-poll', await atHalf(bench, port, polls, [200]));
    });
    const data = await bench.datasets.people(sizes.pollers);
    const charges = (await userIds(data, sizes.pollers)).map((id) => [charge(accessToken(id))]);
    await onCopy(bench, data, (copy) =>
      serving(copy, async ({ port }) => {
        fill('pace-charge', await atHalf(bench, port, charges, [201]));
      }),
    );
  },
};
