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

type ColumnType = 'text' | 'bigint' | 'double precision';

/** The words in which the databases differ. */
export interface Dialect {
  /** `column ${anyOf('$1')}`: the column equals one of the values in an array parameter. */
  anyOf(parameter: string): string;
  /**
   * `column ${among('SELECT …')}`: the column equals one of what the query finds, which is run once. Left to itself,
   * PostgreSQL may run it anew for every row, where it expects few rows and there are many.
   */
  inQuery(query: string): string;
  /** A table expression over an array of objects: one row an object, one column a member. */
  rows(parameter: string, columns: Readonly<Record<string, ColumnType>>): string;
  /**
   * `WHERE ${inLockOrder('seats', '$1')}`: rows of the table by their ids in an array parameter, locked in order of id, so
   * that two who want the same rows wait for each other instead of locking up.
   */
  inLockOrder(table: string, parameter: string): string;
  /** The same, without those that another transaction has locked: they are its to decide about. */
  skipLocked(table: string, parameter: string): string;
  /**
   * The time at which a statement is run, in milliseconds: where it may have waited for a lock, the parameter says what
   * it was before.
   */
  now(parameter: string): string;
  /** Appended to a SELECT whose rows must not change until the transaction ends. */
  readonly forUpdate: string;
}

/** What a JSON column can carry. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json | undefined };

/** A kind of change that processes tell each other. What is told is part of its type. */
export interface Topic<Change> {
  readonly name: string;
  /** Never set: carries the type. */
  readonly types?: { readonly change: Change };
}

export const topic = <Change>(name: string): Topic<Change> => ({ name });

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
  /**
   * The time by the store's own authority when this was first asked for, the same from then on, and never earlier than
   * this process has been told before. Whoever waits for a lock asks after it, or makes sure with `requireTimely`.
   */
  readonly nowMs: number;
  /**
   * For who has asked for the time first and then sent their locks together with the rest: if those were waited for so
   * long that it is another time now, everything is undone and tried again.
   */
  assertFreshTime(): void;
  /** Runs a write and answers how many rows it touched. */
  exec<Params extends readonly SqlParam[]>(
    command: Statement<Params, never>,
    params: Params,
  ): Promise<number>;
  /** Runs a write that nobody waits for: if it fails, so does the transaction. */
  execDeferred<Params extends readonly SqlParam[]>(command: Statement<Params, never>, params: Params): void;
  /** Work that can be undone alone: if it throws, its writes are rolled back and the transaction goes on. */
  withSavepoint<T>(work: () => Promise<T>): Promise<T>;
  /** Locks the rows of a `forUpdate` query until the transaction ends, where others could change them meanwhile. */
  lock<Params extends readonly SqlParam[], Row>(query: Statement<Params, Row>, params: Params): Promise<void>;
  /**
   * Tells every process, this one included, once the transaction is durable, and this one before the caller hears of it.
   * Changes of one row are told in the order in which they were made. Never told when it rolled back.
   */
  publish<Change extends Json>(about: Topic<Change>, change: Change): void;
  /** Runs a write and announces each row it answers: for what only the database knows yet. */
  publishRows<Params extends readonly SqlParam[], Change extends Json>(
    about: Topic<Change>,
    command: Statement<Params, Change>,
    params: Params,
  ): Promise<void>;
  /**
   * Nothing follows what has been sent: the commit travels with it, and locks are held no longer than the database itself
   * needs. The work may only wait for its answers and return.
   */
  pipelineCommit(): void;
  /** Called in this process alone, after what was announced has been told; never called when it rolled back. */
  afterCommit(effect: () => void): void;
}

export interface Sql {
  /** Whether other processes work on the same database. */
  readonly isClustered: boolean;
  /** Reads outside a transaction: they see only what is durable. */
  readonly reader: Reader;
  nowMs(): number;
  /**
   * `turn` names what all of these lock anyway: this process then has only one of them under way, so that those who
   * wait need no connection, and a process that freezes keeps the others from that lock once and not again and again.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, turn?: string): Promise<T>;
  /** Hears of every change of that kind, whichever process made it. */
  subscribe<Change extends Json>(about: Topic<Change>, hear: (change: Change) => void): void;
  /** Called when changes may have been missed for good: what is kept in memory has to be read anew. */
  onFeedGap(reread: () => Promise<void>): void;
  /**
   * Resolves once this process has heard of everything that was durable when it was called; undefined when that is
   * always so, because there is no other process. Nothing is told before the first call: read first, then ask.
   */
  waitForChanges(): Promise<void> | undefined;
  /** Deletes what only the store itself needed for a while. */
  purgeChangeFeed(): Promise<void>;
  close(): Promise<void>;
}

/** The store cannot serve now (a failing disk, a lost connection); nothing of this transaction happened. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/** The connection was lost while the commit was under way: whether it happened, only asking again can tell. */
export class OutcomeUnknown extends StoreUnavailable {
  override readonly name = 'OutcomeUnknown';
}
