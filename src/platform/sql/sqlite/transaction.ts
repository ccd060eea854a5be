import { guard } from '../../../kernel/guard.js';
import {
  type Json,
  type SqlParam,
  type Statement,
  statement,
  StoreUnavailable,
  type Topic,
  type Tx,
} from '../port.js';
import type { Connection } from './connection.js';
import { hasSqliteCode } from './driver.js';
import type { Subscribers } from '../subscribers.js';

export const SAVEPOINT = statement('savepoint', 'SAVEPOINT undoable');
export const RELEASE = statement('release', 'RELEASE undoable');
export const ROLLBACK_TO = statement('undo', () => `${guard('savepoint-rollback', 'ROLLBACK TO')} undoable`);

/** The disk's fault, not the statement's: full, broken, or out of memory. */
const isStorageFault = (error: unknown): boolean =>
  hasSqliteCode(error, /^SQLITE_(?:FULL|IOERR|NOMEM|CORRUPT|READONLY)/);

/* eslint-disable @typescript-eslint/require-await -- the port is asynchronous; SQLite answers at once */
export class SqliteTx implements Tx {
  readonly nowMs: number;
  readonly #connection: Connection;
  readonly #subscribers: Subscribers;
  readonly #announced: (() => void)[] = [];
  readonly #after: (() => void)[] = [];
  /** Once the disk has failed it, nothing more may be written: no `attempt` undoes that. */
  #broken: StoreUnavailable | undefined;
  #hasWritten = false;

  constructor(connection: Connection, subscribers: Subscribers, nowMs: number) {
    this.#connection = connection;
    this.#subscribers = subscribers;
    this.nowMs = nowMs;
  }

  /** Set when the transaction cannot be kept, whatever its work made of the error. */
  get broken(): StoreUnavailable | undefined {
    return this.#broken;
  }

  /** Whether there is something to undo. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  async all<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<Row[]> {
    this.#requireWhole();
    try {
      const rows = this.#connection.all(query, params);
      if (rows.length > 0) this.#hasWritten ||= this.#connection.isWriting(query);
      return rows;
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  async get<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<Row | undefined> {
    this.#requireWhole();
    try {
      const row = this.#connection.get(query, params);
      if (row !== undefined) this.#hasWritten ||= this.#connection.isWriting(query);
      return row;
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  async exec<Params extends readonly SqlParam[]>(
    command: Statement<Params, never>,
    params: Params,
  ): Promise<number> {
    return this.#run(command, params);
  }

  execDeferred<Params extends readonly SqlParam[]>(command: Statement<Params, never>, params: Params): void {
    this.#run(command, params);
  }

  assertFreshTime(): void {
    // Nobody is waited for: the time is what it was.
  }

  async lock(): Promise<void> {
    // One writer at a time: every row is locked already.
  }

  async withSavepoint<T>(work: () => Promise<T>): Promise<T> {
    const announcedBefore = this.#announced.length;
    const afterBefore = this.#after.length;
    // Savepoints of one name nest: the innermost is meant.
    await this.exec(SAVEPOINT, []);
    try {
      const value = await work();
      await this.exec(RELEASE, []);
      return value;
    } catch (error) {
      this.#announced.length = announcedBefore;
      this.#after.length = afterBefore;
      if (this.#broken) throw this.#broken;
      await this.exec(ROLLBACK_TO, []);
      await this.exec(RELEASE, []);
      throw error;
    }
  }

  publish<Change extends Json>({ name }: Topic<Change>, change: Change): void {
    this.#announced.push(() => {
      this.#subscribers.emit(name, change);
    });
  }

  async publishRows<Params extends readonly SqlParam[], Change extends Json>(
    about: Topic<Change>,
    command: Statement<Params, Change>,
    params: Params,
  ): Promise<void> {
    for (const change of await this.all(command, params)) this.publish(about, change);
  }

  pipelineCommit(): void {
    // Nothing travels: the group commits when all of it has run.
  }

  afterCommit(effect: () => void): void {
    this.#after.push(effect);
  }

  /** To be called once durable. */
  committed(): void {
    for (const tell of this.#announced) tell();
    for (const effect of this.#after) effect();
  }

  #run<Params extends readonly SqlParam[]>(command: Statement<Params, never>, params: Params): number {
    this.#requireWhole();
    try {
      const changes = this.#connection.run(command, params);
      this.#hasWritten ||= changes > 0;
      return changes;
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  #requireWhole(): void {
    if (this.#broken) throw this.#broken;
  }

  #noticed(error: unknown): unknown {
    // Gone with its transaction, a connection would commit every further statement by itself.
    if (!isStorageFault(error) && this.#connection.database.inTransaction) return error;
    this.#broken = new StoreUnavailable('the database could not be written', { cause: error });
    return this.#broken;
  }
}
