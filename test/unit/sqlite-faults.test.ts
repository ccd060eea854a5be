import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { InvariantViolation } from '../../src/kernel/assert.js';
import { type Sql, statement, StoreUnavailable } from '../../src/platform/sql/index.js';
import { addNote, insertNote, insertReply, openTestStore, runEventLoop } from '../support/notes-store.js';

const deferForeignKeys = statement('defer_foreign_keys', 'PRAGMA defer_foreign_keys = ON');
const pageCount = statement<[], { page_count: number }>('page_count', 'PRAGMA page_count');
const limitPages = (pages: number) =>
  statement<[], { max_page_count: number }>('limit_pages', `PRAGMA max_page_count = ${pages}`);
const insertMany = statement<[ids: readonly string[], body: string]>(
  'insert_many',
  'INSERT INTO notes (id, body) SELECT value, $2 FROM json_each($1)',
);

const LARGE = 'x'.repeat(1_000_000);

/** Simulates a full disk: the database cannot grow by another page. */
async function fillDisk(sql: Sql): Promise<void> {
  await sql.transaction(async (tx) => {
    const { page_count: pages = 0 } = (await tx.get(pageCount, [])) ?? {};
    await tx.get(limitPages(pages), []);
  });
}

const freeDisk = (sql: Sql): Promise<unknown> => sql.transaction((tx) => tx.get(limitPages(1_000_000), []));

describe('a commit that fails', () => {
  it('stops the store: it is reported, no transaction of the group settles, and later ones are refused', async () => {
    const { sql, fatal, durableIds } = await openTestStore();
    const settled = vi.fn();
    const effect = vi.fn();
    const valid = sql.transaction(async (tx) => {
      await tx.exec(insertNote, ['valid', null]);
      tx.afterCommit(effect);
    });
    // Checked at COMMIT only: the only way to make COMMIT fail without breaking the disk.
    const invalid = sql.transaction(async (tx) => {
      await tx.exec(deferForeignKeys, []);
      await tx.exec(insertReply, ['r', 'missing']);
    });
    for (const transaction of [valid, invalid]) transaction.then(settled, settled);
    await runEventLoop();
    expect(fatal).toHaveBeenCalled();
    expect(fatal.mock.calls[0]?.[0]).toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
    await expect(addNote(sql, 'later')).rejects.toBeInstanceOf(StoreUnavailable);
    expect(settled).not.toHaveBeenCalled();
    expect(effect).not.toHaveBeenCalled();
    expect(durableIds()).toEqual([]);
  });
});

describe('awaiting something other than SQL inside a transaction', () => {
  it('stops the store', async () => {
    const { sql, fatal } = await openTestStore();
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const settled = vi.fn();
    sql
      .transaction(async (tx) => {
        await tx.exec(insertNote, ['a', null]);
        await slow;
      })
      .then(settled, settled);
    await runEventLoop();
    expect(fatal).toHaveBeenCalledTimes(1);
    expect(fatal.mock.calls[0]?.[0]).toBeInstanceOf(InvariantViolation);
    await expect(addNote(sql, 'later')).rejects.toBeInstanceOf(StoreUnavailable);
    expect(settled).not.toHaveBeenCalled();
    finish();
    await runEventLoop();
  });

  it('is allowed for promises that settle within the same event-loop iteration', async () => {
    const { sql, fatal, durableIds } = await openTestStore();
    await sql.transaction(async (tx) => {
      for (let step = 0; step < 100; step += 1) await Promise.resolve();
      await tx.exec(insertNote, ['a', null]);
      await new Promise<void>((resolve) => {
        process.nextTick(resolve);
      });
    });
    await runEventLoop();
    expect(fatal).not.toHaveBeenCalled();
    expect(durableIds()).toEqual(['a']);
  });
});

describe('a full disk', () => {
  it('fails every transaction of the group as unavailable, and the store recovers', async () => {
    const { sql, fatal, durableIds } = await openTestStore();
    await addNote(sql, 'old');
    await fillDisk(sql);
    const effect = vi.fn();
    const outcomes = await Promise.allSettled([
      sql.transaction(async (tx) => {
        await tx.exec(insertNote, ['before', null]);
        tx.afterCommit(effect);
      }),
      sql.transaction((tx) => tx.exec(insertNote, ['large', LARGE])),
      addNote(sql, 'after'),
    ]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    }
    expect(effect).not.toHaveBeenCalled();
    expect(fatal).not.toHaveBeenCalled();
    expect(durableIds()).toEqual(['old']);

    await freeDisk(sql);
    await addNote(sql, 'new');
    expect(durableIds()).toEqual(['new', 'old']);
  });

  it('fails a transaction as unavailable when one of its statements did not fit', async () => {
    const { sql, fatal, durableIds } = await openTestStore();
    await fillDisk(sql);
    // SQLite rolls back only this statement, because it writes several rows; the rest of the group can commit.
    const large = sql.transaction((tx) => tx.exec(insertMany, [['a', 'b'], LARGE]));
    const small = addNote(sql, 'small').catch((error: unknown) => error);
    await expect(large).rejects.toBeInstanceOf(StoreUnavailable);
    const result = await small;
    expect(fatal).not.toHaveBeenCalled();
    expect(durableIds()).toEqual(result === 1 ? ['small'] : []);
    await freeDisk(sql);
    await addNote(sql, 'new');
  });

  it('fails the whole transaction even if a savepoint catches the error', async () => {
    const { sql, durableIds } = await openTestStore();
    await fillDisk(sql);
    const outcome = sql.transaction(async (tx) => {
      await tx.withSavepoint(() => tx.exec(insertNote, ['large', LARGE])).catch(() => undefined);
      await tx.exec(insertNote, ['small', null]);
    });
    await expect(outcome).rejects.toBeInstanceOf(StoreUnavailable);
    expect(durableIds()).toEqual([]);
    await freeDisk(sql);
    await addNote(sql, 'new');
    expect(durableIds()).toEqual(['new']);
  });
});

describe('another writer on the same file', () => {
  it('is waited for, then every transaction of the group fails as unavailable', async () => {
    const { sql, file, fatal, durableIds } = await openTestStore();
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const outcomes = await Promise.allSettled([addNote(sql, 'a'), addNote(sql, 'b')]);
    other.exec('ROLLBACK');
    other.close();
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    }
    expect(fatal).not.toHaveBeenCalled();
    await addNote(sql, 'c');
    expect(durableIds()).toEqual(['c']);
  });
});

describe('closing', () => {
  it('finishes pending transactions and refuses new ones', async () => {
    const { sql, file } = await openTestStore();
    const pending = Array.from({ length: 600 }, (_, index) => addNote(sql, `n${index}`));
    await sql.close();
    expect(await Promise.all(pending)).toHaveLength(600);
    await expect(addNote(sql, 'late')).rejects.toBeInstanceOf(StoreUnavailable);
    const outside = new Database(file, { readonly: true });
    expect(outside.prepare('SELECT count(*) AS count FROM notes').get()).toEqual({ count: 600 });
    outside.close();
  });
});
