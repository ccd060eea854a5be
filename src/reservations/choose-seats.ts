import type { Bank } from '../catalog/index.js';

/** Seats side by side that somebody might be given, by their places on the chart. */
export interface Choice {
  readonly seats: readonly number[];
  /** How many single free seats it would leave beside itself, which nobody with company will buy. */
  readonly lone: number;
  /** How far from the stage, with a little on top where what is left cannot be filled by groups of the same size. */
  readonly score: number;
}

export interface Wish {
  readonly count: number;
  readonly isFree: (seat: number) => boolean;
  /** Whether it is of the grade asked for. */
  readonly isWanted: (seat: number) => boolean;
}

/** One seat further from the middle is better than leaving a row that a later group of this size cannot fill. */
const UNEVEN = 1;

/** Fewer single seats first, then nearer, then earlier on the chart. */
const isBetter = (a: Choice, b: Choice): boolean =>
  a.lone === b.lone
    ? a.score === b.score
      ? (a.seats[0] ?? 0) < (b.seats[0] ?? 0)
      : a.score < b.score
    : a.lone < b.lone;

/**
 * The best choice, then the best of what is left once that is gone, and so on. Banks come nearest first, so that only
 * the front of a hall is looked at while it has seats.
 */
export function* bestChoices(banks: readonly Bank[], wish: Wish): Generator<Choice> {
  const gone = new Set<number>();
  const left: Wish = { ...wish, isFree: (seat) => !gone.has(seat) && wish.isFree(seat) };
  const bests = new Map<Bank, Choice | null>();
  for (;;) {
    let best: { readonly bank: Bank; readonly choice: Choice } | undefined;
    for (const bank of banks) {
      if (best?.choice.lone === 0 && bank.nearest > best.choice.score) break;
      const known = bests.get(bank);
      const choice = known === undefined ? bestIn(bank, left) : known;
      bests.set(bank, choice);
      if (choice && (!best || isBetter(choice, best.choice))) best = { bank, choice };
    }
    if (!best) return;
    yield best.choice;
    for (const seat of best.choice.seats) gone.add(seat);
    bests.delete(best.bank);
  }
}

/** The best choice in one bank, from all stretches of free seats in it. */
function bestIn(bank: Bank, wish: Wish): Choice | null {
  let best: Choice | null = null;
  for (let start = 0; start < bank.seats.length;) {
    let end = start;
    while (end < bank.seats.length && wish.isFree(bank.seats[end] ?? -1)) end += 1;
    for (let from = start; from + wish.count <= end; from += 1) {
      const choice = judge(bank, wish, from, from - start, end - from - wish.count);
      if (choice && (!best || isBetter(choice, best))) best = choice;
    }
    start = end + 1;
  }
  return best;
}

/** So many free seats would be left to its one side, and so many to the other. */
function judge(
  { seats, distances }: Bank,
  { count, isWanted }: Wish,
  from: number,
  before: number,
  after: number,
): Choice | undefined {
  const chosen = seats.slice(from, from + count);
  if (!chosen.every(isWanted)) return undefined;
  let distance = 0;
  for (let at = from; at < from + count; at += 1) distance += distances[at] ?? 0;
  const uneven = Number(before % count > 0) + Number(after % count > 0);
  return {
    seats: chosen,
    lone: Number(before === 1) + Number(after === 1),
    score: distance / count + uneven * UNEVEN,
  };
}
