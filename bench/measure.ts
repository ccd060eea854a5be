import { strict as assert } from 'node:assert';
import type { Bench } from './bench.js';
import { Histogram } from './histogram.js';
import { inTurns } from './in-turns.js';
import type { Request } from './load/client.js';
import type { Outcome } from './load/job.js';
import type { Round } from './result.js';

export const perSecond = ({ visits, seconds }: Outcome): number => visits / seconds;

/** The figures that every measured case has. */
export const roundOf = (outcome: Outcome, more: Readonly<Record<string, number>> = {}): Round => ({
  figures: {
    perSecond: perSecond(outcome),
    ...new Histogram(outcome.latency).percentiles(),
    answerBytes: outcome.bodyBytes,
    loadShare: outcome.loadShare,
    ...more,
  },
  statuses: outcome.statuses,
});

type Measured = Pick<Request, 'port' | 'visits'> & Partial<Request>;

/** Warms the server up, then measures it in turns with the empty Fastify route that answers as much. */
export async function measureAgainstFastify(
  bench: Bench,
  job: Measured,
): Promise<{ outcome: Outcome; fastifyPerSecond: number; figures: Record<string, number> }> {
  const { warmSeconds, seconds } = bench.sizes;
  const { warm, rest } = split(job);
  const warmed = await bench.load.run({ seconds: warmSeconds, ...warm });
  const reference = await bench.references.requestOf('fastify', warmed.bodyBytes);
  const [fastify, outcome] = await inTurns(bench.load, [reference, { seconds, ...rest }]);
  assert(fastify && outcome);
  const fastifyPerSecond = perSecond(fastify);
  return {
    outcome,
    fastifyPerSecond,
    figures: { fastifyPerSecond, ofFastify: perSecond(outcome) / fastifyPerSecond },
  };
}

/** Where each visit can be made only once, the first tenth of them warms the server up. */
function split(job: Measured): { warm: Measured; rest: Measured } {
  if (job.once !== true) return { warm: job, rest: job };
  const warmVisits = Math.ceil(job.visits.length / 10);
  return {
    warm: { ...job, visits: job.visits.slice(0, warmVisits) },
    rest: { ...job, visits: job.visits.slice(warmVisits) },
  };
}

/** In cluster mode the same statements by pgbench; otherwise nothing. */
export async function againstPgbench(
  bench: Bench,
  script: 'hold' | 'charge' | 'pay',
  rate: number,
): Promise<Record<string, number>> {
  if (!bench.pgbench) return {};
  const pgbenchPerSecond = await bench.pgbench.measure(script);
  return { pgbenchPerSecond, ofPgbench: rate / pgbenchPerSecond };
}
