import type { WeakenedGuards } from '../sabotage/sabotage.js';

/** What is removed from the engine, to check that the simulation detects it. */
export interface Sabotage {
  readonly guards?: WeakenedGuards;
  /** SQL that drops the schema's own second guard. */
  readonly drop?: string;
  /** SQLite ignores the schema's CHECK constraints. */
  readonly withoutChecks?: boolean;
  /** Transactions are acknowledged first and committed a little later. */
  readonly answersBeforeCommit?: boolean;
  /** The simulation must report one of these invariants as violated. */
  readonly breaks: readonly string[];
}
