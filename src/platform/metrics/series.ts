import { assert } from '../../kernel/assert.js';
import { joinLabels, numberText, sampleName } from './text.js';

/** One sample, or the samples of a histogram. Sample names are built once, so counting and rendering stay cheap. */
export interface Series {
  render(): string;
}

export interface Counter {
  /** Adds 1, or `by`. A negative value is not checked: this is a hot path. */
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

/** A series whose value is read at each scrape. */
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
  readonly upperBound: number;
  readonly name: string;
  count: number;
}

export class HistogramSeries implements Histogram, Series {
  readonly bounds: readonly number[];
  /** Each bucket counts only its own range; the cumulative counts of the format are computed at the scrape. */
  readonly #buckets: readonly Bucket[];
  readonly #sumName: string;
  readonly #countName: string;
  #sum = 0;

  constructor(name: string, labels: string, bounds: readonly number[]) {
    assert(isAscending(bounds), `buckets of ${name} must be finite and ascending`);
    this.bounds = bounds;
    this.#buckets = [...bounds, Infinity].map((upperBound) => ({
      upperBound,
      name: sampleName(`${name}_bucket`, joinLabels(labels, `le="${numberText(upperBound)}"`)),
      count: 0,
    }));
    this.#sumName = sampleName(`${name}_sum`, labels);
    this.#countName = sampleName(`${name}_count`, labels);
  }

  observe(value: number): void {
    for (const bucket of this.#buckets) {
      if (value <= bucket.upperBound) {
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
