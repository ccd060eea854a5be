import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startCluster } from '../support/cluster/cluster.js';
import { MIGRATION_NAMES } from '../support/migrations.js';
import { type PostgresServer, psql, startPostgres } from '../support/postgres/index.js';
import { type Ended, runFailingStart } from '../support/programs.js';
import { OPERATOR, SECRET } from '../support/server.js';

const PASSWORD = 'not-to-be-shown';

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

const start = (databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  runFailingStart({
    PORT: '0',
    FOYER_SECRET: SECRET,
    FOYER_OPERATOR_EMAIL: OPERATOR.email,
    FOYER_OPERATOR_PASSWORD: OPERATOR.password,
    DATABASE_URL: databaseUrl,
    ...env,
  });

/** One sentence for people, a code for scripts, nothing for thieves. */
function expectFault({ code, stdout, stderr }: Ended, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(`${stdout}${stderr}`).not.toContain(PASSWORD);
  expect(stdout).not.toContain('listening on');
  expect(code).toBe(1);
}

describe('processes that start together on an empty database', () => {
  it('all start, migrate it once, and create one operator', async () => {
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
  it('says that the schema is of a newer Foyer, and leaves it alone', async () => {
    const url = await postgres.createDatabase();
    const newer = MIGRATION_NAMES.length + 1;
    const cluster = await startCluster(url);
    await cluster.kill();
    await psql(
      url,
      `INSERT INTO migrations (version, name, checksum) VALUES (${newer}, 'of the future', '')`,
    );
    expectFault(await start(url), new RegExp(`schema version ${newer}.*newer Foyer`));
    expect(await psql(url, 'SELECT count(*) FROM migrations')).toBe(String(newer));
  });

  it('says that its schema was made by a pre-release, or by a migration that was edited since', async () => {
    const url = await postgres.createDatabase();
    await psql(url, 'CREATE TABLE schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL)');
    expectFault(await start(url), /^This database was made by a pre-release of Foyer/);
    await psql(url, 'DROP TABLE schema_versions');
    await (await startCluster(url)).kill();
    await psql(url, `UPDATE migrations SET checksum = ''`);
    expectFault(await start(url), /^Migration 0001_initial_schema was edited after it was applied/);
  });

  it('says that nobody is there', async () => {
    const withPassword = (host: string): string => `postgres://postgres:${PASSWORD}@${host}/foyer`;
    expectFault(
      await start(withPassword('127.0.0.1:1')),
      /DATABASE_URL cannot be used.*ECONNREFUSED 127\.0\.0\.1:1/,
    );
    expectFault(
      await start(withPassword('127.0.0.1:1,127.0.0.1:2')),
      /DATABASE_URL cannot be used.*ECONNREFUSED/,
    );
    expectFault(
      await start(withPassword('nowhere.invalid')),
      /DATABASE_URL cannot be used.*nowhere\.invalid/,
    );
  });

  it('says that the database or the right to use it is missing', async () => {
    const hba = join(postgres.directory, 'data', 'pg_hba.conf');
    const trusting = await readFile(hba, 'utf8');
    await psql(postgres.url(), `CREATE ROLE guest LOGIN PASSWORD 'right'`);
    await writeFile(hba, 'host all guest 127.0.0.1/32 scram-sha-256\n');
    await appendFile(hba, trusting);
    await psql(postgres.url(), 'SELECT pg_reload_conf()');
    const as = (credentials: string, database = 'postgres'): string =>
      `postgres://${credentials}@127.0.0.1:${postgres.port}/${database}`;
    expectFault(await start(as(`guest:${PASSWORD}`)), /password authentication failed for user "guest"/);
    expectFault(await start(as('guest')), /DATABASE_URL cannot be used/);
    expectFault(await start(as('guest:right')), /DATABASE_URL cannot be used: permission denied/);
    expectFault(await start(as(`postgres:${PASSWORD}`, 'nowhere')), /database "nowhere" does not exist/);
  });

  it('says that it needs the primary when there is only a server that takes no writes', async () => {
    const url = await postgres.createDatabase();
    await psql(
      url,
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`,
    );
    expectFault(
      await start(`${url}?target_session_attrs=read-write`),
      /DATABASE_URL cannot be used.*standby/,
    );
  });

  it('says that its settings are wrong, and does not repeat them', async () => {
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
    expect(stderr).toContain('FOYER_SECRET must be set with DATABASE_URL');
    expect(code).toBe(1);
  });
});
