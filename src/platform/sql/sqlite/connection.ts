import type Database from 'better-sqlite3';
import type { Reader, SqlParam, Statement } from '../port.js';
import { listsIn, shapeOf, expandParameters, type ExpandedStatement, sqliteDialect } from './dialect.js';
import { openDatabase } from './driver.js';

const BUSY_TIMEOUT_MS = 5000;
/** What a connection keeps of the file: SQLite's own 2 MiB would have a line of a million read its index from disk. */
const CACHE_KIB = 48 * 1024;

interface Prepared extends ExpandedStatement {
  readonly native: Database.Statement;
}

/** A statement's text, and how it has been prepared for each shape of its parameters. */
interface Known {
  readonly text: string;
  readonly lists: readonly number[];
  readonly byShape: Map<string, Prepared>;
}

/** A connection with its statements prepared once each. SQLite answers at once: nothing here is asynchronous. */
export class Connection {
  readonly database: Database.Database;
  readonly #known = new Map<object, Known>();

  constructor(file: string, options: Database.Options) {
    this.database = openDatabase(file, { ...options, timeout: BUSY_TIMEOUT_MS });
    this.database.pragma('foreign_keys = ON');
    this.database.pragma(`cache_size = -${CACHE_KIB}`);
  }

  // The statement's own type says what its rows are; these two are the one place that takes its word for it.
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

  /** Whether a statement that has been run changes what it finds (`UPDATE … RETURNING` answers rows as well). */
  isWriting(query: object): boolean {
    const [prepared] = this.#known.get(query)?.byShape.values() ?? [];
    return prepared !== undefined && !prepared.native.readonly;
  }

  #prepare<Params extends readonly SqlParam[], Row>(query: Statement<Params, Row>, params: Params): Prepared {
    const known = this.#known.get(query) ?? this.#learn(query);
    const shape = known.lists.length === 0 ? '' : shapeOf(params, known.lists);
    const prepared = known.byShape.get(shape);
    if (prepared) return prepared;
    const spelling = expandParameters(known.text, params);
    const added = { ...spelling, native: this.database.prepare(spelling.text) };
    known.byShape.set(shape, added);
    return added;
  }

  #learn<Params extends readonly SqlParam[], Row>(query: Statement<Params, Row>): Known {
    const text = query.text(sqliteDialect);
    const known = { text, lists: listsIn(text), byShape: new Map<string, Prepared>() };
    this.#known.set(query, known);
    return known;
  }
}

/* eslint-disable @typescript-eslint/require-await -- the port is asynchronous; SQLite answers at once */
export const readerOf = (connection: Connection): Reader => ({
  all: async (query, params) => connection.all(query, params),
  get: async (query, params) => connection.get(query, params),
});
