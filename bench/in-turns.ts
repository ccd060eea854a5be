import { Histogram } from './histogram.js';
import type { Load, Request } from './load/client.js';
import type { Outcome } from './load/job.js';

/** What happens on the machine for a second happens to all that are measured in turns. */
const SLICE_SECONDS = 1;

/** Measures all of them for as long as each asks for, a slice of one after a slice of the other. */
export async function inTurns(load: Load, requests: readonly Request[]): Promise<Outcome[]> {
  const slices = Math.max(1, ...requests.map(({ seconds }) => Math.round(seconds / SLICE_SECONDS)));
  const taken: Outcome[][] = requests.map(() => []);
  for (let slice = 0; slice < slices; slice += 1) {
    for (const [index, request] of requests.entries()) {
      taken[index]?.push(await load.run(sliceOf(request, slice, slices)));
    }
  }
  return taken.map(together);
}

/** Where each visit can be made only once, every slice has its own. */
function sliceOf(request: Request, slice: number, slices: number): Request {
  const { visits, seconds } = request;
  const at = (share: number): number => Math.floor((visits.length * share) / slices);
  return {
    ...request,
    seconds: seconds / slices,
    visits: request.once === true ? visits.slice(at(slice), at(slice + 1)) : visits,
  };
}

/** Several outcomes of the same requests as one. */
export function together(outcomes: readonly Outcome[]): Outcome {
  const seconds = sum(outcomes.map((each) => each.seconds));
  const answers = (each: Outcome): number => sum(Object.values(each.statuses));
  const mean = (of: (each: Outcome) => number, weight: (each: Outcome) => number): number =>
    sum(outcomes.map((each) => of(each) * weight(each))) / Math.max(1e-9, sum(outcomes.map(weight)));
  const statuses: Record<string, number> = {};
  const latency = new Histogram();
  for (const each of outcomes) {
    latency.addAll(each.latency);
    for (const [status, count] of Object.entries(each.statuses))
      statuses[status] = (statuses[status] ?? 0) + count;
  }
  return {
    visits: sum(outcomes.map((each) => each.visits)),
    seconds,
    statuses,
    bodyBytes: mean((each) => each.bodyBytes, answers),
    wireBytes: mean((each) => each.wireBytes, answers),
    loadShare: mean(
      (each) => each.loadShare,
      (each) => each.seconds,
    ),
    latency: latency.counts,
    captured: outcomes.flatMap((each) => each.captured),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
