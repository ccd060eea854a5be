import { Connection } from '../../../src/platform/sql/sqlite/connection.js';
import type { Statement } from '../../../src/platform/sql/index.js';
import type { Sabotage } from './sabotage.js';
import { turns } from './turns.js';

/** Where a process dies: instead of the n-th statement from now on, or just before or after the n-th commit. */
export interface DeathPoint {
  readonly when: 'statement' | 'before commit' | 'after commit';
  readonly count: number;
}

/** Turns of the event loop by which a sabotaged process commits too late. */
const LATE_TURNS = 4;

/** Thrown by every statement of a process that is no more. What it makes of that, nobody hears. */
class Died extends Error {
  override readonly name = 'Died';
}

type AnyStatement = Statement<[], unknown>;

/** A process as far as its database goes: it can die at any statement, and may have been sabotaged. */
export class Mortal {
  readonly #sabotage: Sabotage | undefined;
  readonly #onDeath: () => void;
  readonly #connections = new Set<Connection>();
  #point: DeathPoint | null = null;
  #count = 0;
  #isDead = false;
  #owesCommit = false;

  constructor(sabotage: Sabotage | undefined, onDeath: () => void) {
    this.#sabotage = sabotage;
    this.#onDeath = onDeath;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  dieAt(point: DeathPoint | null): void {
    this.#point = point;
    this.#count = 0;
  }

  /** As the kernel would end it: nothing more is written, and whatever was open is not committed. */
  die(): void {
    this.#isDead = true;
    this.#onDeath();
  }

  /** The files are no longer this process's. */
  letGo(): void {
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
    if (this.#isDead) throw new Died();
    if (!this.#point || !isReached(this.#point.when, name, side)) return;
    this.#count += 1;
    if (this.#count < this.#point.count) return;
    this.die();
    throw new Died();
  }

  /** Sabotaged so, a process answers first, and commits when it is idle for a moment or with a later group. */
  #isPutOff({ database }: Connection, name: string): boolean {
    if (!this.#sabotage?.answersBeforeCommit) return false;
    if (name === 'begin') {
      const isOpen = this.#owesCommit;
      this.#owesCommit = false;
      return isOpen;
    }
    if (name !== 'commit') return false;
    this.#owesCommit = true;
    void turns(LATE_TURNS).then(() => {
      if (this.#owesCommit && !this.#isDead) database.exec('COMMIT');
      this.#owesCommit = false;
    });
    return true;
  }
}

function isReached(when: DeathPoint['when'], name: string, side: 'before' | 'after'): boolean {
  if (when === 'statement') return side === 'before';
  return name === 'commit' && when === `${side} commit`;
}

/** Whose statements run from now on; a connection stays with the process that used it first. */
let living: Mortal | undefined;
const owners = new WeakMap<Connection, Mortal>();

export function setLiving(mortal: Mortal): void {
  living = mortal;
}

function ownerOf(connection: Connection): Mortal | undefined {
  const owner = owners.get(connection) ?? living;
  if (owner) owners.set(connection, owner);
  return owner;
}

/** Puts itself between the adapter and its connections. Answers how to take it away again. */
export function watchConnections(): () => void {
  const { all, get, run } = Connection.prototype;
  const through = (real: typeof all | typeof get | typeof run) =>
    function (this: Connection, query: AnyStatement, params: []): never {
      const execute = (): unknown => Reflect.apply(real, this, [query, params]);
      const owner = ownerOf(this);
      // What a statement answers is what its own type says: this only hands it on.
      return (owner ? owner.run(this, query, execute) : execute()) as never;
    };
  Object.assign(Connection.prototype, {
    all: through(all),
    get: through(get),
    run: through(run),
  });
  return () => Object.assign(Connection.prototype, { all, get, run });
}
