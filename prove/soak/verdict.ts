import type { Sample } from './sample.js';
import { COUNTED_ROWS } from './tables.js';

/**
 * The first third of a soak is its warm-up. The last third must not be larger than the middle one, apart from this much:
 * the workload is random, and memory depends on when garbage was collected.
 */
const MEMORY_GROWTH_MAX = 1.15;
const MEMORY_SLACK_BYTES = 16 * 2 ** 20;
const ROWS_GROWTH_MAX = 1.3;
const ROWS_SLACK = 100;
/** Rows that are kept may be added at the same rate all the time, but not ever faster. */
const RATE_GROWTH_MAX = 1.5;
/** Too few samples say nothing. */
const SAMPLES_MIN = 9;

export interface Line {
  readonly name: string;
  /** In the middle third and in the last one. */
  readonly before: number;
  readonly after: number;
  readonly rule: 'flat' | 'level' | 'steady growth';
  readonly isOk: boolean;
}

const largest = (values: readonly number[]): number => Math.max(...values);
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
/** What remains right after a garbage collection: the lower envelope of a saw-tooth. */
const lowest = (values: readonly number[]): number => Math.min(...values);

/** Judges the samples of a soak. Throws if there are too few of them. */
export function judgeSoak(samples: readonly Sample[]): Line[] {
  const third = Math.floor(samples.length / 3);
  if (samples.length < SAMPLES_MIN) throw new Error(`A soak needs at least ${SAMPLES_MIN} samples.`);
  const middle = samples.slice(third, 2 * third);
  const last = samples.slice(2 * third);
  const thirdMs = (last[0]?.atMs ?? 0) - (middle[0]?.atMs ?? 0);

  const memory = (
    name: string,
    sizeOf: (sample: Sample) => number,
    summary: (values: readonly number[]) => number,
  ): Line => {
    const before = summary(middle.map(sizeOf));
    const after = summary(last.map(sizeOf));
    const isOk = after <= MEMORY_GROWTH_MAX * before + MEMORY_SLACK_BYTES;
    return { name, before, after, rule: 'flat', isOk };
  };
  const rows = COUNTED_ROWS.filter(({ name }) => samples[0]?.rows[name] !== undefined).map(
    ({ name, retentionMs }): Line => {
      const countOf = (sample: Sample | undefined): number => sample?.rows[name] ?? 0;
      if (retentionMs !== null && retentionMs <= thirdMs) {
        const before = largest(middle.map(countOf));
        const after = largest(last.map(countOf));
        const isOk = after <= ROWS_GROWTH_MAX * before + ROWS_SLACK;
        return { name, before, after, rule: 'level', isOk };
      }
      const before = countOf(last[0]) - countOf(middle[0]);
      const after = countOf(last.at(-1)) - countOf(last[0]);
      const isOk = after <= RATE_GROWTH_MAX * before + ROWS_SLACK;
      return { name, before, after, rule: 'steady growth', isOk };
    },
  );
  return [
    memory('resident memory', ({ residentBytes }) => residentBytes, median),
    memory('heap', ({ heapBytes }) => heapBytes, lowest),
    ...rows,
  ];
}

export function formatSoak(lines: readonly Line[]): string {
  const format = ({ rule }: Line, value: number): string =>
    rule === 'flat'
      ? `${(value / 2 ** 20).toFixed(1)} MB`
      : `${rule === 'steady growth' ? '+' : ''}${value} rows`;
  const row = (cells: readonly string[]): string =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(18) : cell.padStart(15))).join('');
  return [
    row(['', 'middle third', 'last third', 'must be', '']),
    ...lines.map((line) =>
      row([
        line.name,
        format(line, line.before),
        format(line, line.after),
        line.rule,
        line.isOk ? 'ok' : 'GREW',
      ]),
    ),
  ].join('\n');
}
