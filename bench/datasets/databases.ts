import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Env } from '../foyer/server.js';

/** A database that a Foyer server can run on: a data directory with SQLite, or a PostgreSQL database. */
export interface BenchDatabase {
  /** The settings that make Foyer use this database. */
  readonly env: Env;
  /** Returns each row as an array of its columns. */
  query(sql: string): Promise<unknown[][]>;
  remove(): Promise<void>;
}

export interface DatabaseFactory {
  createEmpty(): Promise<BenchDatabase>;
  /** No server may be using the original. */
  copy(database: BenchDatabase): Promise<BenchDatabase>;
  /** Runs maintenance now that the database would otherwise run during a measurement. */
  vacuum(database: BenchDatabase): Promise<void>;
}

const FILE = 'foyer.db';

/** Removed on exit, also when the user interrupts the benchmark. */
const directories = new Set<string>();
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

export const sqliteDatabases: DatabaseFactory = {
  async createEmpty() {
    const directory = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
    directories.add(directory);
    return {
      env: { FOYER_DATA_DIR: directory },
      query(sql) {
        const database = new Database(join(directory, FILE), { readonly: true });
        try {
          return Promise.resolve(database.prepare<[], unknown[]>(sql).raw().all());
        } finally {
          database.close();
        }
      },
      async remove() {
        await rm(directory, { recursive: true, force: true });
        directories.delete(directory);
      },
    };
  },
  async copy(database) {
    const copy = await this.createEmpty();
    const fileOf = ({ env }: BenchDatabase): string => join(env['FOYER_DATA_DIR'] ?? '', FILE);
    await copyFile(fileOf(database), fileOf(copy), constants.COPYFILE_FICLONE);
    return copy;
  },
  vacuum: () => Promise.resolve(),
};

/** Creates databases on an existing PostgreSQL server. Its user needs the CREATEDB privilege. */
export function postgresDatabases(serverUrl: string): DatabaseFactory {
  const nameOf = ({ env }: BenchDatabase): string => new URL(env['DATABASE_URL'] ?? '').pathname.slice(1);

  async function create(template: string): Promise<BenchDatabase> {
    const name = `foyer_bench_${randomBytes(6).toString('hex')}`;
    await queryPostgres(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
    const url = new URL(serverUrl);
    url.pathname = name;
    return {
      env: { DATABASE_URL: url.href },
      query: (sql) => queryPostgres(url.href, sql),
      async remove() {
        await queryPostgres(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      },
    };
  }

  return {
    createEmpty: () => create('template0'),
    copy: (database) => create(nameOf(database)),
    async vacuum(database) {
      await database.query('VACUUM (ANALYZE)');
      await database.query('CHECKPOINT');
    },
  };
}

/**
 * The same databases with rate limits on. Every request takes its tokens, but no bucket gets empty: all fans of the benchmark
 * share one address and send more than people do.
 */
export function withRateLimits(databases: DatabaseFactory): DatabaseFactory {
  const add = (database: BenchDatabase): BenchDatabase => ({
    ...database,
    env: { ...database.env, ...WIDE_LIMITS },
  });
  return {
    createEmpty: async () => add(await databases.createEmpty()),
    copy: async (database) => add(await databases.copy(database)),
    vacuum: (database) => databases.vacuum(database),
  };
}

const LIMITS = [
  ...[
    'SIGN_UP_CLIENT',
    'SIGN_IN_CLIENT',
    'SIGN_IN_ACCOUNT_CLIENT',
    'SIGN_IN_ACCOUNT',
    'JOIN_CLIENT',
    'JOIN_ACCOUNT',
    'LEAVE_ACCOUNT',
  ],
  ...['SEATS_ACCOUNT', 'HOLD_CLIENT', 'HOLD_ACCOUNT', 'RELEASE_ACCOUNT', 'CHARGE_ACCOUNT', 'PAY_ACCOUNT'],
];
const WIDE_LIMITS: Env = {
  FOYER_RATE_LIMITS: 'on',
  ...Object.fromEntries(LIMITS.map((name) => [`FOYER_LIMIT_${name}`, '1000000/1000000'])),
};

const INT8: number = pg.types.builtins.INT8;

/** Reads 8-byte integers as numbers. All values that the benchmark reads are below 2^53. */
const types = {
  getTypeParser: (oid: number): ((text: string) => unknown) => (oid === INT8 ? Number : (text) => text),
};

export async function queryPostgres(url: string, sql: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows;
  } finally {
    await client.end();
  }
}
