import type { GuardId } from '../../../src/kernel/guard.js';
import type { Dialect, Statement } from '../../../src/platform/sql/index.js';

/**
 * Which guards are weakened, and how: each function receives the value that the guard protects and returns its
 * replacement. A function may use nothing but its parameter, because its source text is written into a copy of Foyer.
 */
export type WeakenedGuards = Readonly<Partial<Record<GuardId, (value: never) => unknown>>>;

export interface Sabotage {
  readonly guards: WeakenedGuards;
  /** SQL to run after the migrations, usually to drop the constraint that guards the same rule in the database. */
  readonly sql?: string;
}

/** Admission reads the queue without locking it, and skips places that a concurrent admission has locked. */
export const ADMISSION_WITHOUT_LOCK: WeakenedGuards = {
  'admission-lock': (lock: Statement<[string], unknown>) => ({
    name: 'find_queue_without_lock',
    text: (dialect: Dialect) => lock.text({ ...dialect, forUpdate: '' }),
  }),
  'admission-order': (order: string) => `${order} FOR UPDATE SKIP LOCKED`,
};
