import type { Clock } from '../../../kernel/time.js';
import { InvariantViolation } from '../../../kernel/assert.js';
import { guard } from '../../../kernel/guard.js';
import {
  type Json,
  type Reader,
  type Sql,
  statement,
  StoreUnavailable,
  type Topic,
  type Tx,
} from '../port.js';
import { Connection, readerOf } from './connection.js';
import { RELEASE, SAVEPOINT, SqliteTx, ROLLBACK_TO } from './transaction.js';
import { Subscribers } from '../subscribers.js';

/** Transactions that share one fsync; a bound on how long the event loop is kept from everything else. */
const GROUP_MAX = 256;
/** After a transaction had to be undone, so many groups give each its own savepoint: where one was refused, more are. */
const SAVEPOINT_GROUPS = 32;
/** Pages of WAL before a commit copies them into the database: 16 MiB at 4 KiB a page. */
const WAL_CHECKPOINT_PAGES = 4096;
const WAL_KEPT_BYTES = 32 * 1024 * 1024;
const BEGIN = statement('begin', 'BEGIN IMMEDIATE');
const COMMIT = statement('commit', 'COMMIT');
const ROLLBACK = statement('rollback', 'ROLLBACK');

export interface SqliteOptions {
  readonly file: string;
  readonly clock: Clock;
  /** The commit itself failed: what is durable is unknown, so the process must stop without answering. */
  readonly onFatal: (error: unknown) => void;
  readonly onCommit?: (groupSize: number) => void;
}

interface Job {
  readonly run: (tx: Tx) => Promise<void>;
  readonly fail: (error: unknown) => void;
  readonly succeed: () => void;
}

/** How a group went, before its commit. */
interface Outcomes {
  readonly done: { readonly job: Job; readonly tx: SqliteTx }[];
  readonly failed: [Job, unknown][];
}

/**
 * Group commit: transactions that arrive together run one after another inside one `BEGIN IMMEDIATE … COMMIT`, and all
 * are answered after that one fsync. One that fails is undone alone. See docs/adr/0003-group-commit.md.
 */
class SqliteStore implements Sql {
  readonly isClustered = false;
  readonly reader: Reader;
  readonly #options: SqliteOptions;
  readonly #writer: Connection;
  readonly #reading: Connection;
  readonly #commit = guard('sqlite-durable-answer', (): void => void this.#writer.run(COMMIT, []));
  readonly #subscribers = new Subscribers();
  #queue: Job[] = [];
  #scheduled = false;
  #stopped: Error | undefined;
  #lastNowMs = 0;
  #groupsWithSavepoints = 0;
  #idle: (() => void)[] = [];

  constructor(options: SqliteOptions) {
    this.#options = options;
    this.#writer = new Connection(options.file, {});
    const { database } = this.#writer;
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`);
    database.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
    this.#reading = new Connection(options.file, { readonly: true });
    this.reader = readerOf(this.#reading);
  }

  nowMs(): number {
    // A clock that is set back must not make a later transaction look earlier.
    this.#lastNowMs = Math.max(this.#lastNowMs, this.#options.clock());
    return this.#lastNowMs;
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#stopped) {
        reject(this.#stopped);
        return;
      }
      let result: { value: T } | undefined;
      this.#queue.push({
        run: async (tx) => {
          result = { value: await work(tx) };
        },
        succeed: () => {
          if (result) resolve(result.value);
        },
        fail: reject,
      });
      this.#schedule();
    });
  }

  subscribe<Change extends Json>(about: Topic<Change>, hear: (change: Change) => void): void {
    this.#subscribers.add(about, hear);
  }

  onFeedGap(): void {
    // Nothing is missed: this process makes every change itself.
  }

  waitForChanges(): undefined {
    return undefined;
  }

  purgeChangeFeed(): Promise<void> {
    return Promise.resolve();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#collectGroup(0);
  }

  /** Not at once: what is read from the sockets in this turn of the loop joins the same group, and so on while more comes. */
  #collectGroup(gathered: number): void {
    setImmediate(() => {
      const { length } = this.#queue;
      if (length > gathered && length < GROUP_MAX) {
        this.#collectGroup(length);
        return;
      }
      this.#runGroup().catch((error: unknown) => {
        this.#fatal(error);
      });
    });
  }

  async #runGroup(): Promise<void> {
    const jobs = this.#queue.splice(0, GROUP_MAX);
    try {
      this.#writer.run(BEGIN, []);
    } catch (error) {
      for (const job of jobs)
        job.fail(new StoreUnavailable('the database could not be written', { cause: error }));
      this.#next();
      return;
    }
    // Everything below runs in microtasks. If the loop turns before the commit, somebody awaited more than SQL.
    const turned = setImmediate(() => {
      this.#fatal(new InvariantViolation('a transaction awaited something other than SQL'));
    });
    let outcomes: Outcomes;
    try {
      outcomes = (await this.#runWithoutSavepoints(jobs)) ?? (await this.#runWithSavepoints(jobs));
      if (this.#isOpen()) this.#commit();
      else failAll(outcomes);
    } finally {
      clearImmediate(turned);
    }
    const { done, failed } = outcomes;
    for (const { tx } of done) tx.committed();
    for (const { job } of done) job.succeed();
    for (const [job, error] of failed) job.fail(error);
    this.#options.onCommit?.(jobs.length);
    this.#next();
  }

  /**
   * Without savepoints, which have SQLite copy every page before it is changed: a sixth of what a hold costs. Undefined
   * when one failed that had written: the group has been undone and begun again, to be run with care.
   */
  async #runWithoutSavepoints(jobs: readonly Job[]): Promise<Outcomes | undefined> {
    if (this.#groupsWithSavepoints > 0) {
      this.#groupsWithSavepoints -= 1;
      return undefined;
    }
    const outcomes: Outcomes = { done: [], failed: [] };
    for (const job of jobs) {
      const tx = new SqliteTx(this.#writer, this.#subscribers, this.nowMs());
      try {
        await job.run(tx);
        if (tx.broken) throw tx.broken;
        outcomes.done.push({ job, tx });
      } catch (error) {
        if (tx.hasWritten || !this.#isOpen()) {
          this.#restartGroup();
          return undefined;
        }
        outcomes.failed.push([job, error]);
      }
    }
    return outcomes;
  }

  #restartGroup(): void {
    this.#groupsWithSavepoints = SAVEPOINT_GROUPS;
    if (this.#isOpen()) this.#writer.run(ROLLBACK, []);
    this.#writer.run(BEGIN, []);
  }

  /** Each in its own savepoint: one that throws is undone alone. */
  async #runWithSavepoints(jobs: readonly Job[]): Promise<Outcomes> {
    const outcomes: Outcomes = { done: [], failed: [] };
    for (const job of jobs) await this.#runJob(job, outcomes);
    return outcomes;
  }

  async #runJob(job: Job, { done, failed }: Outcomes): Promise<void> {
    if (!this.#isOpen()) {
      failed.push([job, new StoreUnavailable('the database could not be written')]);
      return;
    }
    this.#writer.run(SAVEPOINT, []);
    const tx = new SqliteTx(this.#writer, this.#subscribers, this.nowMs());
    try {
      await job.run(tx);
      if (tx.broken) throw tx.broken;
      this.#writer.run(RELEASE, []);
      done.push({ job, tx });
    } catch (error) {
      failed.push([job, tx.broken ?? error]);
      if (!this.#isOpen()) return;
      this.#writer.run(ROLLBACK_TO, []);
      this.#writer.run(RELEASE, []);
    }
  }

  /** False when SQLite has undone the whole group by itself. */
  #isOpen(): boolean {
    return this.#writer.database.inTransaction;
  }

  #next(): void {
    this.#scheduled = false;
    if (this.#queue.length > 0) this.#schedule();
    else for (const resolve of this.#idle.splice(0)) resolve();
  }

  #fatal(error: unknown): void {
    this.#stopped = new StoreUnavailable('the database stopped after a failed commit', { cause: error });
    this.#options.onFatal(error);
  }

  async close(): Promise<void> {
    if (this.#scheduled) await new Promise<void>((resolve) => this.#idle.push(resolve));
    this.#stopped = new StoreUnavailable('the database is closed');
    this.#reading.database.close();
    this.#writer.database.close();
  }
}

/** SQLite undid the whole group by itself (an I/O error in a statement): that is certain, so all may be told. */
function failAll({ done, failed }: Outcomes): void {
  for (const { job } of done.splice(0)) {
    failed.push([job, new StoreUnavailable('the database could not be written')]);
  }
}

export const openSqlite = (options: SqliteOptions): Sql => new SqliteStore(options);
