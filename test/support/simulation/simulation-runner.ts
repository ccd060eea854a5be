/**
 * The entry point of the simulation: one seed is one random history, run on a copy of the same database. A history that
 * violates an invariant can be shrunk to a shorter one that still does.
 */
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeMemoryDirectory } from '../memory-directory.js';
import { interceptConnections } from './crash-injector.js';
import { histories, type History } from './history.js';
import { InvariantViolation } from './invariant-violation.js';
import type { Sabotage } from './sabotage.js';
import { createSaleDatabase } from './sale-fixture.js';
import { withSeededMathRandom } from './seeded-math-random.js';
import { Simulation } from './simulation.js';
import { Trace } from './trace.js';

export interface Failure {
  readonly seed: number;
  readonly violation: InvariantViolation;
  readonly trace: readonly string[];
}

export class SimulationRunner {
  readonly #directory: string;
  /** The database file that every history starts from. */
  readonly #template: string;
  readonly #sabotage: Sabotage | undefined;
  readonly #stopIntercepting: () => void;

  private constructor(directory: string, template: string, sabotage: Sabotage | undefined) {
    this.#directory = directory;
    this.#template = template;
    this.#sabotage = sabotage;
    this.#stopIntercepting = interceptConnections();
  }

  static async open(sabotage?: Sabotage): Promise<SimulationRunner> {
    const directory = makeMemoryDirectory();
    const template = join(directory, 'template.db');
    await createSaleDatabase(template);
    if (sabotage?.drop !== undefined) {
      const database = new Database(template);
      database.exec(sabotage.drop);
      database.close();
    }
    return new SimulationRunner(directory, template, sabotage);
  }

  async traceOf(seed: number): Promise<readonly string[]> {
    const trace = new Trace();
    const [history] = fc.sample(histories, { seed, numRuns: 1 });
    if (history) await this.#run(history, trace);
    return trace.lines();
  }

  /** Runs the history of one seed. Returns the failure if an invariant was violated. */
  async runSeed(seed: number, mode: 'shrink' | 'no shrink'): Promise<Failure | undefined> {
    const property = fc.asyncProperty(histories, (history) => this.#run(history, new Trace()));
    const details = await fc.check(property, { seed, numRuns: 1, endOnFailure: mode === 'no shrink' });
    if (!details.failed) return undefined;
    const [history] = details.counterexample ?? [];
    const { errorInstance } = details;
    if (!(errorInstance instanceof InvariantViolation) || !history) throw errorInstance;
    const trace = new Trace();
    await this.#run(history, trace).catch(() => undefined);
    return { seed, violation: errorInstance, trace: trace.lines() };
  }

  async #run(history: History, trace: Trace): Promise<void> {
    const directory = join(this.#directory, 'run');
    mkdirSync(directory);
    try {
      const file = join(directory, 'foyer.db');
      copyFileSync(this.#template, file);
      await withSeededMathRandom(history.mathRandomSeed, () =>
        Simulation.run(file, history, trace, this.#sabotage),
      );
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  close(): void {
    this.#stopIntercepting();
    rmSync(this.#directory, { recursive: true });
  }
}
