import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SALE_CHECKS, RESET_LAST_SEEN } from '../../src/cli/transfer-checks.js';
import {
  migratePostgres,
  transferToPostgres,
  openTransferSource,
  parsePostgresUrl,
} from '../../src/platform/sql/index.js';
import { patchRoom, poll } from '../support/booking.js';
import { createClient } from '../support/client.js';
import { readToken } from '../support/forge.js';
import { pngImage } from '../support/images.js';
import { type SampleSales, createSampleSales, readEverything } from '../support/sample-sales.js';
import { makeMemoryDirectory, memoryDirectory } from '../support/memory-directory.js';
import { createTestDatabase, psql } from '../support/postgres/index.js';
import { uploadPoster } from '../support/posters.js';
import { type Ended, foyer, foyerWith } from '../support/programs.js';
import { eventually, join, pay, signInOperator, signUpFan } from '../support/sale.js';
import { type StartedServer, startServer } from '../support/server.js';

const directory = makeMemoryDirectory();
const databaseFile = (where: string): string => joinPath(where, 'foyer.db');

const POSTER = pngImage(300, 400, '#123456', 100_000);

let sale: SampleSales;
let operator: string;
let seenBefore: Readonly<Record<string, unknown>>;
let secret: string;

/** A server that uses the secret stored in its data directory. */
const startEmbedded = (where: string): Promise<StartedServer> =>
  startServer({ FOYER_DATA_DIR: where, FOYER_SECRET: '' });

beforeAll(async () => {
  const server = await startEmbedded(directory);
  const client = createClient(server.url);
  operator = await signInOperator(client);
  sale = await createSampleSales(client, operator);
  const [first] = sale.sales;
  await uploadPoster({ url: server.url, operator }, first?.concertId ?? '', POSTER);
  seenBefore = await readEverything(client, operator, sale);
  await server.stop();
  secret = readFileSync(joinPath(directory, 'secret'), 'utf8').trim();
  // An embedded server keeps the latest last-seen times in memory, so the stored ones may be old.
  write(directory, `UPDATE places SET last_seen_at = last_seen_at - 600000 WHERE status = 'ACTIVE'`);
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

function write(where: string, sql: string): void {
  const database = new Database(databaseFile(where));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

const digestOf = (where: string): string =>
  createHash('sha256')
    .update(readFileSync(databaseFile(where)))
    .digest('hex');

/** A copy of the sale that a test may change. */
function copyOfSale(): string {
  const copy = memoryDirectory();
  cpSync(directory, copy, { recursive: true });
  return copy;
}

async function newDatabase(): Promise<string> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return url;
}

async function newMigratedDatabase(): Promise<string> {
  const url = await newDatabase();
  await migratePostgres(addressOf(url));
  return url;
}

function addressOf(url: string) {
  const address = parsePostgresUrl(url);
  if (!address) throw new Error('no address');
  return address;
}

const move = (from: string, url: string): Promise<Ended> =>
  foyerWith({ FOYER_DATA_DIR: from, DATABASE_URL: url, FOYER_SECRET: secret }, 'migrate-to-postgres');

/** Fails with a message and no stack trace, and writes nothing. */
async function expectRefused(ended: Ended, message: RegExp | string, url?: string): Promise<void> {
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
  expect(ended.stdout).not.toContain('moved');
  if (url === undefined) return;
  expect(await psql(url, 'SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM concerts)')).toBe('0');
}

describe('foyer migrate-to-postgres', () => {
  it('starts from a sale with every state of a place and a reservation', () => {
    const everything = JSON.stringify(seenBefore);
    for (const place of ['WAITING', 'ACTIVE', 'DONE', 'EXPIRED'])
      expect(everything).toContain(`"status":"${place}"`);
    for (const reservation of ['HELD', 'CONFIRMED', 'EXPIRED', 'CANCELLED'])
      expect(everything).toContain(`"status":"${reservation}"`);
    expect(everything).toContain('"reason":"LEFT"');
    expect(sale.keyedRequests.map(({ answer }) => answer.status)).toContain(402);
  });

  it('moves a sale completely: every answer stays the same, and the sale continues', async () => {
    const url = await newDatabase();
    const ended = await move(directory, url);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain(`users: ${sale.fans.length + 1} copied\n`);
    expect(ended.stdout).toContain('idempotency_keys: 11 verified\n');
    expect(ended.stdout).toMatch(/^\d+ rows moved and verified in [\d.]+ s\.$/m);
    expect(ended.stdout).toContain(`the one in ${directory}/secret: every token stays valid`);
    expect(ended.stdout).not.toContain(secret);

    const server = await startServer({ DATABASE_URL: url, FOYER_SECRET: secret });
    onTestFinished(async () => {
      await server.stop();
    });
    const client = createClient(server.url);
    expect(await readEverything(client, operator, sale)).toEqual(seenBefore);
    for (const { answer, resend } of sale.keyedRequests) {
      const replayed = await resend(client);
      expect(replayed.headers.get('idempotency-replayed')).toBe('true');
      expect([replayed.status, replayed.text]).toEqual([answer.status, answer.text]);
    }

    const { poster } = (await client.get(`/concerts/${sale.sales[0]?.concertId ?? ''}`)).body;
    const served = await fetch(`${server.url}${poster.path}`);
    expect(Buffer.from(await served.arrayBuffer()).equals(POSTER)).toBe(true);

    // The sale continues: fans join, holds are paid, and the queue moves.
    const [arena] = sale.sales;
    const { body: joined } = await join(client, await signUpFan(client), arena!);
    expect(joined).toMatchObject({ status: 'WAITING', rank: 4 });
    expect(numberOf(joined.token)).toBe(numberOf(sale.tokens['third']!) + 1);
    const { email } = sale.fans[0]!;
    const signedIn = await client.post('/sessions', undefined, { email, password: 'fan-password' });
    expect(signedIn.status).toBe(201);
    expect((await pay(client, sale.tokens['holder']!, sale.liveHoldId)).status).toBe(201);
    await patchRoom(client, operator, arena!, { paused: false });
    await eventually(
      () => poll(client, sale.tokens['first']!),
      ({ body }) => body.status === 'ACTIVE',
    );
    expect((await poll(client, sale.tokens['second']!)).body).toMatchObject({ status: 'WAITING', rank: 1 });
  });

  it('does not change the data directory, so that it can still be used', async () => {
    const before = digestOf(directory);
    expect(await move(directory, await newDatabase())).toMatchObject({ code: 0 });
    expect(digestOf(directory)).toBe(before);
    const old = await startEmbedded(copyOfSale());
    onTestFinished(async () => {
      await old.stop();
    });
    expect(await readEverything(createClient(old.url), operator, sale)).toEqual(seenBefore);
  });

  it('moves what a killed server had acknowledged', async () => {
    const where = copyOfSale();
    const server = await startEmbedded(where);
    const fan = await signUpFan(createClient(server.url), 4321);
    await server.kill();
    const url = await newDatabase();
    expect(await move(where, url)).toMatchObject({ code: 0 });
    expect(await psql(url, `SELECT balance FROM wallets WHERE user_id = '${fan.id}'`)).toBe('4321');
  });

  it('reports a different secret and a missing one', async () => {
    const url = await newDatabase();
    const other = await foyerWith({ FOYER_DATA_DIR: directory, DATABASE_URL: url }, 'migrate-to-postgres');
    expect(other.stdout).toContain(`is not the one in ${directory}/secret`);
    const where = copyOfSale();
    rmSync(joinPath(where, 'secret'));
    const none = await move(where, await newDatabase());
    expect(none.stdout).toContain('There is none in the data directory');
    expect(existsSync(joinPath(where, 'secret'))).toBe(false);
    for (const { stdout, stderr } of [other, none]) expect(stdout + stderr).not.toContain(secret);
  });
});

const numberOf = (token: string): number => Number(readToken(token).claims['num']);

describe('foyer migrate-to-postgres refuses', () => {
  it('a data directory in use, and names the pid', async () => {
    const url = await newMigratedDatabase();
    const where = copyOfSale();
    const server = await startEmbedded(where);
    const ended = await move(where, url);
    await server.stop();
    await expectRefused(ended, `in use by another Foyer \\(pid ${server.pid}\\)`, url);
  });

  it('a database that already has users or concerts', async () => {
    const withUsers = await newDatabase();
    await foyerWith({ DATABASE_URL: withUsers }, 'seed', '--users', '3');
    await expectRefused(await move(directory, withUsers), 'already has users');
    expect(await psql(withUsers, 'SELECT count(*) FROM users')).toBe('3');
    const withConcerts = await newDatabase();
    await foyerWith({ DATABASE_URL: withConcerts }, 'seed', '--seats', '3');
    await expectRefused(await move(directory, withConcerts), 'already has concerts');
    expect(await psql(withConcerts, 'SELECT count(*) FROM users')).toBe('0');
  });

  it('a database that another client is writing to', async () => {
    const url = await newMigratedDatabase();
    const other = new pg.Client(url);
    await other.connect();
    await other.query('BEGIN; LOCK TABLE users IN ROW EXCLUSIVE MODE');
    const ended = await move(directory, url);
    await other.end();
    await expectRefused(ended, 'Another client is writing to the database', url);
  });

  it('an unreachable database, a missing DATABASE_URL and a missing data directory', async () => {
    const away = await move(directory, 'postgres://fan:open-sesame@127.0.0.1:1/foyer');
    await expectRefused(away, 'The database of DATABASE_URL cannot be used: .*ECONNREFUSED');
    expect(away.stderr).not.toContain('open-sesame');
    await expectRefused(await foyer(directory, 'migrate-to-postgres'), 'Set DATABASE_URL');
    const nothing = joinPath(directory, 'nothing');
    await expectRefused(await move(nothing, await newDatabase()), `There is no database at ${nothing}`);
    expect(existsSync(nothing)).toBe(false);
  });

  it('a data directory of another version of Foyer', async () => {
    const url = await newMigratedDatabase();
    const where = copyOfSale();
    write(where, 'DELETE FROM migrations');
    await expectRefused(await move(where, url), 'run foyer migrate on it once', url);
  });

  it('a data directory of a pre-release', async () => {
    const url = await newMigratedDatabase();
    const where = copyOfSale();
    write(where, 'DROP TABLE migrations; PRAGMA user_version = 7');
    await expectRefused(await move(where, url), 'made by a pre-release of Foyer', url);
  });

  it('text that PostgreSQL cannot store, and names the row', async () => {
    const url = await newMigratedDatabase();
    const where = copyOfSale();
    const { id } = sale.fans[3]!;
    write(where, `UPDATE users SET name = 'a' || char(0) || 'b' WHERE id = '${id}'`);
    await expectRefused(
      await move(where, url),
      `The table users has a row \\(id ${id}\\) whose name contains the character U\\+0000`,
      url,
    );
  });
});

/** A trigger that corrupts every row inserted into a table. */
const corruptOnInsert = (table: string, effect: string): string => `
  CREATE FUNCTION corrupt() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${effect}; END $$;
  CREATE TRIGGER corrupt BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION corrupt();`;

/** Otherwise PostgreSQL itself would refuse a missing user. */
const DROP_FOREIGN_KEYS = `DO $$ DECLARE k record; BEGIN
  FOR k IN SELECT conname, CAST(conrelid AS regclass) AS t FROM pg_constraint WHERE contype = 'f' LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', k.t, k.conname);
  END LOOP; END $$`;

type Source = ReturnType<typeof openTransferSource>;
type Rows = ReturnType<Source['batches']> extends Iterable<infer Batch> ? Batch : never;

const openSource = (): Source => {
  const source = openTransferSource(databaseFile(directory));
  onTestFinished(source.close);
  return source;
};

/** A source that returns wrong users for the copy and correct ones for the verification. */
function misreading(source: Source, alter: (rows: Rows) => Rows): Source {
  let isCopied = false;
  return {
    ...source,
    *batches(table, batchRows) {
      const isWrong = table.name === 'users' && !isCopied;
      for (const rows of source.batches(table, batchRows)) yield isWrong ? alter(rows) : rows;
      if (isWrong) isCopied = true;
    },
  };
}

async function expectFound(url: string, source: Source, message: string): Promise<void> {
  const moving = transferToPostgres(source, addressOf(url), {
    emptyTables: ['users', 'concerts'],
    checks: SALE_CHECKS,
    finalStatement: RESET_LAST_SEEN,
    onProgress: () => undefined,
  });
  await expect(moving).rejects.toThrow(message);
  expect(await psql(url, 'SELECT (SELECT count(*) FROM users) + (SELECT count(*) FROM seats)')).toBe('0');
}

describe('the verification', () => {
  it('fails with a readable message and exit code 1', async () => {
    const url = await newMigratedDatabase();
    await psql(url, corruptOnInsert('seats', `NEW.label := 'A-1'; RETURN NEW`));
    const message = 'The copy of the table seats is wrong: the content of a row differs. Nothing was moved.';
    await expectRefused(await move(directory, url), message, url);
  });

  it.each([
    ['payments', 'RETURN NULL', 'the number of rows'],
    ['wallets', 'NEW.balance := NEW.balance + 1; RETURN NEW', 'the sum of balance'],
    ['wallet_entries', 'NEW.amount := NEW.amount - 1; RETURN NEW', 'the sum of amount'],
    ['payments', 'NEW.amount := NEW.amount + 1; RETURN NEW', 'the sum of amount'],
    [
      'seats',
      `NEW.status := 'SOLD'; NEW.reservation_id := 'x'; NEW.held_until := NULL; RETURN NEW`,
      'the number of seats by status',
    ],
    [
      'queues',
      'NEW.last_number := NEW.last_number + 1; RETURN NEW',
      'the last and the admitted queue number',
    ],
    [
      'places',
      `NEW.status := 'LEFT'; NEW.ended_at := NEW.joined_at; RETURN NEW`,
      'the number of places by status',
    ],
    ['users', `NEW.name := NEW.name || ' '; RETURN NEW`, 'the content of a row'],
    ['reservations', 'NEW.expires_at := NEW.expires_at + 1; RETURN NEW', 'the content of a row'],
    ['idempotency_keys', `NEW.body := ''; RETURN NEW`, 'the content of a row'],
  ])('finds %s corrupted by "%s"', async (table, effect, what) => {
    const url = await newMigratedDatabase();
    await psql(url, corruptOnInsert(table, effect));
    await expectFound(url, openSource(), `The copy of the table ${table} is wrong: ${what}`);
  });

  it('finds rows that were read incorrectly during the copy', async () => {
    const url = await newMigratedDatabase();
    await psql(url, DROP_FOREIGN_KEYS);
    const withoutOne = misreading(openSource(), (rows) => rows.slice(1));
    await expectFound(url, withoutOne, 'The copy of the table users is wrong: the number of rows');
    const misspelt = misreading(openSource(), (rows) =>
      rows.map((row) => row.map((value) => (value === '팬' ? '펜' : value))),
    );
    await expectFound(url, misspelt, 'The copy of the table users is wrong: the content of a row');
  });
});
