import { type Fault, Refusal } from './refusal.js';

/** A refusal names at most so many faults. */
export const FAULTS_MAX = 100;

/** Refuses a body with these faults. `field` is the first member, for clients that show only one. */
export function invalidBody(faults: readonly Fault[]): Refusal {
  const field = faults[0]?.path.slice(1) ?? '';
  return new Refusal('INVALID_REQUEST', {
    errors: faults.map(({ path, rule }) => `body${path} ${rule}`),
    faults,
    ...(field !== '' && { field }),
  });
}

/** Collects what is wrong with a request body beyond its schema, so that the caller learns of all faults at once. */
export class FaultList {
  readonly #faults: Fault[] = [];

  add(path: string, rule: string): void {
    if (this.#faults.length < FAULTS_MAX) this.#faults.push({ path, rule });
  }

  get count(): number {
    return this.#faults.length;
  }

  /** Refuses if there is a fault. */
  requireNone(): void {
    if (this.#faults.length > 0) throw invalidBody(this.#faults);
  }
}
