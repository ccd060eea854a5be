import type { SeatRun } from '../catalog/index.js';

/** Seats side by side that somebody might be given, by their places on the chart. */
export interface SeatChoice {
  readonly seats: readonly number[];
  /** How many single free seats it would leave beside itself, which nobody with company will buy. */
  readonly orphans: number;
  /** How far from the stage, with a little on top where what is left cannot be filled by groups of the same size. */
  readonly score: number;
}

export interface SeatRequest {
  readonly count: number;
  readonly isFree: (seat: number) => boolean;
  /** Whether it is of the grade asked for. */
  readonly isWanted: (seat: number) => boolean;
}

/** One seat further from the middle is better than leaving a row that a later group of this size cannot fill. */
const UNEVEN = 1;

/** Fewer single seats first, then nearer, then earlier on the chart. */
const isBetter = (a: SeatChoice, b: SeatChoice): boolean =>
  a.orphans === b.orphans
    ? a.score === b.score
      ? (a.seats[0] ?? 0) < (b.seats[0] ?? 0)
      : a.score < b.score
    : a.orphans < b.orphans;

/**
 * The best choice, then the best of what is left once that is gone, and so on. Banks come nearest first, so that only
 * the front of a hall is looked at while it has seats.
 */
export function* bestChoices(runs: readonly SeatRun[], wish: SeatRequest): Generator<SeatChoice> {
  const gone = new Set<number>();
  const left: SeatRequest = { ...wish, isFree: (seat) => !gone.has(seat) && wish.isFree(seat) };
  const bests = new Map<SeatRun, SeatChoice | null>();
  for (;;) {
    let best: { readonly run: SeatRun; readonly choice: SeatChoice } | undefined;
    for (const run of runs) {
      if (best?.choice.orphans === 0 && run.nearest > best.choice.score) break;
      const known = bests.get(run);
      const choice = known === undefined ? bestIn(run, left) : known;
      bests.set(run, choice);
      if (choice && (!best || isBetter(choice, best.choice))) best = { run, choice };
    }
    if (!best) return;
    yield best.choice;
    for (const seat of best.choice.seats) gone.add(seat);
    bests.delete(best.run);
  }
}

/** The best choice in one bank, from all stretches of free seats in it. */
function bestIn(run: SeatRun, wish: SeatRequest): SeatChoice | null {
  let best: SeatChoice | null = null;
  for (let start = 0; start < run.seats.length;) {
    let end = start;
    while (end < run.seats.length && wish.isFree(run.seats[end] ?? -1)) end += 1;
    for (let from = start; from + wish.count <= end; from += 1) {
      const choice = score(run, wish, from, from - start, end - from - wish.count);
      if (choice && (!best || isBetter(choice, best))) best = choice;
    }
    start = end + 1;
  }
  return best;
}

/** So many free seats would be left to its one side, and so many to the other. */
function score(
  { seats, distances }: SeatRun,
  { count, isWanted }: SeatRequest,
  from: number,
  before: number,
  after: number,
): SeatChoice | undefined {
  const chosen = seats.slice(from, from + count);
  if (!chosen.every(isWanted)) return undefined;
  let distance = 0;
  for (let at = from; at < from + count; at += 1) distance += distances[at] ?? 0;
  const uneven = Number(before % count > 0) + Number(after % count > 0);
  return {
    seats: chosen,
    orphans: Number(before === 1) + Number(after === 1),
    score: distance / count + uneven * UNEVEN,
  };
}
