import { guard } from '../../../kernel/guard.js';
import {
  type BatchColumns,
  type BatchRow,
  type BatchStatement,
  type Json,
  RowCountMismatch,
  type SqlParams,
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

/** The disk is full or broken, or there is no memory left: the statement itself is correct. */
const isStorageFailure = (error: unknown): boolean =>
  hasSqliteCode(error, /^SQLITE_(?:FULL|IOERR|NOMEM|CORRUPT|READONLY)/);

/* eslint-disable @typescript-eslint/require-await -- the port is asynchronous; SQLite is synchronous */
/** One transaction of a group. It runs on the shared write connection; the store begins and commits the group. */
export class SqliteTx implements Tx {
  readonly nowMs: number;
  readonly #connection: Connection;
  readonly #subscribers: Subscribers;
  readonly #publications: (() => void)[] = [];
  readonly #effects: (() => void)[] = [];
  #storageFailure: StoreUnavailable | undefined;
  #hasWritten = false;

  constructor(connection: Connection, subscribers: Subscribers, nowMs: number) {
    this.#connection = connection;
    this.#subscribers = subscribers;
    this.nowMs = nowMs;
  }

  /** If set, the transaction must fail, even if its work caught the error. No savepoint can roll this back. */
  get storageFailure(): StoreUnavailable | undefined {
    return this.#storageFailure;
  }

  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  async all<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<Row[]> {
    this.#assertUsable();
    try {
      const rows = this.#connection.all(query, params);
      if (rows.length > 0) this.#hasWritten ||= this.#connection.isWriting(query);
      return rows;
    } catch (error) {
      throw this.#toStoreError(error);
    }
  }

  async get<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<Row | undefined> {
    this.#assertUsable();
    try {
      const row = this.#connection.get(query, params);
      if (row !== undefined) this.#hasWritten ||= this.#connection.isWriting(query);
      return row;
    } catch (error) {
      throw this.#toStoreError(error);
    }
  }

  async exec<P extends SqlParams>(command: Statement<P, never>, params: P): Promise<number> {
    return this.#run(command, params);
  }

  execDeferred<P extends SqlParams>(command: Statement<P, never>, params: P): void {
    this.#run(command, params);
  }

  writeBatch<Columns extends BatchColumns>(
    command: BatchStatement<Columns>,
    rows: readonly BatchRow<Columns>[],
  ): void {
    this.#assertUsable();
    this.#hasWritten ||= rows.length > 0;
    try {
      if (!this.#connection.runForEach(command, rows)) throw new RowCountMismatch(command.name);
    } catch (error) {
      throw this.#toStoreError(error);
    }
  }

  async lock(): Promise<void> {
    // There is one writer at a time.
  }

  async withSavepoint<T>(work: () => Promise<T>): Promise<T> {
    const publicationCount = this.#publications.length;
    const effectCount = this.#effects.length;
    // Savepoints of the same name nest; RELEASE and ROLLBACK TO use the innermost.
    await this.exec(SAVEPOINT, []);
    try {
      const value = await work();
      await this.exec(RELEASE, []);
      return value;
    } catch (error) {
      this.#publications.length = publicationCount;
      this.#effects.length = effectCount;
      if (this.#storageFailure) throw this.#storageFailure;
      await this.exec(ROLLBACK_TO, []);
      await this.exec(RELEASE, []);
      throw error;
    }
  }

  publish<Change extends Json>({ name }: Topic<Change>, change: Change): void {
    this.#publications.push(() => {
      this.#subscribers.emit(name, change);
    });
  }

  async publishRows<P extends SqlParams, Change extends Json>(
    topic: Topic<Change>,
    command: Statement<P, Change>,
    params: P,
  ): Promise<void> {
    for (const change of await this.all(command, params)) this.publish(topic, change);
  }

  pipelineCommit(): void {
    // The store commits the whole group.
  }

  afterCommit(effect: () => void): void {
    this.#effects.push(effect);
  }

  /** Delivers the published changes and runs the effects. Call it after the commit. */
  runEffects(): void {
    for (const publication of this.#publications) publication();
    for (const effect of this.#effects) effect();
  }

  #run<P extends SqlParams>(command: Statement<P, never>, params: P): number {
    this.#assertUsable();
    try {
      const changes = this.#connection.run(command, params);
      this.#hasWritten ||= changes > 0;
      return changes;
    } catch (error) {
      throw this.#toStoreError(error);
    }
  }

  #assertUsable(): void {
    if (this.#storageFailure) throw this.#storageFailure;
  }

  #toStoreError(error: unknown): unknown {
    // If SQLite has rolled back the transaction, each further statement would run and commit on its own.
    if (!isStorageFailure(error) && this.#connection.database.inTransaction) return error;
    this.#storageFailure = new StoreUnavailable('database could not be written', { cause: error });
    return this.#storageFailure;
  }
}
