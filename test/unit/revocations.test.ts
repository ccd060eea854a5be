import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Accounts, createAccounts } from '../../src/accounts/index.js';
import { createJwt } from '../../src/platform/jwt/index.js';
import { migrateSqlite, openSqlite, type Sql, statement } from '../../src/platform/sql/index.js';

const LIFETIME_MS = 12 * 60 * 60 * 1000;
const MINA = { email: 'mina@example.com', password: 'correct horse', name: '민아' };

const listChanges = statement<[], { id: string }>(
  'list_test_changes',
  'SELECT id FROM users WHERE credentials_changed_at IS NOT NULL',
);
const nothing = (): Promise<void> => Promise.resolve();

let directory: string;
let sql: Sql;
let nowMs: number;
let accounts: Accounts;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'foyer-revocations-'));
  const file = join(directory, 'foyer.db');
  nowMs = Date.UTC(2026, 10, 15, 9);
  await migrateSqlite(file);
  sql = openSqlite({
    file,
    clock: () => nowMs,
    onFatal: (error) => {
      throw error;
    },
  });
  accounts = createAccounts({
    sql,
    jwt: createJwt('a secret that only the tests know'),
    passwordMemoryMib: 8,
    limit: {
      signUp: nothing,
      signIn: nothing,
      rememberNetwork: nothing,
      requestMail: nothing,
      mayMailAddress: () => Promise.resolve(true),
      useMailedLink: nothing,
    },
    enqueueMail: nothing,
    publicUrl: 'http://127.0.0.1:3000',
    onSignUp: nothing,
  });
});
afterEach(async () => {
  await sql.close();
  await rm(directory, { recursive: true });
});

describe('a revocation', () => {
  const RETENTION_MS = LIFETIME_MS + 60 * 60 * 1000;
  const rows = () => sql.reader.all(listChanges, []);
  const purge = (...owners: string[]) => accounts.purgeRevocations(() => Promise.resolve(new Set(owners)));

  async function revoke(): Promise<{ userId: string; credentialVersion: number }> {
    const { user } = await accounts.signUp(MINA);
    await sql.transaction((tx) => accounts.revokeSessions(tx, user.id));
    return { userId: user.id, credentialVersion: 0 };
  }

  it('revokes lower versions, also those issued in the same millisecond', async () => {
    const older = await revoke();
    const { accessToken } = await accounts.signIn(MINA);
    expect(accounts.isRevoked(older)).toBe(true);
    expect(accounts.identifyAccess(accessToken, nowMs)).toMatchObject({ credentialVersion: 1 });
  });

  it('is kept until the last token that it revokes has expired', async () => {
    const older = await revoke();
    nowMs += RETENTION_MS;
    await purge();
    expect(accounts.isRevoked(older)).toBe(true);
    nowMs += 1;
    await purge();
    expect(accounts.isRevoked(older)).toBe(false);
    expect(await rows()).toEqual([]);
  });

  it('is kept as long as the user has a place, because queue tokens live longer', async () => {
    const older = await revoke();
    nowMs += 2 * RETENTION_MS;
    await purge(older.userId);
    expect(accounts.isRevoked(older)).toBe(true);
    expect(await rows()).toHaveLength(1);
  });

  it('is not forgotten when the credentials changed again', async () => {
    const older = await revoke();
    nowMs += RETENTION_MS;
    await sql.transaction((tx) => accounts.setPassword(tx, older.userId, 'unused'));
    nowMs += 1;
    await purge();
    expect(accounts.isRevoked({ ...older, credentialVersion: 1 })).toBe(true);
  });
});
