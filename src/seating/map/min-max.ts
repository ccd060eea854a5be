// Not `Math.min(...values)`: an arena has more seats than a function call may have arguments.
export const minOf = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Infinity);
export const maxOf = (values: readonly number[]): number =>
  values.reduce((a, b) => Math.max(a, b), -Infinity);
export const rangeOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : maxOf(values) - minOf(values);
