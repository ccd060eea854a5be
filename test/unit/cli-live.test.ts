import Database from 'better-sqlite3';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { poll } from '../support/booking.js';
import { type Client, createClient } from '../support/client.js';
import { forgeAccess } from '../support/forge.js';
import { memoryDirectory, makeMemoryDirectory } from '../support/memory-directory.js';
import { eachMigration } from '../support/migrations.js';
import { foyer, foyerWithInput } from '../support/programs.js';
import { eventually } from '../support/sale.js';
import { type StartedServer, startServer } from '../support/server.js';

const USERS = 12;

const directory = makeMemoryDirectory();
let server: StartedServer;
let client: Client;
let concertId: string;
let userIds: string[];

beforeAll(async () => {
  const seeded = await foyer(directory, 'seed', '--users', String(USERS), '--balance', '0', '--seats', '100');
  concertId = /concert (\S+)/.exec(seeded.stdout)?.[1] ?? '';
  server = await startServer({ FOYER_DATA_DIR: directory });
  client = createClient(server.url);
  userIds = usersIn(directory);
});

afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

function usersIn(where: string): string[] {
  const database = new Database(join(where, 'foyer.db'), { readonly: true });
  try {
    const users = database.prepare<[], { id: string }>(`SELECT id FROM users WHERE role = 'CUSTOMER'`).all();
    return users.map(({ id }) => id);
  } finally {
    database.close();
  }
}

/** Holds a seat, releases it, and returns the duration of the hold. */
async function holdMs(token: string): Promise<number> {
  const { body: dates } = await client.get(`/concerts/${concertId}/schedules`, token);
  const scheduleId: string = dates.items[0].id;
  const { body: seats } = await client.get(`/schedules/${scheduleId}/seats`, token);
  const { status, text, body } = await client.post('/reservations', token, {
    scheduleId,
    seatIds: [seats.items[0].id],
  });
  expect(status, text).toBe(201);
  expect((await client.delete(`/reservations/${body.id}`, token)).status).toBe(204);
  return Date.parse(body.expiresAt) - Date.parse(body.createdAt);
}

interface Charge {
  readonly userId: string;
  readonly entryId: string;
}

/** Fans charge their wallets until `stop`. Records every acknowledged entry. */
function chargeUntilStopped(): { readonly charges: readonly Charge[]; stop(): Promise<void> } {
  const charges: Charge[] = [];
  let stopped = false;
  const fans = userIds.map(async (userId) => {
    const token = forgeAccess(userId);
    while (!stopped) {
      const { status, body } = await client.post('/wallet/charges', token, { amount: 10 });
      expect(status).toBe(201);
      charges.push({ userId, entryId: body.entry.id });
    }
  });
  return {
    charges,
    async stop() {
      stopped = true;
      await Promise.all(fans);
    },
  };
}

async function entriesOf(from: Client, userId: string): Promise<{ id: string; amount: number }[]> {
  const entries: { id: string; amount: number }[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await from.get(`/wallet/entries?limit=200${after}`, forgeAccess(userId));
    entries.push(...body.items);
    cursor = body.nextCursor;
  }
  return entries;
}

describe('while the server is running', () => {
  it('foyer backup writes a copy from which another server starts, while requests continue', async () => {
    const writing = chargeUntilStopped();
    await eventually(
      () => Promise.resolve(writing.charges.length),
      (count) => count > 50,
    );
    const before = [...writing.charges];
    const copy = join(memoryDirectory(), 'copy.db');
    const backup = await foyer(directory, 'backup', copy);
    const during = writing.charges.length - before.length;
    await writing.stop();
    expect(backup).toMatchObject({ code: 0, stderr: '' });
    expect(backup.stdout).toMatch(/copy\.db: \d+ bytes, checked/);
    expect(during).toBeGreaterThan(0);

    const restored = memoryDirectory();
    copyFileSync(copy, join(restored, 'foyer.db'));
    const second = await startServer({ FOYER_DATA_DIR: restored });
    onTestFinished(async () => {
      await second.stop();
    });
    const fromCopy = createClient(second.url);
    for (const userId of userIds) {
      const entries = await entriesOf(fromCopy, userId);
      const ids = new Set(entries.map(({ id }) => id));
      const missing = before.filter((charge) => charge.userId === userId && !ids.has(charge.entryId));
      expect(missing).toEqual([]);
      const wallet = await fromCopy.get('/wallet', forgeAccess(userId));
      expect(wallet.body.balance).toBe(entries.reduce((sum, { amount }) => sum + amount, 0));
    }
    const next = await fromCopy.post('/wallet/charges', forgeAccess(userIds[0] ?? ''), { amount: 1 });
    expect(next.status).toBe(201);
  });

  it('foyer policy set takes effect within two seconds', async () => {
    const set = async (...assignments: string[]): Promise<unknown> => {
      const ended = await foyer(directory, 'policy', 'set', concertId, ...assignments);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      return JSON.parse(ended.stdout);
    };
    await set('maxActive=0');
    const isClosed = async (): Promise<boolean> => {
      const { body } = await client.post(
        `/concerts/${concertId}/queue-tokens`,
        forgeAccess(userIds[0] ?? ''),
      );
      if (body.status === 'WAITING') return true;
      await client.delete('/queue-tokens/me', body.token);
      return false;
    };
    await eventually(isClosed, (closed) => closed, 3000);
    const joined = await client.post(`/concerts/${concertId}/queue-tokens`, forgeAccess(userIds[1] ?? ''));
    expect(joined.body).toMatchObject({ status: 'WAITING', rank: 2 });

    const policy = await set('maxActive=5', 'holdSeconds=77');
    await eventually(
      () => poll(client, joined.body.token),
      ({ body }) => body.status === 'ACTIVE',
      3000,
    );
    // The queue reads admission limits from the database, but not the hold time: the server has reloaded the policy.
    await eventually(
      () => holdMs(joined.body.token),
      (ms) => ms === 77_000,
      3000,
    );
    const shown = await foyer(directory, 'policy', 'show', concertId);
    expect(JSON.parse(shown.stdout)).toEqual(policy);
  });

  it('foyer migrate refuses and names the process that uses the data directory; --status works', async () => {
    const refused = await foyer(directory, 'migrate');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(`in use by another Foyer (pid ${server.pid})`);
    const status = await foyer(directory, 'migrate', '--status');
    expect(status).toEqual({ code: 0, stdout: eachMigration('applied '), stderr: '' });
  });

  it('foyer seed refuses, and names the process that uses the data directory', async () => {
    const ended = await foyer(directory, 'seed', '--users', '5');
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toContain(`in use by another Foyer (pid ${server.pid})`);
    expect(ended.stderr).not.toMatch(/^ {4}at /m);
    expect(usersIn(directory)).toHaveLength(USERS);
  });
});

describe('foyer operator next to a running server', () => {
  const PASSWORD = 'operator password';
  const add = (...args: string[]) => foyer(directory, 'operator', 'add', ...args);
  const signIn = (email: string) => client.post('/sessions', undefined, { email, password: PASSWORD });

  it('prints a link that makes its user an operator', async () => {
    const { code, stdout } = await add('head@staff.example', '--name', 'Head');
    expect(code).toBe(0);
    const token =
      /^http:\/\/127\.0\.0\.1:3000\/accept-invitation#(\S+)\nvalid until 20/.exec(stdout)?.[1] ?? '';
    const used = await client.post(`/password-resets/${token}`, undefined, { newPassword: PASSWORD });
    expect(used.status, used.text).toBe(204);
    expect((await signIn('head@staff.example')).body.user).toMatchObject({ name: 'Head', role: 'OPERATOR' });
    // For an operator who has lost the password it prints another link.
    expect((await add('head@staff.example')).stdout).toContain('/accept-invitation#');
  });

  it('creates an operator with a password from standard input, unless the address has an account', async () => {
    const addNow = (email: string, password = PASSWORD) =>
      foyerWithInput(password, directory, 'operator', 'add', email, '--password-stdin');
    expect(await addNow('deputy@staff.example', `${PASSWORD}\n`)).toMatchObject({
      code: 0,
      stdout: 'deputy@staff.example is an operator\n',
    });
    expect((await signIn('deputy@staff.example')).body.user).toMatchObject({ role: 'OPERATOR' });
    const fan = await addNow('user1@load.example');
    expect(fan).toMatchObject({ code: 1, stderr: expect.stringContaining('has an account already') });
    expect(await addNow('new@staff.example', 'short')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('must have 8 to 128 characters'),
    });
  });

  it('refuses a call without an address', async () => {
    for (const args of [[], ['nobody'], ['a@b.example', 'c@d.example']])
      expect(await add(...args)).toMatchObject({ code: 1, stdout: '' });
  });
});
