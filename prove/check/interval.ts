/** Sets of moments, as lists of intervals in ascending order that do not overlap. */
export interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

export const ALWAYS: readonly Interval[] = [{ fromMs: -Infinity, toMs: Infinity }];

export const overlaps = (a: Interval, b: Interval): boolean => a.fromMs <= b.toMs && b.fromMs <= a.toMs;

export const contains = (outer: Interval, inner: Interval): boolean =>
  outer.fromMs <= inner.fromMs && inner.toMs <= outer.toMs;

export const intersect = (a: readonly Interval[], b: readonly Interval[]): Interval[] =>
  a.flatMap((one) =>
    b
      .filter((other) => overlaps(one, other))
      .map((other) => ({
        fromMs: Math.max(one.fromMs, other.fromMs),
        toMs: Math.min(one.toMs, other.toMs),
      })),
  );

/** A number that changes over time, starting with 0. */
export interface Change {
  readonly atMs: number;
  readonly by: number;
}

/** When the number is at least this much. The changes are in ascending order. */
export function intervalsAtLeast(changes: readonly Change[], threshold: number): Interval[] {
  const intervals: Interval[] = [];
  let value = 0;
  let fromMs: number | undefined = threshold <= 0 ? -Infinity : undefined;
  for (const { atMs, by } of changes) {
    value += by;
    if (value >= threshold) fromMs ??= atMs;
    else if (fromMs !== undefined) {
      intervals.push({ fromMs, toMs: atMs });
      fromMs = undefined;
    }
  }
  return fromMs === undefined ? intervals : [...intervals, { fromMs, toMs: Infinity }];
}

/** The smallest and the largest value during an interval. */
export function rangeDuring(
  changes: readonly Change[],
  { fromMs, toMs }: Interval,
): { min: number; max: number } {
  let value = 0;
  let range: { min: number; max: number } | undefined;
  for (const { atMs, by } of changes) {
    if (atMs > toMs) break;
    if (atMs > fromMs) range ??= { min: value, max: value };
    value += by;
    if (range) range = { min: Math.min(range.min, value), max: Math.max(range.max, value) };
  }
  return range ?? { min: value, max: value };
}
