import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Accounts, createAccounts } from '../../src/accounts/index.js';
import { createPasswords } from '../../src/accounts/passwords.js';
import type { Caller } from '../../src/kernel/caller.js';
import { Refusal } from '../../src/kernel/refusal.js';
import { createJwt } from '../../src/platform/jwt/index.js';
import { migrateSqlite, openSqlite, type Sql, statement } from '../../src/platform/sql/index.js';

const START_MS = Date.UTC(2026, 10, 15, 9);
const LIFETIME_MS = 12 * 60 * 60 * 1000;
/** The lowest that the settings allow. */
const MEMORY_MIB = 8;
const HASH_PATTERN = /^\$argon2id\$v=19\$m=8192,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/;
/** Of "correct horse", with less memory, one pass, two threads and a salt of sixteen sevens. */
const WEAK_HASH =
  '$argon2id$v=19$m=1024,t=1,p=2$BwcHBwcHBwcHBwcHBwcHBw$k37txTS4GYft2FnmWfo1REa924GViM/0rm/+rAuq6tQ';
const MINA = { email: 'Mina@Example.com', password: 'correct horse', name: '민아' };

const jwt = createJwt('a secret that only the tests know');
const insertWallet = statement<[userId: string]>(
  'insert_wallet',
  'INSERT INTO wallets (user_id, balance, entry_count) VALUES ($1, 0, 0)',
);

const access = (userId: string): Caller => ({
  kind: 'access',
  userId,
  credentialVersion: 0,
  sessionId: undefined,
});
const refusalOf = async (work: Promise<unknown>): Promise<Refusal> => {
  const outcome = await work.catch((error: unknown) => error);
  if (outcome instanceof Refusal) return outcome;
  throw new Error('not refused', { cause: outcome });
};

let directory: string;
let file: string;
let sql: Sql;
let nowMs: number;
let walletFails: boolean;
let accounts: Accounts;

const query = <T>(text: string): T[] => {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare<[], T>(text).all();
  } finally {
    database.close();
  }
};
const execute = (command: string): void => {
  const database = new Database(file);
  database.exec(command);
  database.close();
};

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'foyer-accounts-'));
  file = join(directory, 'foyer.db');
  nowMs = START_MS;
  walletFails = false;
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
    jwt,
    passwordMemoryMib: MEMORY_MIB,
    limit: {
      signUp: () => Promise.resolve(),
      signIn: () => Promise.resolve(),
      requestMail: () => Promise.resolve(),
      mayMailAddress: () => Promise.resolve(true),
      useMailedLink: () => Promise.resolve(),
      rememberNetwork: () => Promise.resolve(),
    },
    enqueueMail: () => Promise.resolve(),
    publicUrl: 'http://127.0.0.1:3000',
    onSignUp: async (tx, userId) => {
      await tx.exec(insertWallet, [userId]);
      if (walletFails) throw new Error('no wallet today');
    },
  });
});

afterEach(async () => {
  await sql.close();
  await rm(directory, { recursive: true });
});

describe('sign-up', () => {
  it('returns the account and an access token for it', async () => {
    const session = await accounts.signUp(MINA);
    expect(session).toEqual({
      user: {
        id: session.user.id,
        email: 'Mina@Example.com',
        name: '민아',
        role: 'CUSTOMER',
        emailVerified: false,
      },
      accessToken: session.accessToken,
      expiresAt: new Date(START_MS + LIFETIME_MS).toISOString(),
    });
    expect(accounts.identifyAccess(session.accessToken, START_MS)).toMatchObject({ userId: session.user.id });
    expect(await accounts.requireUser(session.user.id)).toEqual(session.user);
  });

  it('creates an empty wallet with the account', async () => {
    const { user } = await accounts.signUp(MINA);
    expect(query('SELECT user_id, balance, entry_count FROM wallets')).toEqual([
      { user_id: user.id, balance: 0, entry_count: 0 },
    ]);
  });

  it('rolls back the account when the wallet cannot be created', async () => {
    walletFails = true;
    await expect(accounts.signUp(MINA)).rejects.toThrow('no wallet today');
    expect(query('SELECT id FROM users')).toEqual([]);
  });

  it('refuses a taken e-mail address in any letter case', async () => {
    await accounts.signUp(MINA);
    const refusal = await refusalOf(accounts.signUp({ ...MINA, email: 'mINA@eXAMPLE.COM' }));
    expect(refusal.code).toBe('EMAIL_TAKEN');
    expect(query('SELECT email FROM users')).toEqual([{ email: 'Mina@Example.com' }]);
  });

  it('refuses a taken e-mail address without hashing the password', async () => {
    await accounts.signUp(MINA);
    // A client that has disconnected gets no hash: only the address can be the reason for this refusal.
    const refusal = await refusalOf(accounts.signUp({ ...MINA, signal: AbortSignal.abort() }));
    expect(refusal.code).toBe('EMAIL_TAKEN');
  });

  it('accepts one of several concurrent sign-ups with the same address', async () => {
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => accounts.signUp(MINA)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(query('SELECT user_id FROM wallets')).toHaveLength(1);
  });

  it('stores only a salted password hash that contains its cost', async () => {
    await accounts.signUp(MINA);
    await accounts.signUp({ ...MINA, email: 'twin@example.com' });
    const hashes = query<{ hash: string }>('SELECT password_hash AS hash FROM users').map(({ hash }) => hash);
    for (const hash of hashes) expect(hash).toMatch(HASH_PATTERN);
    expect(new Set(hashes).size).toBe(2);
  });
});

describe('sign-in', () => {
  it('finds the account by its address in any letter case', async () => {
    const { user } = await accounts.signUp(MINA);
    nowMs += 1500;
    const session = await accounts.signIn({ email: 'MINA@example.com', password: MINA.password });
    expect(session.user).toEqual(user);
    // Tokens use whole seconds, and the response shows the expiry of the token.
    expect(session.expiresAt).toBe(new Date(START_MS + LIFETIME_MS + 1000).toISOString());
  });

  it('refuses a wrong password and an unknown address with the same refusal', async () => {
    await accounts.signUp(MINA);
    const wrong = await refusalOf(accounts.signIn({ ...MINA, password: 'wrong horse' }));
    const unknown = await refusalOf(accounts.signIn({ ...MINA, email: 'nobody@example.com' }));
    expect([wrong.code, wrong.extra]).toEqual(['WRONG_CREDENTIALS', {}]);
    expect([unknown.code, unknown.extra, unknown.message]).toEqual([wrong.code, wrong.extra, wrong.message]);
  });

  it('takes as long for an unknown address as for a wrong password', async () => {
    await accounts.signUp(MINA);
    const timeMs = async (email: string): Promise<number> => {
      const startMs = performance.now();
      await refusalOf(accounts.signIn({ email, password: 'wrong horse' }));
      return performance.now() - startMs;
    };
    const knownMs: number[] = [];
    const unknownMs: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      knownMs.push(await timeMs(MINA.email));
      unknownMs.push(await timeMs('nobody@example.com'));
    }
    expect(Math.min(...unknownMs)).toBeGreaterThan(Math.min(...knownMs) / 3);
  });

  it('accepts the password with decomposed characters', async () => {
    const password = '비밀번호입니다요'.normalize('NFC');
    await accounts.signUp({ ...MINA, password });
    const { user } = await accounts.signIn({ email: MINA.email, password: password.normalize('NFD') });
    expect(user.name).toBe(MINA.name);
  });
});

describe('an access token', () => {
  it('is valid until the instant of its expiry', async () => {
    const { user, accessToken } = await accounts.signUp(MINA);
    expect(accounts.identifyAccess(accessToken, START_MS + LIFETIME_MS - 1)).toMatchObject({
      userId: user.id,
    });
    expect(accounts.identifyAccess(accessToken, START_MS + LIFETIME_MS)).toBeUndefined();
  });

  it.each([
    ['without an expiry', { sub: 'user-1' }],
    ['with a string as expiry', { sub: 'user-1', exp: '4102444800' }],
    ['without a user', { exp: 4_102_444_800 }],
    ['with a number as user', { sub: 7, exp: 4_102_444_800 }],
    ['with an empty user', { sub: '', exp: 4_102_444_800 }],
    ['with an audience', { sub: 'user-1', aud: 'concert-1', exp: 4_102_444_800 }],
    ['with a string as version', { sub: 'user-1', ver: '0', exp: 4_102_444_800 }],
  ])('%s is not valid', (_, claims) => {
    expect(accounts.identifyAccess(jwt.sign('access+jwt', claims), START_MS)).toBeUndefined();
  });

  it('is not valid with the type of a queue token', () => {
    const claims = { sub: 'user-1', exp: 4_102_444_800 };
    expect(accounts.identifyAccess(jwt.sign('queue+jwt', claims), START_MS)).toBeUndefined();
    expect(accounts.identifyAccess(jwt.sign('access+jwt', claims), START_MS)).toEqual({
      userId: 'user-1',
      credentialVersion: 0,
      sessionId: undefined,
    });
  });
});

describe('requireUser and requireOperator', () => {
  it('refuse an unknown user', async () => {
    expect((await refusalOf(accounts.requireUser('nobody'))).code).toBe('USER_NOT_FOUND');
    expect((await refusalOf(accounts.requireOperator(access('nobody')))).code).toBe('USER_NOT_FOUND');
  });

  it('refuse a customer as operator', async () => {
    const { user } = await accounts.signUp(MINA);
    expect((await refusalOf(accounts.requireOperator(access(user.id)))).code).toBe('FORBIDDEN');
  });

  it('refuse a queue token, even of an operator', async () => {
    await accounts.ensureOperator(MINA);
    const { user } = await accounts.signIn(MINA);
    const place = {
      token: 't',
      userId: user.id,
      concertId: 'c',
      placeId: 'p',
      number: 1,
      joinedAt: new Date(START_MS).toISOString(),
      credentialVersion: 0,
      expiresAtMs: START_MS,
    };
    const refusal = await refusalOf(accounts.requireOperator({ kind: 'queue', userId: user.id, place }));
    expect(refusal.code).toBe('FORBIDDEN');
    expect(await accounts.requireOperator(access(user.id))).toEqual(user);
  });

  it('read the role at every call, so a revoked role takes effect immediately', async () => {
    await accounts.ensureOperator(MINA);
    const { user } = await accounts.signIn(MINA);
    execute(`UPDATE users SET role = 'CUSTOMER'`);
    expect((await refusalOf(accounts.requireOperator(access(user.id)))).code).toBe('FORBIDDEN');
  });
});

describe('ensureOperator', () => {
  const house = { email: 'House@example.com', password: 'open sesame' };

  it('creates the operator with a wallet, once', async () => {
    await accounts.ensureOperator(house);
    await accounts.ensureOperator({ ...house, email: 'house@example.com' });
    const { user } = await accounts.signIn(house);
    expect(user).toEqual({
      id: user.id,
      email: 'House@example.com',
      name: 'Operator',
      role: 'OPERATOR',
      emailVerified: false,
    });
    expect(query('SELECT user_id FROM wallets')).toEqual([{ user_id: user.id }]);
  });

  it('creates one operator when processes start concurrently', async () => {
    await Promise.all([1, 2, 3].map(() => accounts.ensureOperator(house)));
    expect(query('SELECT role FROM users')).toEqual([{ role: 'OPERATOR' }]);
  });

  it('keeps the password of an existing operator', async () => {
    await accounts.ensureOperator(house);
    await accounts.ensureOperator({ ...house, password: 'other words' });
    expect((await accounts.signIn(house)).user.role).toBe('OPERATOR');
  });

  it('refuses an address with which a fan has signed up', async () => {
    await accounts.signUp({ ...house, name: 'Sly' });
    await expect(accounts.ensureOperator(house)).rejects.toThrow(/address of a fan's account/);
    expect(query('SELECT role FROM users')).toEqual([{ role: 'CUSTOMER' }]);
  });

  it('does not change the role of other users', async () => {
    const { user } = await accounts.signUp(MINA);
    await accounts.ensureOperator(house);
    expect((await accounts.requireUser(user.id)).role).toBe('CUSTOMER');
  });
});

describe('a stored password hash', () => {
  it('is verified with the cost that it contains, not with the current cost', async () => {
    const passwords = createPasswords(MEMORY_MIB);
    expect(await passwords.verify('correct horse', WEAK_HASH)).toMatchObject({ isCorrect: true });
    expect(await passwords.verify('wrong horse', WEAK_HASH)).toEqual({ isCorrect: false });
  });

  it('of a lower cost is replaced when its owner signs in, and only then', async () => {
    const { user } = await accounts.signUp(MINA);
    execute(`UPDATE users SET password_hash = '${WEAK_HASH}'`);
    const stored = () => query<{ hash: string }>('SELECT password_hash AS hash FROM users')[0]?.hash;
    await refusalOf(accounts.signIn({ ...MINA, password: 'wrong horse' }));
    expect(stored()).toBe(WEAK_HASH);
    expect((await accounts.signIn(MINA)).user.id).toBe(user.id);
    const stronger = stored();
    expect(stronger).toMatch(HASH_PATTERN);
    expect((await accounts.signIn(MINA)).user.id).toBe(user.id);
    expect(stored(), 'a hash of the current cost stays').toBe(stronger);
  });

  it('that cannot be parsed throws an error that does not contain it', async () => {
    for (const unreadable of ['plain', '$argon2id$v=19$m=8192,t=2,p=1$short'])
      await expect(createPasswords(MEMORY_MIB).verify('correct horse', unreadable)).rejects.toThrow(
        /^a stored password hash cannot be read$/,
      );
  });
});
