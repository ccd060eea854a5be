import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { InvariantViolation } from '../../src/kernel/assert.js';
import { type Sql, statement, StoreUnavailable } from '../../src/platform/sql/index.js';
import { addNote, insertNote, insertReply, openTestStore, turns } from '../support/notes-store.js';

const deferForeignKeys = statement('defer_foreign_keys', 'PRAGMA defer_foreign_keys = ON');
const pageCount = statement<[], { page_count: number }>('page_count', 'PRAGMA page_count');
const limitPages = (pages: number) =>
  statement<[], { max_page_count: number }>('limit_pages', `PRAGMA max_page_count = ${pages}`);
const insertMany = statement<[ids: readonly string[], body: string]>(
  'insert_many',
  'INSERT INTO notes (id, body) SELECT value, $2 FROM json_each($1)',
);

const LARGE = 'x'.repeat(1_000_000);

/** The disk is full: the database may not grow by another page. */
async function fillDisk(sql: Sql): Promise<void> {
  await sql.transaction(async (tx) => {
    const { page_count: pages = 0 } = (await tx.get(pageCount, [])) ?? {};
    await tx.get(limitPages(pages), []);
  });
}

const freeDisk = (sql: Sql): Promise<unknown> => sql.transaction((tx) => tx.get(limitPages(1_000_000), []));

describe('a commit that fails', () => {
  it('stops the store: it is reported, nobody in the group is answered, and nobody later is let in', async () => {
    const { sql, fatal, seenOutside } = await openTestStore();
    const heard = vi.fn();
    const effect = vi.fn();
    const innocent = sql.transaction(async (tx) => {
      await tx.exec(insertNote, ['innocent', null]);
      tx.afterCommit(effect);
    });
    // Checked at COMMIT only: the one way to make it fail without breaking the disk.
    const guilty = sql.transaction(async (tx) => {
      await tx.exec(deferForeignKeys, []);
      await tx.exec(insertReply, ['r', 'nobody']);
    });
    for (const waiting of [innocent, guilty]) waiting.then(heard, heard);
    await turns();
    expect(fatal).toHaveBeenCalled();
    expect(fatal.mock.calls[0]?.[0]).toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
    await expect(addNote(sql, 'later')).rejects.toBeInstanceOf(StoreUnavailable);
    expect(heard).not.toHaveBeenCalled();
    expect(effect).not.toHaveBeenCalled();
    expect(seenOutside()).toEqual([]);
  });
});

describe('awaiting something other than SQL inside a transaction', () => {
  it('is a bug that stops the store', async () => {
    const { sql, fatal } = await openTestStore();
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    const heard = vi.fn();
    sql
      .transaction(async (tx) => {
        await tx.exec(insertNote, ['a', null]);
        await slow;
      })
      .then(heard, heard);
    await turns();
    expect(fatal).toHaveBeenCalledTimes(1);
    expect(fatal.mock.calls[0]?.[0]).toBeInstanceOf(InvariantViolation);
    await expect(addNote(sql, 'later')).rejects.toBeInstanceOf(StoreUnavailable);
    expect(heard).not.toHaveBeenCalled();
    finish();
    await turns();
  });

  it('does not mean promises: whatever settles at once is fine', async () => {
    const { sql, fatal, seenOutside } = await openTestStore();
    await sql.transaction(async (tx) => {
      for (let step = 0; step < 100; step += 1) await Promise.resolve();
      await tx.exec(insertNote, ['a', null]);
      await new Promise<void>((resolve) => {
        process.nextTick(resolve);
      });
    });
    await turns();
    expect(fatal).not.toHaveBeenCalled();
    expect(seenOutside()).toEqual(['a']);
  });
});

describe('a full disk', () => {
  it('fails everybody in the group as unavailable, and the store goes on', async () => {
    const { sql, fatal, seenOutside } = await openTestStore();
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
    expect(seenOutside()).toEqual(['old']);

    await freeDisk(sql);
    await addNote(sql, 'new');
    expect(seenOutside()).toEqual(['new', 'old']);
  });

  it('says unavailable to a transaction whose one statement alone did not fit', async () => {
    const { sql, fatal, seenOutside } = await openTestStore();
    await fillDisk(sql);
    // A statement that writes several rows is undone by SQLite alone: the rest of the group stands.
    const large = sql.transaction((tx) => tx.exec(insertMany, [['a', 'b'], LARGE]));
    const small = addNote(sql, 'small').catch((error: unknown) => error);
    await expect(large).rejects.toBeInstanceOf(StoreUnavailable);
    const answer = await small;
    expect(fatal).not.toHaveBeenCalled();
    expect(seenOutside()).toEqual(answer === 1 ? ['small'] : []);
    await freeDisk(sql);
    await addNote(sql, 'new');
  });

  it('cannot be caught by an attempt: nothing of that transaction happens, whatever it writes afterwards', async () => {
    const { sql, seenOutside } = await openTestStore();
    await fillDisk(sql);
    const outcome = sql.transaction(async (tx) => {
      await tx.withSavepoint(() => tx.exec(insertNote, ['large', LARGE])).catch(() => undefined);
      await tx.exec(insertNote, ['small', null]);
    });
    await expect(outcome).rejects.toBeInstanceOf(StoreUnavailable);
    expect(seenOutside()).toEqual([]);
    await freeDisk(sql);
    await addNote(sql, 'new');
    expect(seenOutside()).toEqual(['new']);
  });
});

describe('another writer on the same file', () => {
  it('is waited for, and then everybody is told that the store is unavailable', async () => {
    const { sql, file, fatal, seenOutside } = await openTestStore();
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
    expect(seenOutside()).toEqual(['c']);
  });
});

describe('closing', () => {
  it('finishes what was asked for before, and refuses what comes after', async () => {
    const { sql, file } = await openTestStore();
    const asked = Array.from({ length: 600 }, (_, index) => addNote(sql, `n${index}`));
    await sql.close();
    expect(await Promise.all(asked)).toHaveLength(600);
    await expect(addNote(sql, 'late')).rejects.toBeInstanceOf(StoreUnavailable);
    const outside = new Database(file, { readonly: true });
    expect(outside.prepare('SELECT count(*) AS count FROM notes').get()).toEqual({ count: 600 });
    outside.close();
  });
});
