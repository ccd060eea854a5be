/**
 * The small door every rule goes through to reach a database. Two adapters stand behind it: SQLite (one machine) and
 * PostgreSQL (many processes). Statements are written once, in the subset both understand; the few words that differ
 * are asked of the `Dialect`.
 */

export type SqlParam =
  | string
  | number
  | null
  | readonly string[]
  | readonly number[]
  | readonly Readonly<Record<string, string | number | null>>[];

type ColumnType = 'text' | 'bigint';

/** The words in which the databases differ. */
export interface Dialect {
  /** `column ${anyOf('$1')}`: the column equals one of the values in an array parameter. */
  anyOf(parameter: string): string;
  /** A table expression over an array of objects: one row an object, one column a member. */
  rows(parameter: string, columns: Readonly<Record<string, ColumnType>>): string;
  /**
   * `WHERE ${inLockOrder('seats', '$1')}`: rows of the table by their ids in an array parameter, locked in order of id, so
   * that two who want the same rows wait for each other instead of locking up.
   */
  inLockOrder(table: string, parameter: string): string;
  /** Appended to a SELECT whose rows must not change until the transaction ends. */
  readonly forUpdate: string;
}

/** One named, prepared statement. The parameters and the row are part of its type; the text is built once. */
export interface Statement<Params extends readonly SqlParam[], Row> {
  readonly name: string;
  readonly text: (dialect: Dialect) => string;
  /** Never set: carries the types. */
  readonly types?: { readonly params: Params; readonly row: Row };
}

export function statement<Params extends readonly SqlParam[] = [], Row = never>(
  name: string,
  text: string | ((dialect: Dialect) => string),
): Statement<Params, Row> {
  return { name, text: typeof text === 'string' ? () => text : text };
}

export interface Reader {
  all<Params extends readonly SqlParam[], Row>(query: Statement<Params, Row>, params: Params): Promise<Row[]>;
  get<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<Row | undefined>;
}

/**
 * A transaction under way. Nothing but SQL may be awaited inside it: on SQLite the transactions that arrived together
 * share one commit and would all wait.
 */
export interface Tx extends Reader {
  /** The time by the store's own authority, the same throughout the transaction and never earlier than a previous one. */
  readonly nowMs: number;
  /** Runs a write and answers how many rows it touched. */
  run<Params extends readonly SqlParam[]>(command: Statement<Params, never>, params: Params): Promise<number>;
  /** Work that can be undone alone: if it throws, its writes are rolled back and the transaction goes on. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Called once the transaction is durable and before its caller hears of it; never called when it rolled back. */
  afterCommit(effect: () => void): void;
}

export interface Sql {
  /** Reads outside a transaction: they see only what is durable. */
  readonly reader: Reader;
  nowMs(): number;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The store cannot take writes now (a failing disk, a lost connection); nothing of this transaction happened. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}
