import { SECOND_MS } from '../../kernel/time.js';
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
} from './port.js';
import { PostgresChanges } from './postgres-changes.js';
import type { PostgresConnection } from './postgres-connection.js';
import { isCollision, isConnectionLost, isPreparedElsewhere, isTimeout } from './postgres-errors.js';
import { PostgresPool } from './postgres-pool.js';
import { PostgresTx, rowsOf, send } from './postgres-tx.js';
import type { PostgresAddress } from './postgres-url.js';
import { StoreClock } from './store-clock.js';
import { Subscribers } from './subscribers.js';
import { Turns } from './turns.js';

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
  readonly isShared = true;
  readonly reader: Reader;
  readonly #writing: PostgresPool;
  readonly #reading: PostgresPool;
  readonly #following: PostgresPool;
  readonly #clock = new StoreClock();
  readonly #subscribers = new Subscribers();
  readonly #changes: PostgresChanges;
  readonly #turns = new Turns();
  readonly #onCommit: ((groupSize: number) => void) | undefined;

  constructor({ address, connectionsMax, onCommit }: PostgresOptions) {
    const reading = Math.max(1, Math.floor(connectionsMax * READING_SHARE));
    this.#reading = new PostgresPool(address, reading);
    this.#writing = new PostgresPool(address, Math.max(1, connectionsMax - reading - FOLLOWING));
    this.#following = new PostgresPool(address, FOLLOWING);
    this.#onCommit = onCommit;
    this.#changes = new PostgresChanges({
      pool: this.#following,
      subscribers: this.#subscribers,
      clock: this.#clock,
    });
    this.reader = {
      all: (query, params) => this.#read(query, params),
      get: async (query, params) => (await this.#read(query, params))[0],
    };
  }

  get #pools(): readonly PostgresPool[] {
    return [this.#writing, this.#reading, this.#following];
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

  onMissed(reread: () => Promise<void>): void {
    this.#changes.onMissed(reread);
  }

  caughtUp(): Promise<void> {
    return this.#changes.caughtUp();
  }

  async tidy(): Promise<void> {
    await this.#changes.forget();
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>, turn?: string): Promise<T> {
    const workAndCommit = (): Promise<{ tx: PostgresTx; value: T }> =>
      this.#persistently(this.#writing, async (connection) => {
        const tx = new PostgresTx(connection, () => this.nowMs());
        const value = await workOrUndo(tx, work);
        await tx.commit();
        return { tx, value };
      });
    const { tx, value } = await (turn === undefined
      ? workAndCommit()
      : this.#turns.take(turn, workAndCommit));
    this.#onCommit?.(1);
    // Its own changes come back with everybody's, in their order; whoever made them must find them made.
    if (tx.hasAnnounced) await this.#hearOf();
    tx.committed();
    return value;
  }

  async close(): Promise<void> {
    this.#changes.close();
    await Promise.all(this.#pools.map((pool) => pool.close()));
  }

  /** Durable already: an answer must not fail because the news of it is late. */
  async #hearOf(): Promise<void> {
    try {
      await this.#changes.caughtUp();
    } catch {
      // The next request waits for the news itself.
    }
  }

  #read<Params extends readonly SqlParam[], Row>(
    query: Statement<Params, Row>,
    params: Params,
  ): Promise<Row[]> {
    return this.#persistently(this.#reading, async (connection) =>
      rowsOf<Row>(await send(connection, query, params)),
    );
  }

  /** Tries again what certainly did not happen: undone by a collision, or cut off before its commit. */
  async #persistently<T>(
    pool: PostgresPool,
    work: (connection: PostgresConnection) => Promise<T>,
  ): Promise<T> {
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
        if (error instanceof OutcomeUnknown || !(isLost || isCollision(error))) throw asUnavailable(error);
        if (tries === TRIES_MAX)
          throw new StoreUnavailable('the database is not to be had', { cause: error });
      } finally {
        if (isLost) await connection.close();
        pool.release(connection);
      }
      await pause(tries);
    }
  }
}

const asUnavailable = (error: unknown): unknown =>
  isTimeout(error) ? new StoreUnavailable('the database took too long', { cause: error }) : error;

const pause = (tries: number): Promise<void> =>
  new Promise((resolve) => {
    // Jittered: two that were in each other's way must not meet again.
    setTimeout(resolve, Math.random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** tries));
  });

async function workOrUndo<T>(tx: PostgresTx, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await work(tx);
  } catch (error) {
    throw await tx.undo(error);
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
