import pg from 'pg';
import { Skipped } from './errors.js';

/** What a parameter can be; arrays are arrays to PostgreSQL, too. */
export type PostgresValue = string | number | null | readonly (string | number | null)[];

export interface QueryResult {
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly command: string;
}

/** A statement on its way, and whoever waits for its answer. */
export interface PendingQuery {
  /** Prepared under this name, once for each connection; not prepared where it is empty. */
  readonly name: string;
  readonly text: string;
  readonly values: (string | null)[];
  readonly resolve: (answered: QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** The columns of a prepared statement's rows: described when it is first used, and not again. */
interface Prepared {
  columns: readonly Column[];
}

export type PreparedStatements = Map<string, Prepared>;

/** What the driver hands on of the server's messages. */
interface RowDescription {
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[];
}
interface DataRow {
  readonly fields: readonly (string | null)[];
}

/** Whole numbers are ours to the full 53 bits; sums of them come as `numeric`. */
const NUMBERS: readonly number[] = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC];
// The driver types its parsers loosely; every other type here is text.
const parserOf = pg.types.getTypeParser as (oid: number, format: 'text') => (text: string) => unknown;

const columnOf = ({ name, dataTypeID }: RowDescription['fields'][number]): Column => ({
  name,
  parse: NUMBERS.includes(dataTypeID) ? Number : parserOf(dataTypeID, 'text'),
});

/**
 * Statements that are sent in one piece and answered in one piece: one word at the end of all of them has the server send
 * what it has, where the driver would have it do so after each. If one fails, the server skips those behind it.
 */
export class Pipeline implements pg.Submittable {
  readonly #asked: readonly PendingQuery[];
  readonly #prepared: PreparedStatements;
  readonly #ended: () => void;
  /** The driver hears nothing more of a batch that failed: what is left waits for the server behind this one. */
  readonly #submitNext: (batch: pg.Submittable) => void;
  readonly #described: Prepared[] = [];
  #at = 0;
  #rows: unknown[] = [];

  constructor(deps: {
    readonly asked: readonly PendingQuery[];
    readonly prepared: PreparedStatements;
    readonly ended: () => void;
    readonly submitNext: (batch: pg.Submittable) => void;
  }) {
    this.#asked = deps.asked;
    this.#prepared = deps.prepared;
    this.#ended = deps.ended;
    this.#submitNext = deps.submitNext;
  }

  submit(connection: pg.Connection): void {
    // A write to a socket costs more than the statements in it.
    connection.stream.cork();
    for (const asked of this.#asked) this.#submitOne(connection, asked);
    connection.sync();
    connection.stream.uncork();
  }

  #submitOne(connection: pg.Connection, { name, text, values }: PendingQuery): void {
    const known = name === '' ? undefined : this.#prepared.get(name);
    const prepared = known ?? { columns: [] };
    this.#described.push(prepared);
    if (!known) {
      // It may be there from an attempt that failed; closing what is not there does no harm.
      if (name !== '') connection.close({ type: 'S', name }, true);
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ statement: name, values }, true);
    if (!known) {
      connection.describe({ type: 'P', name: '' }, true);
      if (name !== '') this.#prepared.set(name, prepared);
    }
    connection.execute({ portal: '' }, true);
  }

  handleRowDescription({ fields }: RowDescription): void {
    const prepared = this.#described[this.#at];
    if (prepared) prepared.columns = fields.map(columnOf);
  }

  handleDataRow({ fields }: DataRow): void {
    const row: Record<string, unknown> = {};
    const columns = this.#described[this.#at]?.columns ?? [];
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
    this.#asked[this.#at++]?.resolve({ rows, rowCount: Number.isNaN(count) ? null : count, command });
  }

  handleReadyForQuery(): void {
    this.#ended();
  }

  handleError(error: Error): void {
    const left = this.#asked.slice(this.#at);
    for (const { name } of left) this.#prepared.delete(name);
    if (error instanceof pg.DatabaseError) {
      left.shift()?.reject(error);
      this.#submitNext(new SkippedQueries(left, this.#ended));
      return;
    }
    for (const { reject } of left) reject(error);
    this.#ended();
  }
}

/**
 * What stood behind a statement that failed. Only once the server asks for more is it certain that it skipped them: it may
 * as well have gone away, and then nobody knows.
 */
class SkippedQueries implements pg.Submittable {
  readonly #asked: readonly PendingQuery[];
  readonly #ended: () => void;

  constructor(asked: readonly PendingQuery[], ended: () => void) {
    this.#asked = asked;
    this.#ended = ended;
  }

  submit(connection: pg.Connection): void {
    connection.sync();
  }

  handleReadyForQuery(): void {
    for (const { reject } of this.#asked) reject(new Skipped('a statement before it has failed'));
    this.#ended();
  }

  handleError(error: Error): void {
    for (const { reject } of this.#asked) reject(error);
    this.#ended();
  }
}

/** As text, which is how parameters travel. */
export function toWire(value: PostgresValue): string | null {
  if (typeof value === 'string' || value === null) return value;
  return typeof value === 'number' ? String(value) : `{${value.map(toElement).join(',')}}`;
}

const toElement = (element: string | number | null): string => {
  if (typeof element === 'string') return `"${element.replace(/["\\]/g, String.raw`\$&`)}"`;
  return element === null ? 'NULL' : String(element);
};
