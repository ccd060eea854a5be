/** A violated invariant is a bug: the work stops here instead of continuing with wrong data. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}

export function assertDefined<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new InvariantViolation(message);
  return value;
}
