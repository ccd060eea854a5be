import { Socket } from 'node:net';
import pg from 'pg';
import { guard } from '../../../kernel/guard.js';
import { SECOND_MS } from '../../../kernel/time.js';
import {
  type QueryResult,
  type PendingQuery,
  Pipeline,
  type PostgresValue,
  type PreparedStatements,
  toWire,
} from './pipeline.js';
import { ConnectionLost, Skipped } from './errors.js';
import type { PostgresAddress } from './url.js';

const CONNECT_MAX_MS = 3 * SECOND_MS;
/** Longer than the server's own timeouts: it only expires when the server is unreachable. */
const RESPONSE_MAX_MS = 15 * SECOND_MS;
const STATEMENT_MAX_MS = 10 * SECOND_MS;
const LOCK_MAX_MS = 5 * SECOND_MS;
/** A process that freezes inside a transaction must not block the queue for the other processes. */
const IDLE_IN_TRANSACTION_MAX_MS = 3 * SECOND_MS;
/**
 * Timeouts and planner settings. Every statement finds its rows by an index and reuses its generic plan until plans are
 * discarded. By default PostgreSQL plans the claim of a seat for each execution, which takes twice as long as the
 * claim, and keeps other plans although the tables have grown from empty to a million rows:
 * docs/adr/0015-stable-query-plans.md.
 */
const SETTINGS = guard('postgres-durable-answer', {
  statement_timeout: STATEMENT_MAX_MS,
  lock_timeout: LOCK_MAX_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MAX_MS,
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
});
const PLAN_AGE_MAX_MS = 5 * SECOND_MS;

export const setSettings = (scope: 'LOCAL' | 'SESSION'): string => {
  const settings = Object.entries(SETTINGS).map(
    ([name, value]) => `set_config('${name}', '${value}', ${String(scope === 'LOCAL')})`,
  );
  return `SELECT ${settings.join(', ')}`;
};

/**
 * One connection to one server. Statements issued in the same tick form one pipeline and cost one round trip;
 * statements issued while it is in flight form the next one. Once lost, a connection stays lost and must not be reused.
 */
export class PostgresConnection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #prepare: boolean;
  readonly #responseMaxMs: number;
  readonly #prepared: PreparedStatements = new Map();
  #pending: PendingQuery[] = [];
  #isSendScheduled = false;
  #isInFlight = false;
  #deadline: NodeJS.Timeout | undefined;
  #isLost = false;
  #plannedAtMs = performance.now();

  private constructor(client: pg.Client, socket: Socket, prepare: boolean, responseMaxMs: number) {
    this.#client = client;
    this.#socket = socket;
    this.#prepare = prepare;
    this.#responseMaxMs = responseMaxMs;
    const onLost = (): void => {
      this.#isLost = true;
    };
    // Without a listener, an error on an idle connection would end the process.
    client.on('error', onLost).on('end', onLost);
  }

  /** Tries the hosts in order and returns a connection to the first usable one. */
  static async open(
    address: PostgresAddress,
    prepare: boolean,
    responseMaxMs = RESPONSE_MAX_MS,
  ): Promise<PostgresConnection> {
    let failure: unknown;
    for (const host of address.hosts) {
      try {
        return await openOn(
          address,
          host,
          (client, socket) => new PostgresConnection(client, socket, prepare, responseMaxMs),
        );
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  begin(): Promise<QueryResult> {
    if (this.#prepare) return this.command('BEGIN');
    // Behind a pooler, session settings are not reliable: set them for each transaction.
    return Promise.all([this.command('BEGIN'), this.command(setSettings('LOCAL'))]).then(
      ([result]) => result,
    );
  }

  /** Runs one statement without parameters. */
  command(text: string): Promise<QueryResult> {
    return this.#enqueue(this.#prepare ? text : '', text, []);
  }

  query(name: string, text: string, values: readonly PostgresValue[]): Promise<QueryResult> {
    if (this.#prepare) this.#discardPlansWhenDue();
    return this.#enqueue(this.#prepare ? name : '', text, values);
  }

  /** Runs any number of statements in one text, without results. */
  async script(text: string): Promise<void> {
    this.#startResponseTimer();
    try {
      await this.#client.query(text);
    } catch (error) {
      throw this.#toConnectionError(error);
    } finally {
      clearTimeout(this.#deadline);
    }
  }

  async configureSession(): Promise<void> {
    if (this.#prepare) await this.#enqueue('', setSettings('SESSION'), []);
  }

  async close(): Promise<void> {
    this.#isLost = true;
    await this.#client.end().catch(() => undefined);
  }

  #enqueue(name: string, text: string, values: readonly PostgresValue[]): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      this.#pending.push({
        name,
        text,
        values: values.map(toWire),
        resolve,
        reject: (error) => {
          reject(this.#toConnectionError(error));
        },
      });
      this.#scheduleSend();
    });
  }

  /** Deferred to the end of the tick, so that statements issued in one tick share a pipeline. */
  #scheduleSend(): void {
    if (this.#isSendScheduled || this.#isInFlight) return;
    this.#isSendScheduled = true;
    process.nextTick(() => {
      this.#isSendScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    const queries = this.#pending;
    this.#pending = [];
    this.#isInFlight = true;
    this.#startResponseTimer();
    const submit = (query: pg.Submittable): void => {
      this.#client.query(query);
    };
    const onEnd = (): void => {
      clearTimeout(this.#deadline);
      this.#isInFlight = false;
      if (this.#pending.length > 0) this.#scheduleSend();
    };
    submit(new Pipeline({ queries, prepared: this.#prepared, onEnd, submitNext: submit }));
  }

  #startResponseTimer(): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#socket.destroy(), this.#responseMaxMs);
  }

  #discardPlansWhenDue(): void {
    const nowMs = performance.now();
    if (nowMs - this.#plannedAtMs < PLAN_AGE_MAX_MS) return;
    this.#plannedAtMs = nowMs;
    // Not awaited: using an old plan a little longer is harmless.
    this.command('DISCARD PLANS').catch(() => undefined);
  }

  #toConnectionError(error: unknown): Error {
    if (error instanceof pg.DatabaseError || error instanceof Skipped) return error;
    this.#isLost = true;
    return new ConnectionLost('database connection lost', { cause: error });
  }
}

async function openOn(
  address: PostgresAddress,
  { host, port }: PostgresAddress['hosts'][number],
  wrap: (client: pg.Client, socket: Socket) => PostgresConnection,
): Promise<PostgresConnection> {
  const { user, password, database, ssl, needsPrimary } = address;
  const socket = new Socket();
  const client = new pg.Client({
    stream: () => socket,
    host,
    port,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(ssl !== 'off' && { ssl: { rejectUnauthorized: ssl === 'verified' } }),
    connectionTimeoutMillis: CONNECT_MAX_MS,
    keepAlive: true,
  });
  const connection = wrap(client, socket);
  try {
    await client.connect();
    if (needsPrimary && (await isStandby(connection))) throw new Error('server is a standby');
    await connection.configureSession();
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function isStandby(connection: PostgresConnection): Promise<boolean> {
  const { rows } = await connection.command(
    `SELECT 1 WHERE pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'`,
  );
  return rows.length > 0;
}
