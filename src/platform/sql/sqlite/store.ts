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
import { Desk } from './desk.js';
import { RELEASE, ROLLBACK_TO, SAVEPOINT, SqliteTx } from './transaction.js';
import { Subscribers } from '../subscribers.js';

/** Transactions per group; bounds how long a group blocks the event loop. */
const GROUP_MAX = 256;
/** Groups that use savepoints after a rollback: refusals tend to come in clusters. */
const SAVEPOINT_GROUPS = 32;
/** Pages in the write-ahead log before a commit checkpoints them: 16 MiB at 4 KiB per page. */
const WAL_CHECKPOINT_PAGES = 4096;
const WAL_SIZE_LIMIT_BYTES = 32 * 1024 * 1024;
const BEGIN = statement('begin', 'BEGIN IMMEDIATE');
const COMMIT = statement('commit', 'COMMIT');
const ROLLBACK = statement('rollback', 'ROLLBACK');

export interface SqliteOptions {
  readonly file: string;
  readonly clock: Clock;
  /** The commit failed, so it is unknown what is durable: the process must stop without answering. */
  readonly onFatal: (error: unknown) => void;
  readonly onCommit?: (groupSize: number) => void;
}

interface Job {
  readonly run: (tx: Tx) => Promise<void>;
  readonly fail: (error: unknown) => void;
  readonly succeed: () => void;
}

/** The results of a group before its commit. */
interface Outcomes {
  readonly succeeded: { readonly job: Job; readonly tx: SqliteTx }[];
  readonly failed: [Job, unknown][];
}

/**
 * The SQLite adapter of the SQL port, with group commit: transactions that arrive in the same event-loop iterations run
 * one after another inside one `BEGIN IMMEDIATE … COMMIT`. One fsync makes all of them durable, and only then are they
 * answered. See docs/adr/0003-group-commit.md.
 *
 * A group first runs without savepoints. If a transaction fails after it has written, the group is rolled back and runs
 * again with one savepoint per transaction, so that only the failed one is rolled back. If `COMMIT` fails, or a
 * transaction awaits anything but SQL, the store stops: it settles no transaction and refuses new ones.
 */
class SqliteStore implements Sql {
  readonly isClustered = false;
  readonly reader: Reader;
  readonly desk: Desk;
  readonly #options: SqliteOptions;
  readonly #writer: Connection;
  readonly #readConnection: Connection;
  readonly #commit = guard('sqlite-durable-answer', (): void => void this.#writer.run(COMMIT, []));
  readonly #subscribers = new Subscribers();
  #queue: Job[] = [];
  #isScheduled = false;
  #stopReason: StoreUnavailable | undefined;
  #lastNowMs = 0;
  #savepointGroupsLeft = 0;
  #idleListeners: (() => void)[] = [];

  constructor(options: SqliteOptions) {
    this.#options = options;
    this.#writer = new Connection(options.file, {});
    const { database } = this.#writer;
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`);
    database.pragma(`journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
    this.#readConnection = new Connection(options.file, { readonly: true });
    this.reader = readerOf(this.#readConnection);
    this.desk = new Desk(options.file);
  }

  nowMs(): number {
    // Never goes backwards, even if the system clock is set back.
    this.#lastNowMs = Math.max(this.#lastNowMs, this.#options.clock());
    return this.#lastNowMs;
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#stopReason) {
        reject(this.#stopReason);
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

  subscribe<Change extends Json>(topic: Topic<Change>, onChange: (change: Change) => void): void {
    this.#subscribers.add(topic, onChange);
  }

  onFeedGap(): void {
    // There is no feed that could have a gap.
  }

  waitForChanges(): Promise<void> {
    return Promise.resolve();
  }

  purgeChangeFeed(): Promise<boolean> {
    return Promise.resolve(false);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#collectGroup(0);
  }

  /** Lets transactions of the next event-loop iterations join the group, as long as each iteration adds some. */
  #collectGroup(collected: number): void {
    setImmediate(() => {
      const { length } = this.#queue;
      if (length > collected && length < GROUP_MAX) {
        this.#collectGroup(length);
        return;
      }
      this.#runGroup().catch((error: unknown) => {
        this.#stop(error);
      });
    });
  }

  async #runGroup(): Promise<void> {
    const jobs = this.#queue.splice(0, GROUP_MAX);
    try {
      this.#writer.run(BEGIN, []);
    } catch (error) {
      for (const job of jobs)
        job.fail(new StoreUnavailable('database could not be written', { cause: error }));
      this.#next();
      return;
    }
    // Everything below runs in microtasks. If the event loop iterates before the commit, a transaction awaited more
    // than SQL.
    const loopCheck = setImmediate(() => {
      this.#stop(new InvariantViolation('transaction awaited something other than SQL'));
    });
    let outcomes: Outcomes;
    try {
      outcomes = (await this.#runWithoutSavepoints(jobs)) ?? (await this.#runWithSavepoints(jobs));
      if (this.#isOpen()) this.#commit();
      else failAll(outcomes);
    } finally {
      clearImmediate(loopCheck);
    }
    const { succeeded, failed } = outcomes;
    for (const { tx } of succeeded) tx.runEffects();
    for (const { job } of succeeded) job.succeed();
    for (const [job, error] of failed) job.fail(error);
    this.#options.onCommit?.(jobs.length);
    this.#next();
  }

  /**
   * The fast path: a savepoint makes SQLite copy each page before changing it, a sixth of the cost of a hold. Returns
   * undefined if the group must run with savepoints; its writes have then been rolled back and a new transaction has
   * begun.
   */
  async #runWithoutSavepoints(jobs: readonly Job[]): Promise<Outcomes | undefined> {
    if (this.#savepointGroupsLeft > 0) {
      this.#savepointGroupsLeft -= 1;
      return undefined;
    }
    const outcomes: Outcomes = { succeeded: [], failed: [] };
    for (const job of jobs) {
      const tx = new SqliteTx(this.#writer, this.#subscribers, this.nowMs());
      try {
        await job.run(tx);
        if (tx.storageFailure) throw tx.storageFailure;
        outcomes.succeeded.push({ job, tx });
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
    this.#savepointGroupsLeft = SAVEPOINT_GROUPS;
    if (this.#isOpen()) this.#writer.run(ROLLBACK, []);
    this.#writer.run(BEGIN, []);
  }

  async #runWithSavepoints(jobs: readonly Job[]): Promise<Outcomes> {
    const outcomes: Outcomes = { succeeded: [], failed: [] };
    for (const job of jobs) await this.#runJob(job, outcomes);
    return outcomes;
  }

  async #runJob(job: Job, { succeeded, failed }: Outcomes): Promise<void> {
    if (!this.#isOpen()) {
      failed.push([job, new StoreUnavailable('database could not be written')]);
      return;
    }
    this.#writer.run(SAVEPOINT, []);
    const tx = new SqliteTx(this.#writer, this.#subscribers, this.nowMs());
    try {
      await job.run(tx);
      if (tx.storageFailure) throw tx.storageFailure;
      this.#writer.run(RELEASE, []);
      succeeded.push({ job, tx });
    } catch (error) {
      failed.push([job, tx.storageFailure ?? error]);
      if (!this.#isOpen()) return;
      this.#writer.run(ROLLBACK_TO, []);
      this.#writer.run(RELEASE, []);
    }
  }

  /** False after SQLite has rolled back the whole group itself. */
  #isOpen(): boolean {
    return this.#writer.database.inTransaction;
  }

  #next(): void {
    this.#isScheduled = false;
    if (this.#queue.length > 0) this.#schedule();
    else for (const resolve of this.#idleListeners.splice(0)) resolve();
  }

  #stop(error: unknown): void {
    this.#stopReason = new StoreUnavailable('database stopped after a fatal error', { cause: error });
    this.#options.onFatal(error);
  }

  async close(): Promise<void> {
    if (this.#isScheduled) await new Promise<void>((resolve) => this.#idleListeners.push(resolve));
    this.#stopReason = new StoreUnavailable('database is closed');
    await this.desk.close();
    this.#readConnection.database.close();
    this.#writer.database.close();
  }
}

/** SQLite rolled back the whole group itself (an I/O error in a statement), so every transaction has certainly failed. */
function failAll({ succeeded, failed }: Outcomes): void {
  for (const { job } of succeeded.splice(0)) {
    failed.push([job, new StoreUnavailable('database could not be written')]);
  }
}

export const openSqlite = (options: SqliteOptions): Sql => new SqliteStore(options);
