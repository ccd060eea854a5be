export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** For an even number of values, the mean of the two middle values. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('cannot compute the median of no values');
  return (upper + lower) / 2;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: medianOf(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

/** Whether the two ranges have no value in common. */
export const areDisjoint = (one: Spread, other: Spread): boolean =>
  one.max < other.min || other.max < one.min;
