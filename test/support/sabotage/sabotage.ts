import type { GuardId } from '../../../src/kernel/guard.js';
import type { Dialect, Statement } from '../../../src/platform/sql/index.js';

/**
 * Which guards are weakened, and how: each function gets what the guard protects with and returns what takes its place. A
 * function may use nothing but its parameter, because its source text travels into a copy of Foyer.
 */
export type WeakenedGuards = Readonly<Partial<Record<GuardId, (value: never) => unknown>>>;

export interface Sabotage {
  readonly guards: WeakenedGuards;
  /** SQL that runs once the schema is there, usually to drop the database's own second guard. */
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
