import type Database from 'better-sqlite3';
import type { Reader, SqlParam, Statement } from '../port.js';
import {
  expandParameters,
  type ExpandedStatement,
  listIndexesOf,
  shapeOf,
  sqliteDialect,
} from './dialect.js';
import { openDatabase } from './driver.js';

const BUSY_TIMEOUT_MS = 5000;
/** SQLite's default of 2 MiB is too small to cache the index of a queue with a million places. */
const CACHE_KIB = 48 * 1024;

interface Prepared extends ExpandedStatement {
  readonly native: Database.Statement;
}

/** A statement, prepared once for each shape of its parameters (see `shapeOf`). */
interface CachedStatement {
  readonly text: string;
  readonly listIndexes: readonly number[];
  readonly byShape: Map<string, Prepared>;
}

/** A connection that caches its prepared statements. SQLite is synchronous, and so is this class. */
export class Connection {
  readonly database: Database.Database;
  readonly #statements = new Map<object, CachedStatement>();

  constructor(file: string, options: Database.Options) {
    this.database = openDatabase(file, { ...options, timeout: BUSY_TIMEOUT_MS });
    this.database.pragma('foreign_keys = ON');
    this.database.pragma(`cache_size = -${CACHE_KIB}`);
  }

  // `all` and `get` are the only casts from the driver's rows to the row type of a statement.
  all<Params extends readonly SqlParam[], Row>(query: Statement<Params, Row>, params: Params): Row[] {
    const { native, bind } = this.#prepare(query, params);
    return native.all(bind(params)) as Row[];
  }

  get<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Row | undefined {
    const { native, bind } = this.#prepare(query, params);
    return native.get(bind(params)) as Row | undefined;
  }

  run<Params extends readonly SqlParam[]>(command: Statement<Params, never>, params: Params): number {
    const { native, bind } = this.#prepare(command, params);
    return native.run(bind(params)).changes;
  }

  /** Whether a statement that has run on this connection is a write (`UPDATE … RETURNING` also returns rows). */
  isWriting(query: object): boolean {
    const [prepared] = this.#statements.get(query)?.byShape.values() ?? [];
    return prepared !== undefined && !prepared.native.readonly;
  }

  #prepare<Params extends readonly SqlParam[], Row>(query: Statement<Params, Row>, params: Params): Prepared {
    const { text, listIndexes, byShape } = this.#statements.get(query) ?? this.#addStatement(query);
    const shape = listIndexes.length === 0 ? '' : shapeOf(params, listIndexes);
    const cached = byShape.get(shape);
    if (cached) return cached;
    const expanded = expandParameters(text, params);
    const prepared = { ...expanded, native: this.database.prepare(expanded.text) };
    byShape.set(shape, prepared);
    return prepared;
  }

  #addStatement<Params extends readonly SqlParam[], Row>(query: Statement<Params, Row>): CachedStatement {
    const text = query.text(sqliteDialect);
    const statement = { text, listIndexes: listIndexesOf(text), byShape: new Map<string, Prepared>() };
    this.#statements.set(query, statement);
    return statement;
  }
}

/* eslint-disable @typescript-eslint/require-await -- the port is asynchronous; SQLite is synchronous */
export const readerOf = (connection: Connection): Reader => ({
  all: async (query, params) => connection.all(query, params),
  get: async (query, params) => connection.get(query, params),
});
