import { assert } from '../../kernel/assert.js';
import { joinLabels, numberText, sampleName } from './text.js';

/** One line of values, or a histogram's few. Its names are written out when it is made, never while it counts. */
export interface Series {
  render(): string;
}

export interface Counter {
  /** Adds 1, or `by`. Not checked for being negative: this is the hot path. */
  inc(by?: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

export class CountedSeries implements Counter, Series {
  readonly #name: string;
  #value = 0;

  constructor(name: string, labels: string) {
    this.#name = sampleName(name, labels);
  }

  inc(by = 1): void {
    this.#value += by;
  }

  render(): string {
    return `${this.#name} ${numberText(this.#value)}\n`;
  }
}

/** A value kept elsewhere and asked for at each scrape. */
export class ReadSeries implements Series {
  readonly #name: string;
  readonly #read: () => number;

  constructor(name: string, labels: string, read: () => number) {
    this.#name = sampleName(name, labels);
    this.#read = read;
  }

  render(): string {
    return `${this.#name} ${numberText(this.#read())}\n`;
  }
}

interface Bucket {
  readonly upTo: number;
  readonly name: string;
  count: number;
}

export class HistogramSeries implements Histogram, Series {
  readonly bounds: readonly number[];
  /** Each counts only its own share; the format's running totals are added up at the scrape. */
  readonly #buckets: readonly Bucket[];
  readonly #sumName: string;
  readonly #countName: string;
  #sum = 0;

  constructor(name: string, labels: string, bounds: readonly number[]) {
    assert(isAscending(bounds), `the buckets of ${name} must be finite and ascending`);
    this.bounds = bounds;
    this.#buckets = [...bounds, Infinity].map((upTo) => ({
      upTo,
      name: sampleName(`${name}_bucket`, joinLabels(labels, `le="${numberText(upTo)}"`)),
      count: 0,
    }));
    this.#sumName = sampleName(`${name}_sum`, labels);
    this.#countName = sampleName(`${name}_count`, labels);
  }

  observe(value: number): void {
    for (const bucket of this.#buckets) {
      if (value <= bucket.upTo) {
        bucket.count += 1;
        this.#sum += value;
        return;
      }
    }
  }

  render(): string {
    let total = 0;
    let text = '';
    for (const { name, count } of this.#buckets) {
      total += count;
      text += `${name} ${total}\n`;
    }
    return `${text}${this.#sumName} ${numberText(this.#sum)}\n${this.#countName} ${total}\n`;
  }
}

function isAscending(bounds: readonly number[]): boolean {
  let previous = -Infinity;
  for (const bound of bounds) {
    if (!Number.isFinite(bound) || bound <= previous) return false;
    previous = bound;
  }
  return true;
}
