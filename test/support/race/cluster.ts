import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type Client, createClient } from '../client.js';
import { postgres, type TestDatabase } from '../databases.js';
import { forgeAccess } from '../forge.js';
import { type Fan, signInOperator } from '../sale.js';
import { type StartedServer, startServer } from '../server.js';
import { copyWithoutGuards, type SabotagedCopy } from '../sabotage/copy.js';
import type { Sabotage } from '../sabotage/sabotage.js';

/** Three processes on one database that no other test uses. Requests go to the processes round-robin. */
export interface Cluster {
  readonly client: Client;
  /** Requests go to one process, so that concurrent ones share its batches. */
  readonly firstProcess: Client;
  readonly operator: string;
  /** Of the processes. */
  readonly urls: readonly string[];
  /** Queries the database directly, not through Foyer. */
  query<Row extends object>(text: string, params: unknown[]): Promise<Row[]>;
  /** Locks rows in an open transaction. Returns a function that releases them. */
  lockRows(text: string, params: unknown[]): Promise<() => Promise<void>>;
  /** Inserts customers directly into the database, because signing up hundreds of them would spend its time on hashing. */
  createFans(count: number): Promise<Fan[]>;
}

interface Running {
  readonly client: Client;
  readonly firstProcess: Client;
  readonly operator: string;
  readonly urls: readonly string[];
  readonly database: pg.Pool;
}

/** Enough that the same process seldom serves two competing requests. */
const PROCESSES = 3;

const INSERT_FANS = `WITH fans AS (
    INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
    SELECT id, id || '@fans.example', id || '@fans.example', '팬', 'CUSTOMER', 'none', 0
    FROM unnest(CAST($1 AS TEXT[])) AS id RETURNING id)
  INSERT INTO wallets (user_id, balance, entry_count) SELECT id, 0, 0 FROM fans`;

/** Starts servers for a whole describe block: Foyer as built, or a copy of it with weakened guards. */
export function useCluster(
  sabotage?: Sabotage,
  settings: () => Readonly<Record<string, string>> = () => ({}),
): Cluster {
  const servers: StartedServer[] = [];
  let testDatabase: TestDatabase | undefined;
  let copy: SabotagedCopy | undefined;
  let running: Running | undefined;

  const started = (): Running => {
    if (!running) throw new Error('the servers have not started yet');
    return running;
  };

  beforeAll(async () => {
    testDatabase = await postgres.create();
    const env = { ...testDatabase.env, ...settings() };
    copy = sabotage && (await copyWithoutGuards(sabotage.guards));
    const start = async (): Promise<void> => void servers.push(await (copy?.start ?? startServer)(env));
    await Promise.all(Array.from({ length: PROCESSES }, start));
    const urls = servers.map(({ url }) => url);
    const client = createClient(...urls);
    const database = new pg.Pool({ connectionString: env['DATABASE_URL'], max: 8 });
    const firstProcess = createClient(...urls.slice(0, 1));
    running = { client, firstProcess, urls, database, operator: await signInOperator(client) };
    if (sabotage?.sql !== undefined) await database.query(sabotage.sql);
  });

  afterAll(async () => {
    await running?.database.end();
    await Promise.all(servers.map((server) => server.stop()));
    await testDatabase?.remove();
    await copy?.remove();
  });

  return {
    get client() {
      return started().client;
    },
    get firstProcess() {
      return started().firstProcess;
    },
    get operator() {
      return started().operator;
    },
    get urls() {
      return started().urls;
    },
    query: async <Row extends object>(text: string, params: unknown[]) =>
      (await started().database.query<Row>(text, params)).rows,
    async lockRows(text, params) {
      const connection = await started().database.connect();
      await connection.query('BEGIN');
      await connection.query(text, params);
      return async () => {
        await connection.query('COMMIT');
        connection.release();
      };
    },
    async createFans(count) {
      const ids = Array.from({ length: count }, () => randomUUID());
      await started().database.query(INSERT_FANS, [ids]);
      return ids.map((id) => ({ id, email: `${id}@fans.example`, accessToken: forgeAccess(id) }));
    },
  };
}
