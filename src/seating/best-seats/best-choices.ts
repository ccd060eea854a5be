import type { SeatRun } from '../map/seat-runs.js';

/** Adjacent seats that could be held, by their index in chart order. */
export interface SeatChoice {
  readonly seats: readonly number[];
  /** The rank of its lowest grade. */
  readonly rank: number;
  /** How many single available seats it would leave next to itself; groups never buy those. */
  readonly orphans: number;
  /** Lower is better: the mean distance from the stage (see seat-runs.ts), plus a penalty for remainders that groups of this size cannot fill. */
  readonly score: number;
}

export interface SeatRequest {
  readonly count: number;
  readonly isAvailable: (seat: number) => boolean;
  readonly matchesGrade: (seat: number) => boolean;
}

/** One unit further from the stage is better than a remainder that groups of the same size cannot fill. */
const REMAINDER_PENALTY = 1;

/** The better grade first, then fewer orphans, then the lower score, then earlier on the chart. */
const isBetter = (a: SeatChoice, b: SeatChoice): boolean =>
  (a.rank - b.rank || a.orphans - b.orphans || a.score - b.score || (a.seats[0] ?? 0) - (b.seats[0] ?? 0)) <
  0;

/** Whether no choice in this run, or in any after it, can be better. */
const cannotBeat = (run: SeatRun, best: SeatChoice): boolean =>
  run.bestRank > best.rank || (run.bestRank === best.rank && best.orphans === 0 && run.nearest > best.score);

/**
 * Yields the best choice, then the best of the remaining seats, and so on. `runs` is sorted by grade and distance, so
 * the search stays near the stage as long as seats are available there.
 */
export function* bestChoices(runs: readonly SeatRun[], request: SeatRequest): Generator<SeatChoice> {
  const used = new Set<number>();
  const isAvailable = (seat: number): boolean => !used.has(seat) && request.isAvailable(seat);
  const remaining: SeatRequest = { ...request, isAvailable };
  const bestByRun = new Map<SeatRun, SeatChoice | null>();
  for (;;) {
    let best: { readonly run: SeatRun; readonly choice: SeatChoice } | undefined;
    for (const run of runs) {
      if (best && cannotBeat(run, best.choice)) break;
      const cached = bestByRun.get(run);
      const choice = cached === undefined ? bestInRun(run, remaining) : cached;
      bestByRun.set(run, choice);
      if (choice && (!best || isBetter(choice, best.choice))) best = { run, choice };
    }
    if (!best) return;
    yield best.choice;
    for (const seat of best.choice.seats) used.add(seat);
    bestByRun.delete(best.run);
  }
}

/** Scores every position within every stretch of available seats. */
function bestInRun(run: SeatRun, request: SeatRequest): SeatChoice | null {
  let best: SeatChoice | null = null;
  for (let start = 0; start < run.seats.length;) {
    let end = start;
    while (end < run.seats.length && request.isAvailable(run.seats[end] ?? -1)) end += 1;
    for (let from = start; from + request.count <= end; from += 1) {
      const choice = score(run, request, from, from - start, end - from - request.count);
      if (choice && (!best || isBetter(choice, best))) best = choice;
    }
    start = end + 1;
  }
  return best;
}

/** `before` and `after` are the numbers of available seats that would remain on either side. */
function score(
  { seats, ranks, distances }: SeatRun,
  { count, matchesGrade }: SeatRequest,
  from: number,
  before: number,
  after: number,
): SeatChoice | undefined {
  const chosen = seats.slice(from, from + count);
  if (!chosen.every(matchesGrade)) return undefined;
  let distance = 0;
  let rank = 0;
  for (let index = from; index < from + count; index += 1) {
    distance += distances[index] ?? 0;
    rank = Math.max(rank, ranks[index] ?? 0);
  }
  const remainders = Number(before % count > 0) + Number(after % count > 0);
  return {
    seats: chosen,
    rank,
    orphans: Number(before === 1) + Number(after === 1),
    score: distance / count + remainders * REMAINDER_PENALTY,
  };
}
