import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Env } from './servers.js';

/** One sale's data: a data directory, or a database on PostgreSQL. */
export interface Data {
  readonly env: Env;
  /** Reads; the columns of each row in the order they were asked for. */
  rows(sql: string): Promise<unknown[][]>;
  remove(): Promise<void>;
}

export interface Store {
  empty(): Promise<Data>;
  /** Everything again, for a case that uses things up. Nobody may be using the original. */
  copy(data: Data): Promise<Data>;
  /** To be called when a server may be measured on it: what the database would tidy up later is done now. */
  tidy(data: Data): Promise<void>;
}

const FILE = 'foyer.db';

/** Goes with the benchmark, also when its user ends it. */
const directories = new Set<string>();
process.once('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

export const embeddedStore: Store = {
  async empty() {
    const directory = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
    directories.add(directory);
    return {
      env: { FOYER_DATA_DIR: directory },
      rows(sql) {
        const database = new Database(join(directory, FILE), { readonly: true });
        try {
          const rows = database.prepare<[], unknown[]>(sql).raw().all();
          return Promise.resolve(rows);
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
  async copy(data) {
    const fresh = await this.empty();
    const fileOf = ({ env }: Data): string => join(env['FOYER_DATA_DIR'] ?? '', FILE);
    await copyFile(fileOf(data), fileOf(fresh), constants.COPYFILE_FICLONE);
    return fresh;
  },
  tidy: () => Promise.resolve(),
};

/** Databases of the benchmark's own on the server of the URL, which must let us create them. */
export function clusterStore(serverUrl: string): Store {
  function dataOf(name: string): Data {
    const url = new URL(serverUrl);
    url.pathname = name;
    return {
      env: { DATABASE_URL: url.href },
      rows: (sql) => ask(url.href, sql),
      async remove() {
        await ask(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      },
    };
  }
  const nameOf = ({ env }: Data): string => new URL(env['DATABASE_URL'] ?? '').pathname.slice(1);

  async function create(template: string): Promise<Data> {
    const name = `foyer_bench_${randomBytes(6).toString('hex')}`;
    await ask(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
    return dataOf(name);
  }
  return {
    empty: () => create('template0'),
    copy: (data) => create(nameOf(data)),
    async tidy(data) {
      await data.rows('VACUUM (ANALYZE)');
      await data.rows('CHECKPOINT');
    },
  };
}

const INT8: number = pg.types.builtins.INT8;

/** Numbers as numbers: none that is read here is beyond 2^53. */
const types = {
  getTypeParser: (oid: number): ((text: string) => unknown) => (oid === INT8 ? Number : (text) => text),
};

export async function ask(url: string, sql: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url, types });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' });
    return rows;
  } finally {
    await client.end();
  }
}
