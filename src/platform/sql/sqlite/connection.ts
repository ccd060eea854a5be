import type Database from 'better-sqlite3';
import { guard } from '../../../kernel/guard.js';
import type { BatchColumns, BatchRow, BatchStatement, Reader, SqlParams, Statement } from '../port.js';
import { batchSource, type PositionalStatement, sqliteDialect, toPositional } from './dialect.js';
import { openDatabase } from './driver.js';

const BUSY_TIMEOUT_MS = 5000;
/** SQLite's default of 2 MiB is too small to cache the index of a queue with a million places. */
const CACHE_KIB = 48 * 1024;

interface Prepared extends PositionalStatement {
  readonly native: Database.Statement;
}

/** A connection that caches its prepared statements. SQLite is synchronous, and so is this class. */
export class Connection {
  readonly database: Database.Database;
  readonly #statements = new Map<object, Prepared>();

  constructor(file: string, options: Database.Options) {
    this.database = openDatabase(file, { ...options, timeout: BUSY_TIMEOUT_MS });
    this.database.pragma('foreign_keys = ON');
    this.database.pragma(`cache_size = -${CACHE_KIB}`);
  }

  // `all` and `get` are the only casts from the driver's rows to the row type of a statement.
  all<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Row[] {
    const { native, bind } = this.#prepare(query);
    return native.all(bind(params)) as Row[];
  }

  get<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Row | undefined {
    const { native, bind } = this.#prepare(query);
    return native.get(bind(params)) as Row | undefined;
  }

  run<P extends SqlParams>(command: Statement<P, never>, params: P): number {
    const { native, bind } = this.#prepare(command);
    return native.run(bind(params)).changes;
  }

  /** Runs the command once for each row. Returns false, and runs no more, once it has not changed exactly one row. */
  runForEach<Columns extends BatchColumns>(
    command: BatchStatement<Columns>,
    rows: readonly BatchRow<Columns>[],
  ): boolean {
    // The driver binds values by position faster than by name.
    const { native, bind } = this.#prepareBatch(command);
    const columns = Object.keys(command.columns);
    const paramsOf = (row: BatchRow<Columns>) => columns.map((column) => row[column] ?? null);
    return rows.every((row) => guard('batch-row-count', native.run(bind(paramsOf(row))).changes === 1));
  }

  /** Whether a statement that has run on this connection is a write (`UPDATE … RETURNING` also returns rows). */
  isWriting(query: object): boolean {
    const prepared = this.#statements.get(query);
    return prepared !== undefined && !prepared.native.readonly;
  }

  #prepareBatch<Columns extends BatchColumns>(command: BatchStatement<Columns>): Prepared {
    return this.#prepareOnce(command, () => command.text(batchSource(command.columns)));
  }

  #prepare<P extends SqlParams, Row>(query: Statement<P, Row>): Prepared {
    return this.#prepareOnce(query, () => query.text(sqliteDialect));
  }

  #prepareOnce(key: object, text: () => string): Prepared {
    const cached = this.#statements.get(key);
    if (cached) return cached;
    const positional = toPositional(text());
    const prepared = { ...positional, native: this.database.prepare(positional.text) };
    this.#statements.set(key, prepared);
    return prepared;
  }
}

/* eslint-disable @typescript-eslint/require-await -- the port is asynchronous; SQLite is synchronous */
export const readerOf = (connection: Connection): Reader => ({
  all: async (query, params) => connection.all(query, params),
  get: async (query, params) => connection.get(query, params),
});
