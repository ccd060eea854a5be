import Database from 'better-sqlite3';
import fc from 'fast-check';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeMemoryDirectory } from '../memory-directory.js';
import { Broken } from './broken.js';
import { withChance } from './chance.js';
import { buildHall } from './hall.js';
import { histories, type History } from './history.js';
import { watchConnections } from './mortal.js';
import type { Sabotage } from './sabotage.js';
import { Simulation } from './simulation.js';
import { Trace } from './trace.js';

/** A history that broke a promise: as it was drawn, or with everything taken away that it did not need. */
export interface Failure {
  readonly seed: number;
  readonly broken: Broken;
  readonly trace: readonly string[];
}

/** Where histories are run: each from a copy of the same database. */
export class Theatre {
  readonly #directory: string;
  readonly #hall: string;
  readonly #sabotage: Sabotage | undefined;
  readonly #stopWatching: () => void;

  private constructor(directory: string, hall: string, sabotage: Sabotage | undefined) {
    this.#directory = directory;
    this.#hall = hall;
    this.#sabotage = sabotage;
    this.#stopWatching = watchConnections();
  }

  static async open(sabotage?: Sabotage): Promise<Theatre> {
    const directory = makeMemoryDirectory();
    const hall = join(directory, 'hall.db');
    await buildHall(hall);
    if (sabotage?.drop !== undefined) {
      const database = new Database(hall);
      database.exec(sabotage.drop);
      database.close();
    }
    return new Theatre(directory, hall, sabotage);
  }

  /** What happened in the history of this seed. */
  async traceOf(seed: number): Promise<readonly string[]> {
    const trace = new Trace();
    const [history] = fc.sample(histories, { seed, numRuns: 1 });
    if (history) await this.#run(history, trace);
    return trace.lines();
  }

  /** Runs the history of one seed, and answers how it failed if it did. */
  async try(seed: number, told: 'as it was drawn' | 'as short as it can be'): Promise<Failure | undefined> {
    const property = fc.asyncProperty(histories, (history) => this.#run(history, new Trace()));
    const details = await fc.check(property, { seed, numRuns: 1, endOnFailure: told === 'as it was drawn' });
    if (!details.failed) return undefined;
    const [history] = details.counterexample ?? [];
    const { errorInstance } = details;
    if (!(errorInstance instanceof Broken) || !history) throw errorInstance;
    const trace = new Trace();
    await this.#run(history, trace).catch(() => undefined);
    return { seed, broken: errorInstance, trace: trace.lines() };
  }

  async #run(history: History, trace: Trace): Promise<void> {
    const directory = join(this.#directory, 'run');
    mkdirSync(directory);
    try {
      const file = join(directory, 'foyer.db');
      copyFileSync(this.#hall, file);
      await withChance(history.chance, () => Simulation.run(file, history, trace, this.#sabotage));
    } finally {
      rmSync(directory, { recursive: true });
    }
  }

  close(): void {
    this.#stopWatching();
    rmSync(this.#directory, { recursive: true });
  }
}
