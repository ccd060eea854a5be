/** A broken invariant is a bug, not an answer: the work stops here instead of going on with a wrong world. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantBroken';
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}

export function assertDefined<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new InvariantViolation(message);
  return value;
}
