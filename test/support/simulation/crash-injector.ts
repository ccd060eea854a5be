import { Connection } from '../../../src/platform/sql/sqlite/connection.js';
import type { Statement } from '../../../src/platform/sql/index.js';
import type { Sabotage } from './sabotage.js';
import { waitTicks } from './event-loop.js';

/** Where a process crashes: instead of the n-th statement from now on, or just before or after the n-th commit. */
export interface CrashPoint {
  readonly when: 'statement' | 'before commit' | 'after commit';
  readonly count: number;
}

/** Iterations of the event loop by which a sabotaged process commits too late. */
const LATE_TICKS = 4;

/** Thrown by every statement after the crash. Whatever the engine does with it is ignored. */
class CrashedError extends Error {
  override readonly name = 'CrashedError';
}

type AnyStatement = Statement<[], unknown>;

/** Runs the statements of one simulated process: crashes it at any of them, and applies the sabotage, if any. */
export class CrashInjector {
  readonly #sabotage: Sabotage | undefined;
  readonly #onCrash: () => void;
  readonly #connections = new Set<Connection>();
  #point: CrashPoint | null = null;
  #count = 0;
  #hasCrashed = false;
  #owesCommit = false;

  constructor(sabotage: Sabotage | undefined, onCrash: () => void) {
    this.#sabotage = sabotage;
    this.#onCrash = onCrash;
  }

  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  crashAt(point: CrashPoint | null): void {
    this.#point = point;
    this.#count = 0;
  }

  /** Like SIGKILL: nothing more is written, and an open transaction is not committed. */
  crash(): void {
    this.#hasCrashed = true;
    this.#onCrash();
  }

  /** Releases the database files, as the kernel does for a dead process. */
  closeConnections(): void {
    for (const { database } of this.#connections) database.close();
  }

  run(connection: Connection, query: AnyStatement, execute: () => unknown): unknown {
    if (!this.#connections.has(connection)) this.#meet(connection);
    this.#pass(query.name, 'before');
    const result = this.#isPutOff(connection, query.name) ? 0 : execute();
    this.#pass(query.name, 'after');
    return result;
  }

  #meet(connection: Connection): void {
    this.#connections.add(connection);
    if (this.#sabotage?.withoutChecks) connection.database.pragma('ignore_check_constraints = ON');
  }

  #pass(name: string, side: 'before' | 'after'): void {
    if (this.#hasCrashed) throw new CrashedError();
    if (!this.#point || !isReached(this.#point.when, name, side)) return;
    this.#count += 1;
    if (this.#count < this.#point.count) return;
    this.crash();
    throw new CrashedError();
  }

  /** With this sabotage, a process responds first and commits later: when it is idle, or with a later group. */
  #isPutOff({ database }: Connection, name: string): boolean {
    if (!this.#sabotage?.answersBeforeCommit) return false;
    if (name === 'begin') {
      const isOpen = this.#owesCommit;
      this.#owesCommit = false;
      return isOpen;
    }
    if (name !== 'commit') return false;
    this.#owesCommit = true;
    void waitTicks(LATE_TICKS).then(() => {
      if (this.#owesCommit && !this.#hasCrashed) database.exec('COMMIT');
      this.#owesCommit = false;
    });
    return true;
  }
}

function isReached(when: CrashPoint['when'], name: string, side: 'before' | 'after'): boolean {
  if (when === 'statement') return side === 'before';
  return name === 'commit' && when === `${side} commit`;
}

/** The injector that new connections belong to; a connection stays with the one that used it first. */
let current: CrashInjector | undefined;
const owners = new WeakMap<Connection, CrashInjector>();

export function setCurrentInjector(injector: CrashInjector): void {
  current = injector;
}

function ownerOf(connection: Connection): CrashInjector | undefined {
  const owner = owners.get(connection) ?? current;
  if (owner) owners.set(connection, owner);
  return owner;
}

/** Intercepts all statements of the SQLite adapter. Returns a function that undoes it. */
export function interceptConnections(): () => void {
  const { all, get, run } = Connection.prototype;
  const intercept = (real: typeof all | typeof get | typeof run) =>
    function (this: Connection, query: AnyStatement, params: []): never {
      const execute = (): unknown => Reflect.apply(real, this, [query, params]);
      const owner = ownerOf(this);
      // The result is passed on unchanged, so it has the type that the statement declares.
      return (owner ? owner.run(this, query, execute) : execute()) as never;
    };
  Object.assign(Connection.prototype, {
    all: intercept(all),
    get: intercept(get),
    run: intercept(run),
  });
  return () => Object.assign(Connection.prototype, { all, get, run });
}
