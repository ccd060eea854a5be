/**
 * The SQL port: the only way for a module to reach the database. It has two adapters, SQLite (one process) and
 * PostgreSQL (any number of processes). Statements are written once, in the subset of SQL that both accept; a `Dialect`
 * supplies the few expressions that differ. Both adapters guarantee:
 *
 * - A transaction is atomic, and its result is returned only after it is durable.
 * - The work of a transaction may run more than once: its only effects are statements, `publish` and `afterCommit`.
 * - Subscribers receive the changes of committed transactions only, and changes of one row in the order of its updates.
 * - A transaction that fails with anything but `OutcomeUnknown` has stored nothing.
 */

export type SqlParam =
  | string
  | number
  | null
  | readonly string[]
  | readonly number[]
  | readonly Readonly<Record<string, string | number | null>>[];

export type SqlParams = readonly SqlParam[];

type ColumnType = 'text' | 'bigint' | 'double precision';

/** The expressions that differ between the databases. */
export interface Dialect {
  /** `column ${anyOf('$1')}`: the column equals one of the values in an array parameter. */
  anyOf(parameter: string): string;
  /**
   * `column ${inQuery('SELECT …')}`: the column equals one of the values that the query returns. The query runs once; a
   * plain subquery may run once per row when PostgreSQL underestimates the number of rows.
   */
  inQuery(query: string): string;
  /** A table expression over an array of objects: one row per object, one column per member. */
  rows(parameter: string, columns: Readonly<Record<string, ColumnType>>): string;
  /**
   * `WHERE ${inLockOrder('seats', '$1')}`: the rows whose ids are in an array parameter, locked in order of id. Two
   * transactions that lock the same rows therefore wait for each other and never deadlock.
   */
  inLockOrder(table: string, parameter: string): string;
  /** The same, but skips rows that another transaction has locked. */
  skipLocked(table: string, parameter: string): string;
  /**
   * The time at which the statement runs, in milliseconds, but never before the parameter. For a statement that may
   * have waited for a lock. On SQLite nothing waits, so it is the parameter.
   */
  now(parameter: string): string;
  /**
   * Appended to a SELECT with one array parameter: locks the rows in order of this column until the transaction ends. Two
   * transactions that lock the same rows wait for each other and never deadlock.
   */
  lockInOrderOf(column: string): string;
  /** Appended to a SELECT whose rows must not be deleted, nor change a unique key, until the transaction ends. */
  readonly forKeyShare: string;
  /** Appended to a SELECT whose rows must not change until the transaction ends; other transactions may do the same. */
  readonly forShare: string;
  /** Appended to a SELECT whose rows are updated, without their keys, before the transaction ends. */
  readonly forNoKeyUpdate: string;
  /** Appended to a SELECT whose rows must not change until the transaction ends. */
  readonly forUpdate: string;
}

/** A value that survives `JSON.stringify` and `JSON.parse`. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json | undefined };

/** A kind of change that transactions publish. The payload is part of its type. */
export interface Topic<Change> {
  readonly name: string;
  /** Never set; carries the type. */
  readonly types?: { readonly change: Change };
}

export const topic = <Change>(name: string): Topic<Change> => ({ name });

/** A named, prepared statement. Its parameters and its row are part of its type; its text is built once. */
export interface Statement<P extends SqlParams, Row> {
  readonly name: string;
  readonly text: (dialect: Dialect) => string;
  /** Never set; carries the types. */
  readonly types?: { readonly params: P; readonly row: Row };
}

export function statement<P extends SqlParams = [], Row = never>(
  name: string,
  text: string | ((dialect: Dialect) => string),
): Statement<P, Row> {
  return { name, text: typeof text === 'string' ? () => text : text };
}

/** The columns of the rows that a batch statement writes. */
export type BatchColumns = Readonly<Record<string, ColumnType>>;

interface ValueOf {
  readonly text: string | null;
  readonly bigint: number | null;
  readonly 'double precision': number | null;
}

/** One row of a batch: a value for each column. */
export type BatchRow<Columns extends BatchColumns> = {
  readonly [Column in keyof Columns]: ValueOf[Columns[Column]];
};

/** What the text of a batch statement is built from: an expression for each column of the row, and where rows come from. */
export interface BatchSource<Columns extends BatchColumns> {
  readonly row: { readonly [Column in keyof Columns]: string };
  /** ` FROM …` for a statement that reads nothing else, or empty if the values are parameters. */
  readonly from: string;
  /** `, …` for a statement that has a FROM clause, or empty if the values are parameters. */
  readonly andFrom: string;
}

/** Maps each column to an expression. */
export const expressionsOf = <Columns extends BatchColumns>(
  columns: Columns,
  expressionOf: (column: string) => string,
): BatchSource<Columns>['row'] =>
  Object.fromEntries(
    Object.keys(columns).map((column) => [column, expressionOf(column)]),
  ) as BatchSource<Columns>['row'];

/** A write of any number of rows: PostgreSQL runs it once for all rows, SQLite once for each. That is the fastest on either. */
export interface BatchStatement<Columns extends BatchColumns = BatchColumns> {
  readonly name: string;
  readonly columns: Columns;
  readonly text: (source: BatchSource<Columns>) => string;
}

export function batchStatement<Columns extends BatchColumns>(
  name: string,
  columns: Columns,
  text: (source: BatchSource<Columns>) => string,
): BatchStatement<Columns> {
  return { name, columns, text };
}

/** Desk reads that wait for their turn. */
export const DESK_WAITING_MAX = 64;

export interface Reader {
  all<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<Row[]>;
  get<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<Row | undefined>;
}

/**
 * A running transaction. Its work may await nothing but SQL: on SQLite the transactions of one group share a commit,
 * and all of them would wait.
 */
export interface Tx extends Reader {
  /**
   * The store's time, read on first use and constant from then on; never earlier than any time this process has read
   * before. Read it after waiting for locks.
   */
  readonly nowMs: number;
  /** Runs a write and returns the number of rows it changed. */
  exec<P extends SqlParams>(command: Statement<P, never>, params: P): Promise<number>;
  /** Runs a write without waiting for its result. If it fails, the transaction fails. */
  execDeferred<P extends SqlParams>(command: Statement<P, never>, params: P): void;
  /**
   * Runs a batch statement without waiting for its result. It must change exactly one row for each given row: otherwise
   * the transaction fails with `RowCountMismatch` and stores nothing, even if its commit was sent with the statement.
   */
  writeBatch<Columns extends BatchColumns>(
    command: BatchStatement<Columns>,
    rows: readonly BatchRow<Columns>[],
  ): void;
  /** If the work throws, only its writes and publications are rolled back, and the transaction can continue. */
  withSavepoint<T>(work: () => Promise<T>): Promise<T>;
  /**
   * PostgreSQL: locks the rows of a `forUpdate` query until the transaction ends. SQLite: does nothing, because there
   * is one writer at a time.
   */
  lock<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<void>;
  /**
   * Publishes a change to the subscribers of every process when the transaction is durable; subscribers in this process
   * receive it before `transaction` resolves. A rollback discards it.
   */
  publish<Change extends Json>(topic: Topic<Change>, change: Change): void;
  /** Runs a write and publishes each row it returns. PostgreSQL: in one statement, without reading the rows first. */
  publishRows<P extends SqlParams, Change extends Json>(
    topic: Topic<Change>,
    command: Statement<P, Change>,
    params: P,
  ): Promise<void>;
  /**
   * Declares that no statement follows; the work may only await its results and return. PostgreSQL: sends the commit
   * with the statements, so locks are held no longer than the server needs. SQLite: does nothing, because the group
   * commits later.
   */
  pipelineCommit(): void;
  /** Runs the effect in this process only, after the published changes have been delivered. A rollback discards it. */
  afterCommit(effect: () => void): void;
}

export interface TransactionOptions {
  /**
   * PostgreSQL: transactions of this process with the same key run one at a time. For transactions that all lock one
   * row: waiting ones use no connection, and a frozen process can delay other processes by one transaction only.
   * SQLite: has no effect, because transactions always run one at a time.
   */
  readonly mutexKey?: string;
}

export interface Sql {
  /** Whether other processes may use the same database: true on PostgreSQL, false on SQLite. */
  readonly isClustered: boolean;
  /** Reads outside a transaction. They see durable data only. */
  readonly reader: Reader;
  /**
   * Reads that may take long: searches, long lists and sums over a whole sale. They see the same data and never delay
   * the others. SQLite: on a thread with its own connection. PostgreSQL: on at most half of the connections for reads.
   * Refuses with UNAVAILABLE if more than `DESK_WAITING_MAX` reads are waiting.
   */
  readonly desk: Reader;
  nowMs(): number;
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Calls `onChange` for every published change of the topic, whichever process published it. */
  subscribe<Change extends Json>(topic: Topic<Change>, onChange: (change: Change) => void): void;
  /**
   * PostgreSQL: calls `reload` when changes may have been lost, so everything cached in memory must be read again.
   * SQLite: never calls it, because this process makes every change itself.
   */
  onFeedGap(reload: () => Promise<void> | void): void;
  /**
   * PostgreSQL: resolves when subscribers have received every change that was durable at the time of the call. Nothing
   * is delivered before the first call, so load the initial state first. SQLite: resolves immediately.
   */
  waitForChanges(): Promise<void>;
  /**
   * PostgreSQL: deletes a batch of changes that every process has read, and returns whether more are left. SQLite: does
   * nothing; there is no feed.
   */
  purgeChangeFeed(): Promise<boolean>;
  close(): Promise<void>;
}

/** The store cannot serve now (a failing disk, a lost connection). Nothing of this transaction was stored. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable';
}

/**
 * The store is available, but other transactions kept the rows of this one locked for too long. Nothing was stored, and
 * a transaction on other rows may succeed.
 */
export class StoreContention extends StoreUnavailable {
  override readonly name = 'StoreContention';
}

/** A guarded batch statement did not change one row per given row. Nothing of this transaction was stored. */
export class RowCountMismatch extends Error {
  override readonly name = 'RowCountMismatch';
  readonly statement: string;

  constructor(statement: string) {
    super(`batch statement ${statement} did not change one row for each row`);
    this.statement = statement;
  }
}

/** The connection was lost during the commit: only a lookup can tell whether the transaction was stored. */
export class OutcomeUnknown extends StoreUnavailable {
  override readonly name = 'OutcomeUnknown';
}
