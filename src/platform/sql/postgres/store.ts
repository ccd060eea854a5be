import { SECOND_MS } from '../../../kernel/time.js';
import {
  type Json,
  OutcomeUnknown,
  type Reader,
  type Sql,
  type SqlParam,
  type Statement,
  StoreUnavailable,
  type Topic,
  type Tx,
} from '../port.js';
import { ChangeFeed } from './change-feed.js';
import type { PostgresConnection } from './connection.js';
import { isConflict, isConnectionLost, isPreparedElsewhere, isTimeout } from './errors.js';
import { PostgresPool } from './pool.js';
import { PostgresTx, rowsOf, send } from './transaction.js';
import type { PostgresAddress } from './url.js';
import { StoreClock } from './store-clock.js';
import { Subscribers } from '../subscribers.js';
import { KeyedMutex } from './keyed-mutex.js';

const TRIES_MAX = 8;
const BACKOFF_MS = 5;
const BACKOFF_MAX_MS = SECOND_MS / 2;
/** Following the changes must never wait for those who make them. */
const FOLLOWING = 1;
/** Reads have connections of their own: a transaction that needs one never waits for other transactions to end. */
const READING_SHARE = 0.25;

export interface PostgresOptions {
  readonly address: PostgresAddress;
  readonly connectionsMax: number;
  readonly onCommit?: (groupSize: number) => void;
}

/** Any number of processes on one database. */
class PostgresStore implements Sql {
  readonly isClustered = true;
  readonly reader: Reader;
  readonly #writePool: PostgresPool;
  readonly #readPool: PostgresPool;
  readonly #feedPool: PostgresPool;
  readonly #clock = new StoreClock();
  readonly #subscribers = new Subscribers();
  readonly #changes: ChangeFeed;
  readonly #mutex = new KeyedMutex();
  readonly #onCommit: ((groupSize: number) => void) | undefined;

  constructor({ address, connectionsMax, onCommit }: PostgresOptions) {
    const reading = Math.max(1, Math.floor(connectionsMax * READING_SHARE));
    this.#readPool = new PostgresPool(address, reading);
    this.#writePool = new PostgresPool(address, Math.max(1, connectionsMax - reading - FOLLOWING));
    this.#feedPool = new PostgresPool(address, FOLLOWING);
    this.#onCommit = onCommit;
    this.#changes = new ChangeFeed({
      pool: this.#feedPool,
      subscribers: this.#subscribers,
      clock: this.#clock,
    });
    this.reader = {
      all: (query, params) => this.#read(query, params),
      get: async (query, params) => (await this.#read(query, params))[0],
    };
  }

  get #pools(): readonly PostgresPool[] {
    return [this.#writePool, this.#readPool, this.#feedPool];
  }

  start(): Promise<void> {
    return this.#changes.start();
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  subscribe<Change extends Json>(about: Topic<Change>, hear: (change: Change) => void): void {
    this.#subscribers.add(about, hear);
  }

  onFeedGap(reread: () => Promise<void>): void {
    this.#changes.onGap(reread);
  }

  waitForChanges(): Promise<void> {
    return this.#changes.waitForChanges();
  }

  async purgeChangeFeed(): Promise<void> {
    await this.#changes.purge();
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>, turn?: string): Promise<T> {
    const workAndCommit = (): Promise<{ tx: PostgresTx; value: T }> =>
      this.#withRetry(this.#writePool, async (connection) => {
        const tx = new PostgresTx(connection, () => this.nowMs());
        const value = await runOrRollBack(tx, work);
        await tx.commit();
        return { tx, value };
      });
    const { tx, value } = await (turn === undefined ? workAndCommit() : this.#mutex.run(turn, workAndCommit));
    this.#onCommit?.(1);
    // Its own changes come back with everybody's, in their order; whoever made them must find them made.
    if (tx.hasPublished) await this.#waitForOwnChanges();
    tx.committed();
    return value;
  }

  async close(): Promise<void> {
    this.#changes.close();
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  /** Durable already: an answer must not fail because the news of it is late. */
  async #waitForOwnChanges(): Promise<void> {
    try {
      await this.#changes.waitForChanges();
    } catch {
      // The next request waits for the news itself.
    }
  }

  #read<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<Row[]> {
    return this.#withRetry(this.#readPool, async (connection) =>
      rowsOf<Row>(await send(connection, query, params)),
    );
  }

  /** Tries again what certainly did not happen: undone by a collision, or cut off before its commit. */
  async #withRetry<T>(pool: PostgresPool, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
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
        if (tries === TRIES_MAX)
          throw new StoreUnavailable('the database is not to be had', { cause: error });
      } finally {
        if (isLost) await connection.close();
        pool.release(connection);
      }
      await backOff(tries);
    }
  }
}

const asUnavailable = (error: unknown): unknown =>
  isTimeout(error) ? new StoreUnavailable('the database took too long', { cause: error }) : error;

const backOff = (tries: number): Promise<void> =>
  new Promise((resolve) => {
    // Jittered: two that were in each other's way must not meet again.
    setTimeout(resolve, Math.random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** tries));
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
