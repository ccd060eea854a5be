export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The middle one, or the mean of the two in the middle. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new Error('nothing has no median');
  return (upper + lower) / 2;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: medianOf(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

/** Whether two measurements are apart: no round of one lies within the rounds of the other. */
export const areApart = (one: Spread, other: Spread): boolean => one.max < other.min || other.max < one.min;
