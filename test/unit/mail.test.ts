import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createMail, type Mail } from '../../src/mail/index.js';
import { ATTEMPTS_MAX, type MailFailure, retryDelayMs } from '../../src/mail/send-due.js';
import { migrateSqlite, openSqlite, type Sql, statement } from '../../src/platform/sql/index.js';
import { memoryDirectory } from '../support/memory-directory.js';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.js';

const START_MS = Date.UTC(2026, 10, 15, 9);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MAIL = {
  to: 'mina@example.com',
  subject: '비밀번호 재설정',
  text: '링크: https://tickets.example/#가나다\n',
};

const listOutbox = statement<[], { status: string; body: string | null; attempts: number }>(
  'list_outbox_in_test',
  'SELECT status, body, attempts FROM outbox ORDER BY created_at, id',
);

let nowMs: number;
let sql: Sql;
let smtp: SmtpServer;
let mail: Mail;
let events: string[];
let failures: MailFailure[];

const openMail = (): Mail =>
  createMail({
    sql,
    retentionMs: 7 * DAY_MS,
    smtp: { url: smtp.url, from: 'Foyer <tickets@example.com>' },
    events: {
      sent: () => events.push('sent'),
      retried: (failure) => {
        events.push('retried');
        failures.push(failure);
      },
      failed: (failure) => {
        events.push('failed');
        failures.push(failure);
      },
    },
  });

const outbox = () => sql.reader.all(listOutbox, []);
const enqueue = (): Promise<void> =>
  sql.transaction((tx) => mail.enqueue(tx, { ...MAIL, expiresAtMs: tx.nowMs + 60 * MINUTE_MS }));

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
  smtp = await startSmtpServer();
  [events, failures] = [[], []];
  mail = openMail();
  onTestFinished(async () => {
    await sql.close();
    await smtp.close();
  });
});

describe('sending mail', () => {
  it('sends a mail once, as it was written, and deletes its text', async () => {
    await enqueue();
    await mail.sendDue?.();
    await mail.sendDue?.();
    expect(smtp.received).toEqual([
      {
        from: 'tickets@example.com',
        to: MAIL.to,
        subject: MAIL.subject,
        text: expect.stringContaining(MAIL.text.trim()),
        messageId: expect.stringMatching(/^<[\w-]+@example\.com>$/),
      },
    ]);
    expect(await outbox()).toEqual([{ status: 'SENT', body: null, attempts: 1 }]);
    expect(events).toEqual(['sent']);
  });

  it('sends nothing of a transaction that was rolled back', async () => {
    const failing = sql.transaction(async (tx) => {
      await mail.enqueue(tx, { ...MAIL, expiresAtMs: tx.nowMs + MINUTE_MS });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await mail.sendDue?.();
    expect(smtp.received).toEqual([]);
  });

  it('sends a backlog of many batches in one run', async () => {
    for (let count = 0; count < 12; count += 1) await enqueue();
    await mail.sendDue?.();
    expect(smtp.received).toHaveLength(12);
  });

  it('never sends a mail without a recipient', async () => {
    await sql.transaction((tx) =>
      mail.enqueue(tx, { ...MAIL, to: undefined, expiresAtMs: tx.nowMs + MINUTE_MS }),
    );
    await mail.sendDue?.();
    expect(smtp.received).toEqual([]);
    expect(await outbox()).toEqual([{ status: 'DISCARDED', body: null, attempts: 0 }]);
  });
});

describe('an attempt that fails', () => {
  it('is repeated after a pause, with the same message id', async () => {
    await enqueue();
    smtp.refuse(1, `451 try later, <${MAIL.to}>`);
    await mail.sendDue?.();
    nowMs += retryDelayMs(1) - 1;
    await mail.sendDue?.();
    expect(events).toEqual(['retried']);
    nowMs += 1;
    await mail.sendDue?.();
    expect(events).toEqual(['retried', 'sent']);
    expect(smtp.received).toHaveLength(1);
  });

  it('is given up after the last attempt, within the hour in which a reset link is valid', async () => {
    await enqueue();
    smtp.refuse(100, `451 try later, <${MAIL.to}>`);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      await mail.sendDue?.();
      nowMs += retryDelayMs(attempt);
    }
    expect(nowMs - retryDelayMs(ATTEMPTS_MAX)).toBeLessThan(START_MS + 60 * MINUTE_MS);
    expect(events).toEqual([...Array<string>(ATTEMPTS_MAX - 1).fill('retried'), 'failed']);
    expect(await outbox()).toEqual([{ status: 'FAILED', body: null, attempts: ATTEMPTS_MAX }]);
    nowMs += DAY_MS;
    await mail.sendDue?.();
    expect(events).toHaveLength(ATTEMPTS_MAX);
  });

  it('is reported without the recipient, the text and the answer of the server', async () => {
    await enqueue();
    smtp.refuse(1, `550 <${MAIL.to}> unknown`);
    await mail.sendDue?.();
    expect(failures).toEqual([
      { mailId: expect.any(String), attempts: 1, reason: expect.stringMatching(/^E\w+ 550$/) },
    ]);
  });

  it('is reported when the server cannot be reached', async () => {
    await enqueue();
    await smtp.close();
    await mail.sendDue?.();
    expect(failures).toMatchObject([{ attempts: 1, reason: expect.stringMatching(/^E/) }]);
    smtp = await startSmtpServer();
  });
});

describe('a process that stops while it sends', () => {
  it('leaves the mail to the next one', async () => {
    await enqueue();
    smtp.hang(true);
    const sending = mail.sendDue?.();
    await expect.poll(outbox).toMatchObject([{ attempts: 1 }]);
    mail.stop();
    await sending;
    smtp.hang(false);
    mail = openMail();
    nowMs += retryDelayMs(1);
    await mail.sendDue?.();
    expect(smtp.received).toHaveLength(1);
    expect(events).toEqual(['retried', 'sent']);
  });
});

describe('a mail whose link has expired', () => {
  it('is not sent and loses its text', async () => {
    await enqueue();
    nowMs += 60 * MINUTE_MS;
    await mail.sendDue?.();
    await mail.expire();
    expect(await outbox()).toEqual([{ status: 'EXPIRED', body: null, attempts: 0 }]);
    expect(smtp.received).toEqual([]);
  });

  it('is deleted after seven days', async () => {
    await enqueue();
    nowMs += 7 * DAY_MS;
    await mail.purge();
    expect(await outbox()).toHaveLength(1);
    nowMs += 1;
    await mail.purge();
    expect(await outbox()).toEqual([]);
  });
});
