export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
  readonly invariant: string;

  constructor(invariant: string, detail: unknown) {
    super(`${invariant}: ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`);
    this.invariant = invariant;
  }
}

/** `detail` is evaluated only for a violation. */
export function checkInvariant(invariant: string, holds: boolean, detail: () => unknown): void {
  if (!holds) throw new InvariantViolation(invariant, detail());
}
