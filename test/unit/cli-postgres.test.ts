import { readdirSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { poll } from '../support/booking.js';
import { type Client, createClient } from '../support/client.js';
import { memoryDirectory } from '../support/memory-directory.js';
import { eachMigration, MIGRATION_NAMES } from '../support/migrations.js';
import { createTestDatabase, psql } from '../support/postgres/index.js';
import { type Ended, foyerWith } from '../support/programs.js';
import { join, openSale, type Sale, signInOperator, signUpFan } from '../support/sale.js';
import { type StartedServer, startServer } from '../support/server.js';

let url: string;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ url, drop } = await createTestDatabase());
});

afterAll(() => drop());

/** Runs a command on PostgreSQL with a data directory that must stay empty. */
async function foyer(...args: string[]): Promise<Ended> {
  const directory = memoryDirectory();
  const ended = await foyerWith({ DATABASE_URL: url, FOYER_DATA_DIR: directory }, ...args);
  expect(readdirSync(directory)).toEqual([]);
  return ended;
}

function expectDone(ended: Ended): string {
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
}

function expectRefused(ended: Ended, message: RegExp): void {
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
}

describe('with DATABASE_URL', () => {
  it('every command documents which database it uses', () => {
    for (const [name, { help }] of Object.entries(COMMANDS)) {
      expect(help, name).toContain('DATABASE_URL');
      expect(help, name).toContain('FOYER_DATA_DIR');
    }
  });

  it('foyer backup refuses and names the alternatives', async () => {
    const copy = joinPath(memoryDirectory(), 'copy.db');
    expectRefused(await foyer('backup', copy), /pg_dump or base backups.*docs\/operations\.md/);
  });

  it('commands report an unreachable database', async () => {
    const unreachable = { DATABASE_URL: 'postgres://fan:open-sesame@127.0.0.1:1/foyer' };
    for (const args of [
      ['policy', 'show', 'x'],
      ['seed', '--users', '1'],
      ['migrate'],
      ['migrate', '--status'],
    ]) {
      const ended = await foyerWith(unreachable, ...args);
      expectRefused(ended, /The database of DATABASE_URL cannot be used: .*ECONNREFUSED/);
      expect(ended.stderr).not.toContain('open-sesame');
    }
  });

  it('foyer migrate applies the migrations once, also when two run concurrently', async () => {
    expect(await foyer('migrate', '--status')).toEqual({
      code: 1,
      stdout: eachMigration('pending '),
      stderr: 'Migrations are pending: run foyer migrate.\n',
    });
    const outputs = (await Promise.all([foyer('migrate'), foyer('migrate')])).map(expectDone).sort();
    expect(outputs).toEqual([
      eachMigration('applied'),
      `schema is at version ${MIGRATION_NAMES.length}, nothing to do\n`,
    ]);
    expect(expectDone(await foyer('migrate', '--status'))).toBe(eachMigration('applied '));
  });

  it('foyer migrate refuses a database of a pre-release', async () => {
    const old = await createTestDatabase();
    onTestFinished(old.drop);
    await psql(old.url, 'CREATE TABLE schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL)');
    for (const args of [[], ['--status']])
      expectRefused(
        await foyerWith({ DATABASE_URL: old.url }, 'migrate', ...args),
        /^This database was made by a pre-release of Foyer/,
      );
  });

  it('foyer seed creates users with correct wallets, and no user twice', async () => {
    expect(expectDone(await foyer('seed', '--users', '1001', '--balance', '5000'))).toBe(
      '1001 users added\n',
    );
    expect(expectDone(await foyer('seed', '--users', '1004', '--balance', '0'))).toBe('3 users added\n');
    const users = await psql(
      url,
      `SELECT count(*), sum(balance), sum(entry_count), (SELECT sum(amount) FROM wallet_entries)
       FROM users JOIN wallets ON user_id = id WHERE email LIKE 'user%@load.example'`,
    );
    expect(users).toBe('1004|5005000|1001|5005000');
  });

  it('foyer seed creates the demo once', async () => {
    const output = expectDone(await foyer('seed', '--demo'));
    expect(output).toMatch(/^operator: \S+@\S+ \/ \S{8,}\ndemo fan: \S+@\S+ \/ \S{8,}\n$/);
    expect(expectDone(await foyer('seed', '--demo'))).toBe(output);
    expect(await psql(url, 'SELECT count(*) FROM concerts')).toBe('3');
  });
});

describe('while two servers run on PostgreSQL', () => {
  let servers: readonly StartedServer[];
  let clients: readonly Client[];
  let operator: string;
  let sale: Sale;

  async function start(): Promise<void> {
    servers = await Promise.all(
      [1, 2].map(() => startServer({ DATABASE_URL: url, FOYER_DATABASE_CONNECTIONS: '8' })),
    );
    clients = servers.map((server) => createClient(server.url));
  }

  beforeAll(async () => {
    await start();
    operator = await signInOperator(clients[0]!);
    sale = await openSale(clients[0]!, operator, { policy: { maxActive: 0 } });
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });

  const policyAt = async (client: Client): Promise<unknown> =>
    (await client.get(`/operator/concerts/${sale.concertId}/waiting-room`, operator)).body;

  it('foyer policy set takes effect on every server with the next request', async () => {
    for (const holdSeconds of [71, 72, 73]) {
      const policy: unknown = JSON.parse(
        expectDone(await foyer('policy', 'set', sale.concertId, `holdSeconds=${holdSeconds}`)),
      );
      expect(policy).toMatchObject({ maxActive: 0, holdSeconds });
      expect(await Promise.all(clients.map(policyAt))).toEqual([policy, policy]);
      expect(JSON.parse(expectDone(await foyer('policy', 'show', sale.concertId)))).toEqual(policy);
    }
  });

  it('foyer policy set admits fans that the old policy kept waiting', async () => {
    const [here, there] = clients;
    const { body } = await join(here!, await signUpFan(here!), sale);
    expect(body).toMatchObject({ status: 'WAITING', rank: 1 });
    expectDone(await foyer('policy', 'set', sale.concertId, 'maxActive=1'));
    expect((await poll(there!, body.token)).body.status).toBe('ACTIVE');
  });

  it('foyer policy set writes an audit entry without an actor', async () => {
    const { concertId } = await openSale(clients[0]!, operator);
    expectDone(await foyer('policy', 'set', concertId, 'holdSeconds=99', 'paused=false'));
    expectDone(await foyer('policy', 'set', concertId, 'holdSeconds=99'));
    const { body } = await clients[1]!.get(`/operator/concerts/${concertId}/audit`, operator);
    expect(body.items).toMatchObject([
      { actor: null, action: 'POLICY_CHANGED', details: { holdSeconds: { from: 300, to: 99 } } },
      { action: 'CONCERT_CREATED' },
    ]);
  });

  it('foyer policy set does not revive a place that has expired under the old policy', async () => {
    const [client] = clients;
    const idle = await openSale(client!, operator, { policy: { idleSeconds: 1 } });
    const { body } = await join(client!, await signUpFan(client!), idle);
    // Stop the servers, so that only the command can expire the idle place.
    await Promise.all(servers.map((server) => server.stop()));
    await sleep(1100);
    expectDone(await foyer('policy', 'set', idle.concertId, 'idleSeconds=null'));
    expect(await psql(url, `SELECT status FROM places WHERE concert_id = '${idle.concertId}'`)).toBe(
      'EXPIRED',
    );
    await start();
    expect((await poll(clients[0]!, body.token)).body.status).toBe('EXPIRED');
  });

  it('foyer policy refuses an unknown concert and invalid values', async () => {
    expectRefused(await foyer('policy', 'show', 'nobody'), /No concert has that id/);
    expectRefused(await foyer('policy', 'set', sale.concertId, 'speed=9'), /speed is not part of a policy/);
    expectRefused(await foyer('policy', 'set', sale.concertId, 'admitCount=5'), /go together/);
  });

  it('foyer seed creates a concert that every server sells immediately', async () => {
    const concertId = /^concert (\S+)\n$/.exec(expectDone(await foyer('seed', '--seats', '7')))?.[1] ?? '';
    for (const client of clients) {
      const answer = await join(client, await signUpFan(client), { concertId, scheduleIds: [] });
      expect(answer.body).toMatchObject({ status: 'ACTIVE' });
    }
  });

  it('foyer seed creates a queue that every server sees', async () => {
    const output = expectDone(await foyer('seed', '--users', '1101', '--seats', '7', '--waiting', '1101'));
    const [, concertId = ''] = /^concert (\S+)$/m.exec(output) ?? [];
    for (const client of clients) {
      const answer = await join(client, await signUpFan(client), { concertId, scheduleIds: [] });
      // Up to a hundred fans may have been admitted by now; all others are ahead.
      expect(answer.body).toMatchObject({ status: 'WAITING' });
      expect(answer.body.rank).toBeGreaterThan(1001);
    }
  });
});
