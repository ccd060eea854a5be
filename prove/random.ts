import { mulberry32 } from '../test/support/prng.js';

/** Every random choice of a run derives from one seed: the same seed makes the same choices. */
export class Random {
  /** A number in [0, 1). */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = mulberry32(seed);
  }

  /** An integer from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('There is nothing to pick from.');
    return item;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }

  /** An independent generator: its choices do not depend on how many numbers others draw. */
  fork(): Random {
    return new Random(Math.floor(this.next() * 2 ** 32));
  }

  /** A random id of 24 hexadecimal digits. */
  id(): string {
    const digits = (): string =>
      this.below(2 ** 32)
        .toString(16)
        .padStart(8, '0');
    return `${digits()}${digits()}${digits()}`;
  }
}
