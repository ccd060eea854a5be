import { Socket } from 'node:net';
import pg from 'pg';
import { SECOND_MS } from '../../kernel/time.js';
import { ConnectionLost } from './postgres-errors.js';
import type { PostgresAddress } from './postgres-url.js';

const CONNECT_MAX_MS = 3 * SECOND_MS;
/** Longer than the server's own limits: only a server that has vanished is given up on from here. */
const ANSWER_MAX_MS = 15 * SECOND_MS;
const STATEMENT_MAX_MS = 10 * SECOND_MS;
const LOCK_MAX_MS = 5 * SECOND_MS;
/** A process that froze in the middle of a transaction must not keep the others from the line. */
const SILENCE_MAX_MS = 3 * SECOND_MS;
/**
 * Besides the limits: every statement finds its rows by an index, and keeps its plan for a while. Left to itself
 * PostgreSQL plans the claim of a seat anew each time, which takes twice as long as the claim, and keeps other plans
 * though the tables have grown from nothing to a million rows: docs/adr/0015-plans.md.
 */
const SETTINGS = [
  `statement_timeout = ${STATEMENT_MAX_MS}`,
  `lock_timeout = ${LOCK_MAX_MS}`,
  `idle_in_transaction_session_timeout = ${SILENCE_MAX_MS}`,
  'plan_cache_mode = force_generic_plan',
  'enable_seqscan = off',
  'jit = off',
];
const PLANS_MAX_MS = 5 * SECOND_MS;

/** Whole numbers are ours to the full 53 bits; sums of them come as `numeric`. */
const { INT8, NUMERIC } = pg.types.builtins;
// The driver types its parsers loosely; every other type here is text.
const parserOf = pg.types.getTypeParser as (
  oid: number,
  format?: 'text' | 'binary',
) => (text: string) => unknown;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 || oid === NUMERIC ? Number : parserOf(oid, format)),
};

export const setAll = (scope: 'LOCAL' | 'SESSION'): string =>
  SETTINGS.map((setting) => `SET ${scope} ${setting}`).join('; ');

export interface Answered {
  readonly rows: unknown[];
  readonly rowCount: number | null;
  readonly command: string;
}

/**
 * One connection to a server. Statements are sent at once, without waiting for the answers of those before them, so that
 * what need not wait costs no round trip.
 */
export class PostgresConnection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #prepare: boolean;
  #isGathering = false;
  #isLost = false;
  #plannedAtMs = performance.now();

  private constructor(client: pg.Client, socket: Socket, prepare: boolean) {
    this.#client = client;
    this.#socket = socket;
    this.#prepare = prepare;
    // Without a listener an idle connection that is cut would end the process.
    client.on('error', () => {
      this.#isLost = true;
    });
    client.on('end', () => {
      this.#isLost = true;
    });
  }

  /** Tries the hosts in turn and takes the first that answers and will do. */
  static async open(
    address: PostgresAddress,
    prepare: boolean,
    answerMaxMs = ANSWER_MAX_MS,
  ): Promise<PostgresConnection> {
    let failure: unknown;
    for (const host of address.hosts) {
      try {
        return await openOn(
          address,
          host,
          answerMaxMs,
          (client, socket) => new PostgresConnection(client, socket, prepare),
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

  begin(): Promise<Answered> {
    // Behind a pooler a session is not ours to set up: they are said again for each transaction.
    return this.command(this.#prepare ? 'BEGIN' : `BEGIN; ${setAll('LOCAL')}`);
  }

  /** Text of our own without parameters. */
  async command(text: string): Promise<Answered> {
    this.#gather();
    return this.#noticing(this.#client.query(text));
  }

  async query(name: string, text: string, values: unknown[]): Promise<Answered> {
    this.#gather();
    if (this.#prepare) this.#planNowAndThen();
    return this.#noticing(this.#client.query(this.#prepare ? { name, text, values } : { text, values }));
  }

  async setUp(): Promise<void> {
    if (this.#prepare) await this.command(setAll('SESSION'));
  }

  async close(): Promise<void> {
    this.#isLost = true;
    await this.#client.end().catch(() => undefined);
  }

  /** What is sent in one go leaves in one piece: a write to a socket costs more than the statement in it. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      this.#socket.uncork();
    });
  }

  #planNowAndThen(): void {
    const nowMs = performance.now();
    if (nowMs - this.#plannedAtMs < PLANS_MAX_MS) return;
    this.#plannedAtMs = nowMs;
    // Not waited for: a plan that is kept a little longer does no harm.
    this.#client.query('DISCARD PLANS').catch(() => undefined);
  }

  async #noticing<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      // A type error is ours, not the network's: a parameter that cannot be written.
      if (error instanceof pg.DatabaseError || error instanceof TypeError) throw error;
      this.#isLost = true;
      throw new ConnectionLost('the connection to the database broke', { cause: error });
    }
  }
}

async function openOn(
  address: PostgresAddress,
  { host, port }: PostgresAddress['hosts'][number],
  answerMaxMs: number,
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
    query_timeout: answerMaxMs,
    keepAlive: true,
    pipeline: true,
    types,
  });
  const connection = wrap(client, socket);
  try {
    await client.connect();
    if (needsPrimary && (await isStandby(connection))) throw new Error('this server is a standby');
    await connection.setUp();
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
