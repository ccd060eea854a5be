import { SECOND_MS } from '../../../kernel/time.js';
import { StoreUnavailable } from '../port.js';
import { PostgresConnection } from './connection.js';
import type { PostgresAddress } from './url.js';

/** How long a caller waits for a connection. A failover that takes longer makes requests fail. */
const ACQUIRE_MAX_SECONDS = 5;
const RECONNECT_MS = 100;

interface Waiter {
  readonly resolve: (connection: PostgresConnection) => void;
  readonly reject: (error: StoreUnavailable) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * A bounded pool of connections, opened on demand. Waiters are served in order and fail after 5 s. While there are
 * waiters, it keeps trying to open a connection, because a standby may be about to take over.
 */
export class PostgresPool {
  readonly #address: PostgresAddress;
  readonly #connectionsMax: number;
  #prepare: boolean;
  #idle: PostgresConnection[] = [];
  readonly #waiters = new Set<Waiter>();
  /** Open or being opened. */
  #count = 0;
  #isClosed = false;
  /** Why the last connection could not be opened; the cause reported to waiters that time out. */
  #lastFailure: unknown;

  constructor(address: PostgresAddress, connectionsMax: number) {
    this.#address = address;
    this.#connectionsMax = connectionsMax;
    this.#prepare = address.prepare;
  }

  acquire(): Promise<PostgresConnection> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('database is closed'));
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.isLost) return Promise.resolve(idle);
      this.#count -= 1;
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        const message = `no database connection available within ${ACQUIRE_MAX_SECONDS} s`;
        reject(new StoreUnavailable(message, { cause: this.#lastFailure }));
      }, ACQUIRE_MAX_SECONDS * SECOND_MS);
      const waiter = { resolve, reject, timer };
      this.#waiters.add(waiter);
      this.#openMore();
    });
  }

  release(connection: PostgresConnection): void {
    if (connection.isLost || this.#isClosed) {
      this.#count -= 1;
      void connection.close();
      this.#openMore();
      return;
    }
    this.#handOver(connection);
  }

  /** A pooler between this process and the server does not support prepared statements: use none from now on. */
  stopPreparing(): void {
    if (!this.#prepare) return;
    this.#prepare = false;
    for (const connection of this.#idle.splice(0)) {
      this.#count -= 1;
      void connection.close();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { timer, reject } of this.#waiters) {
      clearTimeout(timer);
      reject(new StoreUnavailable('database is closed'));
    }
    this.#waiters.clear();
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  #handOver(connection: PostgresConnection): void {
    const [next] = this.#waiters;
    if (!next) {
      this.#idle.push(connection);
      return;
    }
    this.#waiters.delete(next);
    clearTimeout(next.timer);
    next.resolve(connection);
  }

  #openMore(): void {
    if (this.#isClosed || this.#waiters.size === 0 || this.#count >= this.#connectionsMax) return;
    this.#count += 1;
    PostgresConnection.open(this.#address, this.#prepare).then(
      (connection) => {
        this.#lastFailure = undefined;
        this.release(connection);
      },
      (error: unknown) => {
        this.#retryLater(error);
      },
    );
  }

  #retryLater(error: unknown): void {
    this.#lastFailure = error;
    setTimeout(() => {
      this.#count -= 1;
      this.#openMore();
    }, RECONNECT_MS);
  }
}
