import type { Outcome } from '../load/job.js';
import type { JobRequest, LoadGenerator } from '../load/load-generator.js';
import { Histogram } from './histogram.js';

/** Short enough that a disturbance of the machine affects all interleaved jobs. */
const SLICE_SECONDS = 1;

/** Runs the jobs in alternating slices, each job for its whole duration, and returns their outcomes in order. */
export async function runInterleaved(load: LoadGenerator, jobs: readonly JobRequest[]): Promise<Outcome[]> {
  const slices = Math.max(1, ...jobs.map(({ seconds }) => Math.round(seconds / SLICE_SECONDS)));
  const outcomes: Outcome[][] = jobs.map(() => []);
  for (let slice = 0; slice < slices; slice += 1) {
    for (const [index, job] of jobs.entries()) {
      outcomes[index]?.push(await load.run(sliceJob(job, slice, slices)));
    }
  }
  return outcomes.map(mergeOutcomes);
}

/** If each scenario can run only once, every slice gets its own part of them. */
function sliceJob(job: JobRequest, slice: number, slices: number): JobRequest {
  const { scenarios, seconds } = job;
  const startOf = (index: number): number => Math.floor((scenarios.length * index) / slices);
  return {
    ...job,
    seconds: seconds / slices,
    scenarios: job.once === true ? scenarios.slice(startOf(slice), startOf(slice + 1)) : scenarios,
  };
}

/** Combines the outcomes of the slices of one job. */
export function mergeOutcomes(outcomes: readonly Outcome[]): Outcome {
  const responses = (outcome: Outcome): number => sum(Object.values(outcome.statuses));
  const mean = (value: (outcome: Outcome) => number, weight: (outcome: Outcome) => number): number =>
    sum(outcomes.map((outcome) => value(outcome) * weight(outcome))) /
    Math.max(1e-9, sum(outcomes.map(weight)));
  const statuses: Record<string, number> = {};
  const latency = new Histogram();
  for (const outcome of outcomes) {
    latency.addAll(outcome.latency);
    for (const [status, count] of Object.entries(outcome.statuses))
      statuses[status] = (statuses[status] ?? 0) + count;
  }
  return {
    completed: sum(outcomes.map(({ completed }) => completed)),
    seconds: sum(outcomes.map(({ seconds }) => seconds)),
    statuses,
    bodyBytes: mean(({ bodyBytes }) => bodyBytes, responses),
    wireBytes: mean(({ wireBytes }) => wireBytes, responses),
    loadShare: mean(
      ({ loadShare }) => loadShare,
      ({ seconds }) => seconds,
    ),
    latency: latency.counts,
    captured: outcomes.flatMap(({ captured }) => captured),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
