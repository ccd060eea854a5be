import { SECOND_MS } from '../../../kernel/time.js';
import { StoreUnavailable } from '../port.js';
import { PostgresConnection } from './connection.js';
import type { PostgresAddress } from './url.js';

/** How long somebody waits for a connection, also for a server that is being replaced by another. */
const WAIT_MAX_MS = 5 * SECOND_MS;
const RECONNECT_MS = 100;

interface Waiting {
  readonly give: (connection: PostgresConnection) => void;
  readonly refuse: (error: StoreUnavailable) => void;
}

/** A bounded number of connections, each lent to one at a time; who has to wait too long is told so. */
export class PostgresPool {
  readonly #address: PostgresAddress;
  readonly #connectionsMax: number;
  #prepare: boolean;
  #idle: PostgresConnection[] = [];
  readonly #waiting = new Set<Waiting>();
  /** Open or being opened. */
  #count = 0;
  #isClosed = false;
  /** Why no connection could be opened the last time: told to whoever waited in vain. */
  #lastFailure: unknown;

  constructor(address: PostgresAddress, connectionsMax: number) {
    this.#address = address;
    this.#connectionsMax = connectionsMax;
    this.#prepare = address.prepare;
  }

  acquire(): Promise<PostgresConnection> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('the database is closed'));
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.isLost) return Promise.resolve(idle);
      this.#count -= 1;
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(
          new StoreUnavailable('no database connection was to be had in time', { cause: this.#lastFailure }),
        );
      }, WAIT_MAX_MS);
      const waiting: Waiting = {
        give: (connection) => {
          clearTimeout(timer);
          resolve(connection);
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiting.add(waiting);
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
    this.#lend(connection);
  }

  /** A pooler stands in between: from now on nothing is prepared by name. */
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
    for (const waiting of this.#waiting) waiting.refuse(new StoreUnavailable('the database is closed'));
    this.#waiting.clear();
    await Promise.all(this.#idle.splice(0).map((connection) => connection.close()));
  }

  #lend(connection: PostgresConnection): void {
    const [next] = this.#waiting;
    if (!next) {
      this.#idle.push(connection);
      return;
    }
    this.#waiting.delete(next);
    next.give(connection);
  }

  #openMore(): void {
    if (this.#isClosed || this.#waiting.size === 0 || this.#count >= this.#connectionsMax) return;
    this.#count += 1;
    PostgresConnection.open(this.#address, this.#prepare).then(
      (connection) => {
        this.#lastFailure = undefined;
        this.release(connection);
      },
      (error: unknown) => {
        this.#failed(error);
      },
    );
  }

  /** Tried again for as long as somebody waits: a standby may be about to take over. */
  #failed(error: unknown): void {
    this.#lastFailure = error;
    setTimeout(() => {
      this.#count -= 1;
      this.#openMore();
    }, RECONNECT_MS);
  }
}
