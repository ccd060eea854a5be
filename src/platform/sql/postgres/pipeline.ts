import pg from 'pg';
import { Skipped } from './errors.js';

/** A statement parameter; an array becomes a PostgreSQL array. */
export type PostgresValue = string | number | null | readonly (string | number | null)[];

export interface QueryResult {
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly command: string;
}

export interface PendingQuery {
  /** The name under which it is prepared, once per connection; empty if it is not prepared. */
  readonly name: string;
  readonly text: string;
  readonly values: (string | null)[];
  readonly resolve: (result: QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** The columns of a prepared statement, requested from the server on first use only. */
interface Prepared {
  columns: readonly Column[];
}

export type PreparedStatements = Map<string, Prepared>;

/** The driver's messages, as far as they are used here. */
interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}
interface DataRow {
  readonly fields: readonly (string | null)[];
}

/** Read as numbers: amounts and times stay below 2^53. Sums of BIGINT are NUMERIC. */
const NUMBERS: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];
// The driver declares its parsers as `any`; no other type used here needs a format other than text.
const parserOf = pg.types.getTypeParser as (oid: number, format: 'text') => (text: string) => unknown;

const columnOf = ({ name, dataTypeID }: RowDescription['fields'][number]): Column => ({
  name,
  parse: NUMBERS.includes(dataTypeID) ? Number : parserOf(dataTypeID, 'text'),
});

/**
 * Sends any number of statements followed by a single `Sync`, so that the server flushes its output once; the driver's
 * own pipelining sends one `Sync` per statement. Results arrive in order. If a statement fails, the server skips the
 * rest up to the `Sync`. A statement is reported as `Skipped` only after the server has confirmed that; if the
 * connection breaks first, its outcome is unknown. See docs/adr/0010-pg-driver.md.
 */
export class Pipeline implements pg.Submittable {
  readonly #queries: readonly PendingQuery[];
  readonly #prepared: PreparedStatements;
  readonly #onEnd: () => void;
  /** The driver drops a query after its first error, so the skipped statements are submitted as another query. */
  readonly #submitNext: (query: pg.Submittable) => void;
  readonly #descriptions: Prepared[] = [];
  /** Index of the statement whose result is arriving. */
  #current = 0;
  #rows: unknown[] = [];

  constructor(deps: {
    readonly queries: readonly PendingQuery[];
    readonly prepared: PreparedStatements;
    readonly onEnd: () => void;
    readonly submitNext: (query: pg.Submittable) => void;
  }) {
    this.#queries = deps.queries;
    this.#prepared = deps.prepared;
    this.#onEnd = deps.onEnd;
    this.#submitNext = deps.submitNext;
  }

  submit(connection: pg.Connection): void {
    // One write to the socket: a write costs more than the statements in it.
    connection.stream.cork();
    for (const query of this.#queries) this.#submitOne(connection, query);
    connection.sync();
    connection.stream.uncork();
  }

  #submitOne(connection: pg.Connection, { name, text, values }: PendingQuery): void {
    const cached = name === '' ? undefined : this.#prepared.get(name);
    const prepared = cached ?? { columns: [] };
    this.#descriptions.push(prepared);
    if (!cached) {
      // A failed attempt may have left it on the server; closing a missing statement is harmless.
      if (name !== '') connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ statement: name, values }, true);
    if (!cached) {
      connection.describe({ type: 'P', name: '' }, true);
      if (name !== '') this.#prepared.set(name, prepared);
    }
    connection.execute({ portal: '' }, true);
  }

  handleRowDescription({ fields }: RowDescription): void {
    const prepared = this.#descriptions[this.#current];
    if (prepared) prepared.columns = fields.map(columnOf);
  }

  handleDataRow({ fields }: DataRow): void {
    const row: Record<string, unknown> = {};
    const columns = this.#descriptions[this.#current]?.columns ?? [];
    for (const [index, { name, parse }] of columns.entries()) {
      const text = fields[index] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const [command = '', ...rest] = text.split(' ');
    const count = Number(rest.at(-1));
    const rows = this.#rows;
    this.#rows = [];
    this.#queries[this.#current++]?.resolve({ rows, rowCount: Number.isNaN(count) ? null : count, command });
  }

  handleReadyForQuery(): void {
    this.#onEnd();
  }

  handleError(error: Error): void {
    const remaining = this.#queries.slice(this.#current);
    for (const { name } of remaining) this.#prepared.delete(name);
    if (error instanceof pg.DatabaseError) {
      remaining.shift()?.reject(error);
      this.#submitNext(new SkippedQueries(remaining, this.#onEnd));
      return;
    }
    for (const { reject } of remaining) reject(error);
    this.#onEnd();
  }
}

/** The statements after a failed one. The server has certainly skipped them once it is ready for the next query. */
class SkippedQueries implements pg.Submittable {
  readonly #queries: readonly PendingQuery[];
  readonly #onEnd: () => void;

  constructor(queries: readonly PendingQuery[], onEnd: () => void) {
    this.#queries = queries;
    this.#onEnd = onEnd;
  }

  submit(connection: pg.Connection): void {
    connection.sync();
  }

  handleReadyForQuery(): void {
    for (const { reject } of this.#queries) reject(new Skipped('skipped after a failed statement'));
    this.#onEnd();
  }

  handleError(error: Error): void {
    for (const { reject } of this.#queries) reject(error);
    this.#onEnd();
  }
}

/** Parameters are sent in text format. */
export function toWire(value: PostgresValue): string | null {
  if (typeof value === 'string' || value === null) return value;
  return typeof value === 'number' ? String(value) : `{${value.map(toElement).join(',')}}`;
}

const toElement = (element: string | number | null): string => {
  if (typeof element === 'string') return `"${escapeElement(element)}"`;
  return element === null ? 'NULL' : String(element);
};

// Most elements are ids: looking for a character first is over ten times as fast as a regular expression.
function escapeElement(element: string): string {
  const escaped = element.includes('\\') ? element.replaceAll('\\', '\\\\') : element;
  return escaped.includes('"') ? escaped.replaceAll('"', '\\"') : escaped;
}
