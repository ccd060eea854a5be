import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createIssueLink } from '../../src/accounts/index.js';
import { purgeMailedTokens } from '../../src/accounts/mailed-links/purge-tokens.js';
import { createRequestPasswordReset } from '../../src/accounts/mailed-links/request-password-reset.js';
import { createMail } from '../../src/mail/index.js';
import { migrateSqlite, openSqlite, type Sql, statement, type Tx } from '../../src/platform/sql/index.js';
import { memoryDirectory } from '../support/memory-directory.js';

const START_MS = Date.UTC(2026, 10, 15, 9);
const HOUR_MS = 60 * 60 * 1000;

const insertUser = statement<[id: string]>(
  'insert_user_in_test',
  `INSERT INTO users (id, email, email_key, name, role, created_at) VALUES ($1, 'mina@example.com', 'mina@example.com', 'Mina', 'CUSTOMER', 0)`,
);
const listTokens = statement<[], { hash: string; userId: string | null }>(
  'list_tokens_in_test',
  'SELECT hash, user_id AS "userId" FROM mailed_tokens',
);
const listMails = statement<[], { recipient: string; body: string | null; status: string }>(
  'list_mails_in_test',
  'SELECT recipient, body, status FROM outbox',
);

let nowMs: number;
let sql: Sql;

beforeEach(async () => {
  const file = join(memoryDirectory(), 'foyer.db');
  await migrateSqlite(file);
  nowMs = START_MS;
  sql = openSqlite({
    file,
    clock: () => nowMs,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(() => sql.close());
});

/** Requests a reset and returns the names of the statements that it sent, in order. */
async function requestReset(email: string): Promise<string[]> {
  const names: string[] = [];
  const record = (tx: Tx): Tx =>
    new Proxy(tx, {
      get(target, member) {
        const value: unknown = Reflect.get(target, member, target);
        if (typeof value !== 'function') return value;
        return (...args: [{ readonly name: string }]): unknown => {
          names.push(args[0].name);
          return Reflect.apply(value, target, args);
        };
      },
    });
  const recording: Sql = { ...sql, transaction: (work) => sql.transaction((tx) => work(record(tx))) };
  const { enqueue } = createMail({
    sql,
    smtp: undefined,
    retentionMs: HOUR_MS,
    events: { sent: ignore, retried: ignore, failed: ignore },
  });
  const issueLink = createIssueLink('https://tickets.example');
  await createRequestPasswordReset({ sql: recording, enqueueMail: enqueue, issueLink })(email);
  return names;
}

const ignore = (): void => undefined;

describe('a request for a password reset', () => {
  it('sends the same statements for a known and for an unknown address', async () => {
    await sql.transaction((tx) => tx.exec(insertUser, [randomUUID()]));
    const known = await requestReset('Mina@example.com');
    expect(known.length).toBeGreaterThan(2);
    expect(await requestReset('nobody@example.com')).toEqual(known);
  });

  it('stores a link that opens nothing for an unknown address, and no text', async () => {
    await requestReset('nobody@example.com');
    expect(await sql.reader.all(listTokens, [])).toMatchObject([{ userId: null }]);
    expect(await sql.reader.all(listMails, [])).toEqual([{ recipient: '', body: null, status: 'DISCARDED' }]);
  });

  it('stores the token only in the mail', async () => {
    await sql.transaction((tx) => tx.exec(insertUser, [randomUUID()]));
    await requestReset('mina@example.com');
    const [mail] = await sql.reader.all(listMails, []);
    const token = /https:\/\/tickets\.example\/reset-password#([\w-]{43})\n/.exec(mail?.body ?? '')?.[1];
    expect(token).toBeDefined();
    const [stored] = await sql.reader.all(listTokens, []);
    expect(stored?.hash).not.toContain(token);
  });

  it('is deleted when its link has expired', async () => {
    await requestReset('nobody@example.com');
    nowMs += HOUR_MS - 1;
    await purgeMailedTokens(sql);
    expect(await sql.reader.all(listTokens, [])).toHaveLength(1);
    nowMs += 1;
    await purgeMailedTokens(sql);
    expect(await sql.reader.all(listTokens, [])).toEqual([]);
  });
});
