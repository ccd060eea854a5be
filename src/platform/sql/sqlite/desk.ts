import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createSemaphore } from '../../../kernel/semaphore.js';
import { packagePath } from '../../runtime/index.js';
import { DESK_WAITING_MAX, type Reader, type SqlParams, type Statement, StoreUnavailable } from '../port.js';
import { type PositionalStatement, sqliteDialect, type SqliteValue, toPositional } from './dialect.js';

export interface DeskQuery {
  readonly text: string;
  readonly values: readonly SqliteValue[];
}

export type DeskReply = { readonly rows: unknown[] } | { readonly error: string };

interface Waiter {
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: Error) => void;
}

/** Next to this file, or where the build has put the bundle. */
function workerFile(): string {
  const neighbour = fileURLToPath(new URL('./desk-worker.js', import.meta.url));
  return existsSync(neighbour) ? neighbour : packagePath('dist', 'desk-worker.js');
}

/**
 * Runs long queries on a thread of its own: SQLite is synchronous, and on the main thread a long query would stop every
 * request. The thread starts with the first query. If it dies, the query fails and the next one starts another thread.
 */
export class Desk implements Reader {
  readonly #file: string;
  readonly #statements = new Map<object, PositionalStatement>();
  readonly #oneAtATime = createSemaphore({ concurrentMax: 1, waitingMax: DESK_WAITING_MAX });
  #worker: Worker | undefined;
  #waiter: Waiter | undefined;
  #isClosed = false;

  constructor(file: string) {
    this.#file = file;
  }

  async all<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<Row[]> {
    const { text, bind } = this.#toPositional(query);
    const rows = await this.#oneAtATime(() => this.#ask({ text, values: bind(params) }));
    return rows as Row[];
  }

  async get<P extends SqlParams, Row>(query: Statement<P, Row>, params: P): Promise<Row | undefined> {
    return (await this.all(query, params))[0];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #toPositional<P extends SqlParams, Row>(query: Statement<P, Row>): PositionalStatement {
    const cached = this.#statements.get(query);
    if (cached) return cached;
    const positional = toPositional(query.text(sqliteDialect));
    this.#statements.set(query, positional);
    return positional;
  }

  #ask(query: DeskQuery): Promise<unknown[]> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable('database is closed'));
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject };
      this.#worker ??= this.#start();
      this.#worker.postMessage(query);
    });
  }

  #start(): Worker {
    const worker = new Worker(workerFile(), { workerData: { file: this.#file } });
    // An idle thread must not keep a command-line program running.
    worker.unref();
    worker.on('message', (reply: DeskReply) => {
      if ('rows' in reply) this.#takeWaiter()?.resolve(reply.rows);
      else this.#takeWaiter()?.reject(new Error(`desk query failed: ${reply.error}`));
    });
    worker.on('error', (error) => {
      this.#takeWaiter()?.reject(new StoreUnavailable('desk thread failed', { cause: error }));
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#takeWaiter()?.reject(new StoreUnavailable('desk thread stopped'));
    });
    return worker;
  }

  #takeWaiter(): Waiter | undefined {
    const waiter = this.#waiter;
    this.#waiter = undefined;
    return waiter;
  }
}
