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

const isBetter = (a: Choice, b: Choice): boolean =>
  a.lone === b.lone
    ? a.score === b.score
      ? (a.seats[0] ?? 0) < (b.seats[0] ?? 0)
      : a.score < b.score
    : a.lone < b.lone;

/** All choices there are in one bank. */
function* choicesIn(bank: Bank, { count, isFree, isWanted }: Wish): Generator<Choice> {
  const { seats, distances } = bank;
  for (let start = 0; start < seats.length;) {
    let end = start;
    while (end < seats.length && isFree(seats[end] ?? -1)) end += 1;
    for (let from = start; from + count <= end; from += 1) {
      const chosen = seats.slice(from, from + count);
      if (!chosen.every(isWanted)) continue;
      const left = [from - start, end - from - count];
      const distance = distances.slice(from, from + count).reduce((sum, each) => sum + each, 0) / count;
      const uneven = left.filter((free) => free % count !== 0).length;
      yield {
        seats: chosen,
        lone: left.filter((free) => free === 1).length,
        score: distance + uneven * UNEVEN,
      };
    }
    start = end + 1;
  }
}

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

function bestIn(bank: Bank, wish: Wish): Choice | null {
  let best: Choice | null = null;
  for (const choice of choicesIn(bank, wish)) if (!best || isBetter(choice, best)) best = choice;
  return best;
}
