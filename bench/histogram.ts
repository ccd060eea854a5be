/** Steps in each doubling of the value: a percentile is off by less than one in a hundred. */
const STEP_BITS = 7;
const STEPS = 1 << STEP_BITS;
const MAX_US = 2 ** 31 - 1;

export interface Percentiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
}

/** Counts durations by their size, so that millions of them cost a few kilobytes and no sorting. */
export class Histogram {
  readonly counts: number[];
  #total: number;

  constructor(counts: readonly number[] = []) {
    this.counts = [...counts];
    this.#total = counts.reduce((sum, count) => sum + count, 0);
  }

  get total(): number {
    return this.#total;
  }

  add(ms: number): void {
    this.#count(indexOf(ms * 1000), 1);
  }

  /** Adds what another histogram has counted. */
  addAll(counts: readonly number[]): void {
    for (const [index, count] of counts.entries()) this.#count(index, count);
  }

  /** The duration that this share of them does not exceed; 0 when there are none. */
  quantileMs(share: number): number {
    let left = Math.ceil(share * this.#total);
    for (const [index, count] of this.counts.entries()) {
      left -= count;
      if (left <= 0) return this.#total === 0 ? 0 : middleOf(index) / 1000;
    }
    return 0;
  }

  #count(index: number, times: number): void {
    while (this.counts.length <= index) this.counts.push(0);
    this.counts[index] = (this.counts[index] ?? 0) + times;
    this.#total += times;
  }

  percentiles(): Percentiles {
    return {
      p50Ms: this.quantileMs(0.5),
      p99Ms: this.quantileMs(0.99),
      p999Ms: this.quantileMs(0.999),
    };
  }
}

function indexOf(us: number): number {
  const value = Math.min(MAX_US, Math.max(0, Math.floor(us)));
  if (value < STEPS) return value;
  const doublings = 31 - Math.clz32(value) - STEP_BITS;
  return doublings * STEPS + (value >> doublings);
}

function middleOf(index: number): number {
  if (index < STEPS) return index;
  const doublings = Math.floor(index / STEPS) - 1;
  const width = 2 ** doublings;
  return (index - doublings * STEPS) * width + (width - 1) / 2;
}
