import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startCluster } from '../support/cluster/cluster.js';
import { MIGRATION_NAMES } from '../support/migrations.js';
import { type PostgresServer, psql, startPostgres } from '../support/postgres/index.js';
import { type Ended, startInVain } from '../support/programs.js';
import { OPERATOR, SECRET } from '../support/server.js';

const PASSWORD = 'not-to-be-shown';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

const start = (databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  startInVain({
    PORT: '0',
    FOYER_SECRET: SECRET,
    FOYER_OPERATOR_EMAIL: OPERATOR.email,
    FOYER_OPERATOR_PASSWORD: OPERATOR.password,
    DATABASE_URL: databaseUrl,
    ...env,
  });

/** The process prints one line that says what is wrong, never the password, and exits with code 1. */
function expectStartError({ code, stdout, stderr }: Ended, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(`${stdout}${stderr}`).not.toContain(PASSWORD);
  expect(stdout).not.toContain('listening on');
  expect(code).toBe(1);
}

describe('processes that start concurrently on an empty database', () => {
  it('all start, run the migrations once and create one operator', async () => {
    const url = await postgres.createDatabase();
    const clusters = await Promise.all([startCluster(url), startCluster(url)]);
    onTestFinished(async () => {
      await Promise.all(clusters.map((cluster) => cluster.kill()));
    });
    const versions = MIGRATION_NAMES.length;
    expect(await psql(url, 'SELECT count(*), max(version) FROM migrations')).toBe(`${versions}|${versions}`);
    expect(await psql(url, `SELECT email, role, count(*) FROM users GROUP BY 1, 2`)).toBe(
      `${OPERATOR.email}|OPERATOR|1`,
    );
    expect(await psql(url, 'SELECT count(*) FROM wallets')).toBe('1');
    for (const { clients } of clusters) {
      for (const client of clients)
        expect((await client.post('/sessions', undefined, OPERATOR)).status).toBe(201);
    }
    for (const cluster of clusters) expect(cluster.output()).not.toMatch(/"level":[56]0/);
  });
});

describe('a process that cannot start on its database', () => {
  it('reports a schema of a newer Foyer and does not change it', async () => {
    const url = await postgres.createDatabase();
    const newer = MIGRATION_NAMES.length + 1;
    const cluster = await startCluster(url);
    await cluster.kill();
    await psql(
      url,
      `INSERT INTO migrations (version, name, checksum) VALUES (${newer}, 'of the future', '')`,
    );
    expectStartError(await start(url), new RegExp(`schema version ${newer}.*newer Foyer`));
    expect(await psql(url, 'SELECT count(*) FROM migrations')).toBe(String(newer));
  });

  it('reports a schema of a pre-release and an applied migration that was edited', async () => {
    const url = await postgres.createDatabase();
    await psql(url, 'CREATE TABLE schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL)');
    expectStartError(await start(url), /^This database was made by a pre-release of Foyer/);
    await psql(url, 'DROP TABLE schema_versions');
    await (await startCluster(url)).kill();
    await psql(url, `UPDATE migrations SET checksum = ''`);
    expectStartError(await start(url), /^Migration 0001_initial_schema was edited after it was applied/);
  });

  it('reports a host that refuses connections or does not exist', async () => {
    const withPassword = (host: string): string => `postgres://postgres:${PASSWORD}@${host}/foyer`;
    expectStartError(
      await start(withPassword('127.0.0.1:1')),
      /DATABASE_URL cannot be used.*ECONNREFUSED 127\.0\.0\.1:1/,
    );
    expectStartError(
      await start(withPassword('127.0.0.1:1,127.0.0.1:2')),
      /DATABASE_URL cannot be used.*ECONNREFUSED/,
    );
    expectStartError(
      await start(withPassword('nowhere.invalid')),
      /DATABASE_URL cannot be used.*nowhere\.invalid/,
    );
  });

  it('reports a wrong password, missing permissions and a missing database', async () => {
    const hba = join(postgres.directory, 'data', 'pg_hba.conf');
    const original = await readFile(hba, 'utf8');
    await psql(postgres.url(), `CREATE ROLE guest LOGIN PASSWORD 'right'`);
    await writeFile(hba, 'host all guest 127.0.0.1/32 scram-sha-256\n');
    await appendFile(hba, original);
    await psql(postgres.url(), 'SELECT pg_reload_conf()');
    const urlFor = (credentials: string, database = 'postgres'): string =>
      `postgres://${credentials}@127.0.0.1:${postgres.port}/${database}`;
    expectStartError(
      await start(urlFor(`guest:${PASSWORD}`)),
      /password authentication failed for user "guest"/,
    );
    expectStartError(await start(urlFor('guest')), /DATABASE_URL cannot be used/);
    expectStartError(await start(urlFor('guest:right')), /DATABASE_URL cannot be used: permission denied/);
    expectStartError(
      await start(urlFor(`postgres:${PASSWORD}`, 'nowhere')),
      /database "nowhere" does not exist/,
    );
  });

  it('reports that it needs a primary when the only server is read-only', async () => {
    const url = await postgres.createDatabase();
    await psql(
      url,
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    expectStartError(
      await start(`${url}?target_session_attrs=read-write`),
      /DATABASE_URL cannot be used.*standby/,
    );
  });

  it('reports wrong settings without printing their values', async () => {
    const wrong = [
      `mysql://root:${PASSWORD}@127.0.0.1/foyer`,
      `postgres://root:${PASSWORD}@127.0.0.1:99999/foyer`,
      `postgres://root:${PASSWORD}@127.0.0.1/foyer?prepare=maybe`,
    ];
    for (const url of wrong) {
      const { code, stdout, stderr } = await start(url);
      expect(stderr).toMatch(/^Foyer cannot start with these settings:\nDATABASE_URL [^\n]*\n$/);
      expect(`${stdout}${stderr}`).not.toContain(PASSWORD);
      expect(code).toBe(1);
    }
    const { code, stderr } = await start(postgres.url(), { FOYER_SECRET: '' });
    expect(stderr).toContain('FOYER_SECRET must be given with DATABASE_URL');
    expect(code).toBe(1);
  });
});
