/** Buckets per power of two: the error of a percentile stays below 1 %. */
const BUCKET_BITS = 7;
const BUCKETS = 1 << BUCKET_BITS;
const MAX_US = 2 ** 31 - 1;

export interface Percentiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
}

/** A log-linear histogram of durations: millions of them need a few kilobytes and no sorting. */
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
    this.#addToBucket(bucketOf(ms * 1000), 1);
  }

  /** Adds the counts of another histogram. */
  addAll(counts: readonly number[]): void {
    for (const [bucket, count] of counts.entries()) this.#addToBucket(bucket, count);
  }

  /** The duration that this share of all durations does not exceed. 0 when the histogram is empty. */
  quantileMs(share: number): number {
    let left = Math.ceil(share * this.#total);
    for (const [bucket, count] of this.counts.entries()) {
      left -= count;
      if (left <= 0) return this.#total === 0 ? 0 : middleOf(bucket) / 1000;
    }
    return 0;
  }

  percentiles(): Percentiles {
    return {
      p50Ms: this.quantileMs(0.5),
      p99Ms: this.quantileMs(0.99),
      p999Ms: this.quantileMs(0.999),
    };
  }

  #addToBucket(bucket: number, count: number): void {
    while (this.counts.length <= bucket) this.counts.push(0);
    this.counts[bucket] = (this.counts[bucket] ?? 0) + count;
    this.#total += count;
  }
}

function bucketOf(us: number): number {
  const value = Math.min(MAX_US, Math.max(0, Math.floor(us)));
  if (value < BUCKETS) return value;
  const doublings = 31 - Math.clz32(value) - BUCKET_BITS;
  return doublings * BUCKETS + (value >> doublings);
}

function middleOf(bucket: number): number {
  if (bucket < BUCKETS) return bucket;
  const doublings = Math.floor(bucket / BUCKETS) - 1;
  const width = 2 ** doublings;
  return (bucket - doublings * BUCKETS) * width + (width - 1) / 2;
}
