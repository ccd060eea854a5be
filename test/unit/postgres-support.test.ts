import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  findBinaries,
  type PostgresServer,
  psql,
  type StandbyServer,
  startPgBouncer,
  startPostgres,
  startStandby,
} from '../support/postgres/index.js';

const INSTALL_MAX_MS = 300_000;

describe('a private PostgreSQL server', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres();
  }, INSTALL_MAX_MS);

  afterAll(() => server.stop());

  const newDatabase = async (): Promise<string> => new URL(await server.createDatabase()).pathname.slice(1);

  it('is installed with all programs that the tests use', async () => {
    expect(existsSync(join(await findBinaries(), 'pgbench'))).toBe(true);
  });

  it('gives each test its own empty database', async () => {
    const [one, other] = [await newDatabase(), await newDatabase()];
    await server.psql(one, 'CREATE TABLE seat (id int, holder text)');
    await server.psql(one, "INSERT INTO seat VALUES (1, '지민'), (2, NULL)");
    expect(await server.psql(one, 'SELECT * FROM seat ORDER BY id')).toBe('1|지민\n2|');
    expect(await server.psql(other, "SELECT to_regclass('seat') IS NULL")).toBe('t');
  });

  it('reports the failed statement and runs none after it', async () => {
    const database = await newDatabase();
    await expect(server.psql(database, 'SELECT 1/0; CREATE TABLE late (id int)')).rejects.toThrow(
      /division by zero[^]*the log of PostgreSQL says/,
    );
    expect(await server.psql(database, "SELECT to_regclass('late') IS NULL")).toBe('t');
  });

  it('keeps committed data when it is killed, and restarts at the same address', async () => {
    const database = await newDatabase();
    await server.psql(database, 'CREATE TABLE seat AS SELECT 7 AS id');
    const address = server.url(database);
    await server.kill();
    await expect(server.psql(database, 'SELECT 1')).rejects.toThrow(/refused/);
    await server.restart();
    expect(server.url(database)).toBe(address);
    expect(await server.psql(database, 'SELECT id FROM seat')).toBe('7');
    await server.restart('immediate');
    expect(await server.psql(database, 'SELECT id FROM seat')).toBe('7');
  });

  it('terminates other sessions', async () => {
    const sleeping = expect(server.psql('postgres', 'SELECT pg_sleep(30)')).rejects.toThrow(/terminating/);
    await expect.poll(() => server.terminateBackends()).toBe(1);
    await sleeping;
  });

  const throughThePooler = 'can be used through PgBouncer, which shares one session between clients';
  it(throughThePooler, { timeout: INSTALL_MAX_MS }, async () => {
    const pooler = await startPgBouncer(await server.createDatabase());
    onTestFinished(() => pooler.stop());
    expect(new URL(pooler.url).port).not.toBe(String(server.port));
    const session = await psql(pooler.url, 'SELECT pg_backend_pid()');
    expect(await psql(pooler.url, 'SELECT pg_backend_pid()')).toBe(session);
  });

  it('removes its files when it stops', async () => {
    const other = await startPostgres();
    await other.kill();
    await other.stop();
    expect(existsSync(other.directory)).toBe(false);
    await expect(psql(other.url(), 'SELECT 1')).rejects.toThrow(/refused/);
  });
});

describe('a synchronous standby', () => {
  let primary: PostgresServer;
  let standby: StandbyServer;

  beforeAll(async () => {
    primary = await startPostgres();
    standby = await startStandby(primary);
    await standby.makeSynchronous();
    await primary.psql('postgres', 'CREATE TABLE seat (id int)');
  });

  afterAll(async () => {
    await standby.stop();
    await primary.stop();
  });

  it('delays a commit until it has received it', async () => {
    await standby.kill();
    let isAcknowledged = false;
    const writing = primary.psql('postgres', 'INSERT INTO seat VALUES (1)').then(() => {
      isAcknowledged = true;
    });
    const waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    await expect.poll(() => primary.psql('postgres', waiting)).toBe('1');
    expect(isAcknowledged).toBe(false);
    await standby.restart();
    await writing;
  });

  it('has every acknowledged row when it replaces a killed primary', async () => {
    await primary.psql('postgres', 'INSERT INTO seat VALUES (2)');
    await primary.kill();
    await standby.promote();
    await standby.psql('postgres', 'INSERT INTO seat VALUES (3)');
    expect(await standby.psql('postgres', 'SELECT id FROM seat ORDER BY id')).toBe('1\n2\n3');
  });
});
