import { createSemaphore } from '../../../kernel/semaphore.js';
import { SECOND_MS } from '../../../kernel/time.js';
import {
  DESK_WAITING_MAX,
  type Json,
  OutcomeUnknown,
  type Reader,
  type Sql,
  type SqlParams,
  type Statement,
  StoreContention,
  StoreUnavailable,
  type Topic,
  type TransactionOptions,
  type Tx,
} from '../port.js';
import { ChangeFeed, deleteOldChanges } from './change-feed.js';
import type { PostgresConnection } from './connection.js';
import { isConflict, isConnectionLost, isPreparedElsewhere, isTimeout } from './errors.js';
import { KeyedMutex } from './keyed-mutex.js';
import { PostgresPool } from './pool.js';
import { PostgresTx, rowsOf, send } from './transaction.js';
import type { PostgresAddress } from './url.js';
import { StoreClock } from './store-clock.js';
import { Subscribers } from '../subscribers.js';

const ATTEMPTS_MAX = 8;
const BACKOFF_MS = 5;
const BACKOFF_MAX_MS = SECOND_MS / 2;
const FEED_CONNECTIONS = 1;
const READ_CONNECTIONS_SHARE = 0.25;
/** One of them is left when the desk uses its half. */
const READ_CONNECTIONS_MIN = 2;
const PURGE_BATCH_MAX = 5000;

export interface PostgresOptions {
  readonly address: PostgresAddress;
  readonly connectionsMax: number;
  readonly onCommit?: (groupSize: number) => void;
}

/**
 * The PostgreSQL adapter of the SQL port: any number of processes on one database.
 *
 * It owns three pools, so that reads and the change feed never wait for transactions to finish. It retries, with
 * back-off, only what certainly was not stored: conflicts and connections lost before the commit. It never retries an
 * `OutcomeUnknown`. A transaction that published changes returns after this process has received them, so its caller
 * reads its own writes.
 */
class PostgresStore implements Sql {
  readonly isClustered = true;
  readonly reader: Reader;
  readonly desk: Reader;
  readonly #writePool: PostgresPool;
  readonly #readPool: PostgresPool;
  readonly #feedPool: PostgresPool;
  readonly #clock = new StoreClock();
  readonly #subscribers = new Subscribers();
  readonly #changeFeed: ChangeFeed;
  readonly #mutex = new KeyedMutex();
  readonly #onCommit: ((groupSize: number) => void) | undefined;

  constructor({ address, connectionsMax, onCommit }: PostgresOptions) {
    const readConnections = Math.max(
      READ_CONNECTIONS_MIN,
      Math.floor(connectionsMax * READ_CONNECTIONS_SHARE),
    );
    const writeConnections = Math.max(1, connectionsMax - readConnections - FEED_CONNECTIONS);
    this.#readPool = new PostgresPool(address, readConnections);
    this.#writePool = new PostgresPool(address, writeConnections);
    this.#feedPool = new PostgresPool(address, FEED_CONNECTIONS);
    this.#onCommit = onCommit;
    this.#changeFeed = new ChangeFeed({
      pool: this.#feedPool,
      subscribers: this.#subscribers,
      clock: this.#clock,
    });
    this.reader = {
      all: (query, params) => this.#read(query, params),
      get: async (query, params) => (await this.#read(query, params))[0],
    };
    const limitDesk = createSemaphore({
      concurrentMax: Math.floor(readConnections / 2),
      waitingMax: DESK_WAITING_MAX,
    });
    this.desk = {
      all: (query, params) => limitDesk(() => this.#read(query, params)),
      get: async (query, params) => (await limitDesk(() => this.#read(query, params)))[0],
    };
  }

  get #pools(): readonly PostgresPool[] {
    return [this.#writePool, this.#readPool, this.#feedPool];
  }

  start(): Promise<void> {
    return this.#changeFeed.start();
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  subscribe<Change extends Json>(topic: Topic<Change>, onChange: (change: Change) => void): void {
    this.#subscribers.add(topic, onChange);
  }

  onFeedGap(reload: () => Promise<void> | void): void {
    this.#changeFeed.onGap(reload);
  }

  waitForChanges(): Promise<void> {
    return this.#changeFeed.waitForChanges();
  }

  async purgeChangeFeed(): Promise<boolean> {
    const deleted = await this.transaction((tx) => tx.exec(deleteOldChanges, [PURGE_BATCH_MAX]));
    return deleted === PURGE_BATCH_MAX;
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>, { mutexKey }: TransactionOptions = {}): Promise<T> {
    const runAndCommit = (): Promise<{ tx: PostgresTx; value: T }> =>
      this.#withRetry(this.#writePool, async (connection) => {
        const tx = new PostgresTx(connection, () => this.nowMs());
        const value = await runOrRollBack(tx, work);
        await tx.commit();
        return { tx, value };
      });
    const { tx, value } = await (mutexKey === undefined
      ? runAndCommit()
      : this.#mutex.run(mutexKey, runAndCommit));
    this.#onCommit?.(1);
    if (tx.hasPublished) await this.#waitForOwnChanges();
    tx.runEffects();
    return value;
  }

  async close(): Promise<void> {
    this.#changeFeed.close();
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  /** The transaction is durable, so a late or failing change feed must not fail it. */
  async #waitForOwnChanges(): Promise<void> {
    try {
      await this.#changeFeed.waitForChanges();
    } catch {
      // The next request waits for the changes itself.
    }
  }

  #read<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<Row[]> {
    return this.#withRetry(this.#readPool, async (connection) =>
      rowsOf<Row>(await send(connection, query, params)),
    );
  }

  async #withRetry<T>(pool: PostgresPool, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const connection = await pool.acquire();
      let isLost = false;
      try {
        return await work(connection);
      } catch (error) {
        isLost = isConnectionLost(error);
        if (isPreparedElsewhere(error)) {
          for (const each of this.#pools) each.stopPreparing();
          isLost = true;
        }
        if (error instanceof OutcomeUnknown || !(isLost || isConflict(error))) throw asUnavailable(error);
        if (attempt === ATTEMPTS_MAX) throw unavailableAfter(ATTEMPTS_MAX, error);
      } finally {
        if (isLost) await connection.close();
        pool.release(connection);
      }
      await backOff(attempt);
    }
  }
}

const asUnavailable = (error: unknown): unknown =>
  isTimeout(error) ? new StoreContention('database timeout', { cause: error }) : error;

function unavailableAfter(attempts: number, cause: unknown): StoreUnavailable {
  const Unavailable = isConflict(cause) ? StoreContention : StoreUnavailable;
  return new Unavailable(`database unavailable after ${attempts} attempts`, { cause });
}

const backOff = (attempt: number): Promise<void> =>
  new Promise((resolve) => {
    // Jitter keeps two transactions that conflicted from conflicting again.
    setTimeout(resolve, Math.random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** attempt));
  });

async function runOrRollBack<T>(tx: PostgresTx, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await work(tx);
  } catch (error) {
    throw await tx.rollBack(error);
  }
}

export async function openPostgres(options: PostgresOptions): Promise<Sql> {
  const store = new PostgresStore(options);
  try {
    await store.start();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
