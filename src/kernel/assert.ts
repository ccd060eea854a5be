/** A broken invariant is a bug, not an answer: the work stops here instead of going on with a wrong world. */
export class InvariantBroken extends Error {
  override readonly name = 'InvariantBroken';
}

export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantBroken(message);
}

export function present<T>(value: T | null | undefined, message: string): T {
  if (value === null || value === undefined) throw new InvariantBroken(message);
  return value;
}
