/** Measures a case and the limits of the machine at the same time, so that a ratio remains valid on another machine. */
import { strict as assert } from 'node:assert';
import type { CaseContext } from '../cases/case.js';
import type { Outcome } from '../load/job.js';
import type { JobRequest } from '../load/load-generator.js';
import type { ScriptName } from '../pgbench/scripts.js';
import type { Round } from '../result.js';
import { Histogram } from './histogram.js';
import { runInterleaved } from './interleave.js';

export const ratePerSecond = ({ completed, seconds }: Outcome): number => completed / seconds;

/** The figures that every measured case has, and those that only this case has. */
export const toRound = (outcome: Outcome, caseFigures: Readonly<Record<string, number>> = {}): Round => ({
  figures: {
    perSecond: ratePerSecond(outcome),
    ...new Histogram(outcome.latency).percentiles(),
    answerBytes: outcome.bodyBytes,
    loadShare: outcome.loadShare,
    ...caseFigures,
  },
  statuses: outcome.statuses,
});

type MeasuredJob = Omit<JobRequest, 'seconds'>;

/** Warms up the server, then measures it interleaved with an empty Fastify route whose response has the same size. */
export async function measureAgainstFastify(
  { load, referenceServers, sizes }: CaseContext,
  job: MeasuredJob,
): Promise<{ outcome: Outcome; figures: Record<string, number> }> {
  const [warmUpJob, measuredJob] = splitOffWarmUp(job);
  const { bodyBytes } = await load.run({ ...warmUpJob, seconds: sizes.warmUpSeconds });
  const [fastify, outcome] = await runInterleaved(load, [
    await referenceServers.createJob('fastify', bodyBytes),
    { ...measuredJob, seconds: sizes.measureSeconds },
  ]);
  assert(fastify && outcome);
  const fastifyPerSecond = ratePerSecond(fastify);
  return { outcome, figures: { fastifyPerSecond, ofFastify: ratePerSecond(outcome) / fastifyPerSecond } };
}

/** If each scenario can run only once, the first tenth of them is for the warm-up. */
function splitOffWarmUp(job: MeasuredJob): [warmUp: MeasuredJob, measured: MeasuredJob] {
  if (job.once !== true) return [job, job];
  const warmUpCount = Math.ceil(job.scenarios.length / 10);
  return [
    { ...job, scenarios: job.scenarios.slice(0, warmUpCount) },
    { ...job, scenarios: job.scenarios.slice(warmUpCount) },
  ];
}

/** Measures against Fastify and, in cluster mode, against pgbench with the same SQL statements. */
export async function measureWrite(
  context: CaseContext,
  script: ScriptName,
  job: MeasuredJob,
): Promise<Round> {
  const { outcome, figures } = await measureAgainstFastify(context, job);
  if (!context.pgbench) return toRound(outcome, figures);
  const pgbenchPerSecond = await context.pgbench.measure(script);
  const ofPgbench = ratePerSecond(outcome) / pgbenchPerSecond;
  return toRound(outcome, { ...figures, pgbenchPerSecond, ofPgbench });
}
