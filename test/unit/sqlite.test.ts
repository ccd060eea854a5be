import Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { statement, type Statement, topic, type Tx } from '../../src/platform/sql/index.js';
import {
  addNote,
  findNote,
  idsOf,
  insertNote,
  insertReply,
  listNotes,
  openTestStore,
} from '../support/notes-store.js';

const insertSized = statement<[id: string, size: number]>(
  'insert_sized',
  'INSERT INTO notes (id, size) VALUES ($1, $2)',
);

const WAL_BOUND_BYTES = 40 * 1024 * 1024;

describe('a statement', () => {
  it('is built once per connection', async () => {
    const { sql } = await openTestStore();
    const text = vi.fn(() => 'INSERT INTO notes (id) VALUES ($1)');
    const insert = statement<[id: string]>('insert', text);
    for (const id of ['a', 'b', 'c']) await sql.transaction((tx) => tx.exec(insert, [id]));
    expect(text).toHaveBeenCalledTimes(1);

    const read = vi.fn(() => 'SELECT id FROM notes WHERE id = $1');
    const find = statement<[id: string], { id: string }>('find', read);
    for (const id of ['a', 'b', 'c']) expect(await sql.reader.get(find, [id])).toEqual({ id });
    expect(read).toHaveBeenCalledTimes(1);
    await sql.transaction((tx) => tx.get(find, ['a']));
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('can use numbered parameters in any order and more than once', async () => {
    const { sql } = await openTestStore();
    const shuffle = statement<string[], Record<string, string>>(
      'shuffle',
      'SELECT $11 AS k, $2 AS b, $1 AS a, $10 AS j, $1 AS again',
    );
    const params = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'];
    expect(await sql.reader.get(shuffle, params)).toEqual({ k: 'k', b: 'b', a: 'a', j: 'j', again: 'a' });
    await expect(sql.reader.get(shuffle, ['a', 'b'])).rejects.toThrow('fewer parameters');
  });

  it('accepts an array of strings or of numbers', async () => {
    const { sql } = await openTestStore();
    const odd = ['plain', `quo'te"d`, '한글 🎫', '', 'null', '[1]'];
    await sql.transaction(async (tx) => {
      for (const id of [...odd, 'other']) await tx.exec(insertNote, [id, null]);
    });
    const among = statement<[ids: readonly string[]], { id: string }>(
      'among',
      (dialect) => `SELECT id FROM notes WHERE id ${dialect.anyOf('$1')}`,
    );
    expect(new Set(idsOf(await sql.reader.all(among, [odd])))).toEqual(new Set(odd));
    expect(await sql.reader.all(among, [[]])).toEqual([]);

    const lengths = statement<[lengths: readonly number[]], { id: string }>(
      'lengths',
      (dialect) => `SELECT id FROM notes WHERE length(id) ${dialect.anyOf('$1')}`,
    );
    expect(idsOf(await sql.reader.all(lengths, [[0, 5, 99]])).sort()).toEqual(['', 'other', 'plain']);
  });

  it('accepts arrays of any length, several per statement, and one used several times', async () => {
    const { sql } = await openTestStore();
    const ids = Array.from({ length: 40 }, (_, index) => `n${index}`);
    await sql.transaction(async (tx) => {
      for (const [index, id] of ids.entries()) await tx.exec(insertSized, [id, index]);
    });
    const text = vi.fn(
      (
        dialect: Parameters<Statement<[], never>['text']>[0],
      ) => `SELECT id FROM notes WHERE (id ${dialect.anyOf('$2')} OR size ${dialect.anyOf('$1')})
        AND NOT id ${dialect.anyOf('$3')} AND id <> $4 AND (id ${dialect.anyOf('$2')} OR $4 = $4)`,
    );
    const either = statement<
      [sizes: readonly number[], ids: readonly string[], without: readonly string[], other: string],
      { id: string }
    >('either', text);
    const lengths = [0, 1, 2, 7, 8, 9, 10, 30];
    for (const [first, second] of [...lengths, ...lengths].flatMap((one) =>
      lengths.map((two) => [one, two]),
    )) {
      const sizes = ids.slice(0, first).map((_, index) => index);
      const named = ids.slice(40 - (second ?? 0));
      const without = ids.slice(5, 5 + (second ?? 0) / 2);
      const found = idsOf(await sql.reader.all(either, [sizes, named, without, 'n0']));
      const expected = ids.filter(
        (id, index) => (index < (first ?? 0) || named.includes(id)) && !without.includes(id) && id !== 'n0',
      );
      expect(found.sort()).toEqual(expected.sort());
    }
    expect(text).toHaveBeenCalledTimes(1);
  });

  it('accepts rows and stores every value unchanged', async () => {
    const { sql } = await openTestStore();
    const insertRows = statement<[rows: readonly { id: string; body: string | null; size: number }[]]>(
      'insert_rows',
      (dialect) =>
        `INSERT INTO notes (id, body, size)
         SELECT r.id, r.body, r.size FROM ${dialect.rows('$1', { id: 'text', body: 'text', size: 'bigint' })} AS r`,
    );
    const rows = [
      { id: `a'"\\`, body: null, size: Number.MAX_SAFE_INTEGER },
      { id: 'b', body: '한글\n🎫', size: 0 },
      { id: 'c', body: '12', size: -1 },
    ];
    expect(await sql.transaction((tx) => tx.exec(insertRows, [rows]))).toBe(3);
    const all = statement<[], { id: string }>('all', 'SELECT id, body, size FROM notes ORDER BY id');
    expect(await sql.reader.all(all, [])).toEqual(rows);
  });
});

describe('concurrent transactions', () => {
  it('share one commit, and only one that throws is rolled back', async () => {
    const { sql, groups, durableIds } = await openTestStore();
    const refusal = new Error('no');
    const before = addNote(sql, 'before');
    const failing = sql.transaction(async (tx) => {
      await tx.exec(insertNote, ['failing', null]);
      throw refusal;
    });
    const after = addNote(sql, 'after');
    await expect(failing).rejects.toBe(refusal);
    expect(await Promise.all([before, after])).toEqual([1, 1]);
    expect(groups).toEqual([3]);
    expect(durableIds()).toEqual(['after', 'before']);
  });

  it('see the writes of earlier ones in the group, but not of one that was rolled back', async () => {
    const { sql, groups } = await openTestStore();
    const failing = sql.transaction(async (tx) => {
      await tx.exec(insertNote, ['rolled back', null]);
      throw new Error('no');
    });
    const first = addNote(sql, 'first');
    const seen = sql.transaction((tx) => tx.all(listNotes, []));
    await expect(failing).rejects.toThrow('no');
    await first;
    expect(idsOf(await seen)).toEqual(['first']);
    expect(groups).toEqual([3]);
  });

  it('all commit, in order, when there are more than fit in one group', async () => {
    const { sql, groups } = await openTestStore();
    const order: number[] = [];
    const count = 1000;
    await Promise.all(
      Array.from({ length: count }, (_, index) =>
        sql.transaction(async (tx) => {
          await tx.exec(insertNote, [`n${index}`, null]);
          tx.afterCommit(() => order.push(index));
        }),
      ),
    );
    expect(order).toEqual(Array.from({ length: count }, (_, index) => index));
    expect(groups.reduce((sum, size) => sum + size, 0)).toBe(count);
    expect(groups.length).toBeGreaterThan(1);
    expect(groups.length).toBeLessThan(count / 100);
  });

  it('commit once each when the group runs again because one failed after a write', async () => {
    const { sql } = await openTestStore();
    const returning = statement<[id: string], { id: string }>(
      'returning',
      'INSERT INTO notes (id) VALUES ($1) RETURNING id',
    );
    const effects: string[] = [];
    const runs = { before: 0, after: 0 };
    const add = (id: 'before' | 'after') =>
      sql.transaction(async (tx) => {
        runs[id] += 1;
        await tx.exec(insertNote, [id, null]);
        tx.afterCommit(() => effects.push(id));
        return id;
      });
    const failAfterWrite = async (tx: Tx): Promise<never> => {
      await tx.get(returning, ['rolled back']);
      tx.afterCommit(() => effects.push('rolled back'));
      throw new Error('refused after writing');
    };
    // A read leaves nothing to roll back.
    const failAfterRead = async (tx: Tx): Promise<never> => {
      await tx.get(findNote, ['before']);
      throw new Error('refused before writing');
    };
    const outcomes = await Promise.allSettled([
      add('before'),
      sql.transaction(failAfterRead),
      sql.transaction(failAfterWrite),
      add('after'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(idsOf(await sql.reader.all(listNotes, []))).toEqual(['after', 'before']);
    expect(effects).toEqual(['before', 'after']);
    expect(runs).toEqual({ before: 2, after: 1 });
  });

  it('do not fail because another one violates a foreign key', async () => {
    const { sql, groups, durableIds } = await openTestStore();
    const orphan = sql.transaction((tx) => tx.exec(insertReply, ['r', 'missing']));
    const neighbour = addNote(sql, 'neighbour');
    await expect(orphan).rejects.toMatchObject({ code: 'SQLITE_CONSTRAINT_FOREIGNKEY' });
    await neighbour;
    expect(groups).toEqual([2]);
    expect(durableIds()).toEqual(['neighbour']);
  });
});

describe('a savepoint', () => {
  it('rolls back its own writes and effects and nothing else', async () => {
    const { sql, durableIds } = await openTestStore();
    const effects: string[] = [];
    const write = async (tx: Tx, id: string): Promise<void> => {
      await tx.exec(insertNote, [id, null]);
      tx.afterCommit(() => effects.push(id));
    };
    await sql.transaction(async (tx) => {
      await write(tx, '1 before');
      const failed = tx.withSavepoint(async () => {
        await write(tx, '2 failed');
        await tx.withSavepoint(() => write(tx, '3 kept inside the failed one'));
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      await tx.withSavepoint(async () => {
        await write(tx, '4 kept');
        const inner = tx.withSavepoint(async () => {
          await write(tx, '5 failed inside');
          throw new Error('no');
        });
        await expect(inner).rejects.toThrow('no');
      });
      await write(tx, '6 after');
    });
    expect(durableIds()).toEqual(['1 before', '4 kept', '6 after']);
    expect(effects).toEqual(['1 before', '4 kept', '6 after']);
  });

  it('returns the result of its work', async () => {
    const { sql } = await openTestStore();
    expect(await sql.transaction((tx) => tx.withSavepoint(() => tx.exec(insertNote, ['a', null])))).toBe(1);
  });
});

describe('effects after the commit', () => {
  it('run when the data is durable, in order, before the transaction resolves, and never after a rollback', async () => {
    const { sql, groups, durableIds } = await openTestStore();
    const log: string[] = [];
    const work = (id: string) => async (tx: Tx) => {
      await tx.exec(insertNote, [id, null]);
      tx.afterCommit(() => log.push(`${id} first: ${durableIds().join()}`));
      tx.afterCommit(() => log.push(`${id} second`));
      if (id === 'b') throw new Error('no');
    };
    await Promise.allSettled(
      ['a', 'b', 'c'].map(async (id) => {
        await sql.transaction(work(id));
        log.push(`${id} resolved`);
      }),
    );
    expect(groups).toEqual([3]);
    expect(log).toEqual(['a first: a,c', 'a second', 'c first: a,c', 'c second', 'a resolved', 'c resolved']);
  });

  it('do not resolve a transaction before other connections can read it', async () => {
    const { sql, durableIds } = await openTestStore();
    const seen = ['a', 'b'].map((id) => addNote(sql, id).then(durableIds));
    expect(await Promise.all(seen)).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });
});

describe('a deferred write', () => {
  it('commits with its transaction, and fails only that transaction', async () => {
    const { sql } = await openTestStore();
    const work = (id: string) => (tx: Tx) => {
      tx.execDeferred(insertNote, [id, null]);
      tx.execDeferred(insertReply, [`reply to ${id}`, id === 'b' ? 'nothing' : id]);
      return Promise.resolve();
    };
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((id) => sql.transaction(async (tx) => work(id)(tx))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(idsOf(await sql.reader.all(listNotes, []))).toEqual(['a', 'c']);
  });
});

describe('publishing', () => {
  const noteChanged = topic<{ readonly id: string }>('note_changed');
  const updateNote = statement<[body: string, id: string], { id: string }>(
    'update_note',
    'UPDATE notes SET body = $1 WHERE id = $2 RETURNING id',
  );

  it('delivers the rows that a write returns once they are durable, and never after a rollback', async () => {
    const { sql, durableIds } = await openTestStore();
    const received: string[] = [];
    sql.subscribe(noteChanged, ({ id }) => received.push(`${id} of ${durableIds().join()}`));
    const work = (id: string) => async (tx: Tx) => {
      await tx.exec(insertNote, [id, null]);
      await tx.publishRows(noteChanged, updateNote, ['x', id]);
      await tx.publishRows(noteChanged, updateNote, ['x', 'missing']);
      if (id === 'b') throw new Error('no');
    };
    await Promise.allSettled(['a', 'b', 'c'].map((id) => sql.transaction(work(id))));
    expect(received).toEqual(['a of a,c', 'c of a,c']);
  });
});

describe('reading outside a transaction', () => {
  it('never returns uncommitted data', async () => {
    const { sql } = await openTestStore();
    const failing = sql.transaction(async (tx) => {
      await tx.exec(insertNote, ['a', null]);
      expect(await tx.get(findNote, ['a'])).toEqual({ id: 'a', body: null });
      expect(await sql.reader.get(findNote, ['a'])).toBeUndefined();
      expect(await sql.reader.all(listNotes, [])).toEqual([]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await sql.reader.get(findNote, ['a'])).toBeUndefined();
    await addNote(sql, 'b');
    expect(await sql.reader.get(findNote, ['b'])).toEqual({ id: 'b', body: null });
  });
});

describe('the time', () => {
  it('never goes backwards and is constant inside a transaction', async () => {
    let nowMs = 5000;
    const { sql } = await openTestStore(() => nowMs);
    expect(sql.nowMs()).toBe(5000);
    nowMs = 3000;
    expect(sql.nowMs()).toBe(5000);
    await sql.transaction(async (tx) => {
      expect(tx.nowMs).toBe(5000);
      nowMs = 7000;
      await tx.all(listNotes, []);
      expect(tx.nowMs).toBe(5000);
    });
    const times = await Promise.all(
      [8000, 6000, 9000].map((at) =>
        sql.transaction((tx) => {
          nowMs = at;
          return Promise.resolve(tx.nowMs);
        }),
      ),
    );
    expect(times).toEqual([7000, 8000, 8000]);
  });
});

describe('durability', () => {
  it('uses a write-ahead log and syncs every commit', async () => {
    const { sql, file } = await openTestStore();
    const synchronous = statement<[], { synchronous: number }>('synchronous', 'PRAGMA synchronous');
    expect(await sql.transaction((tx) => tx.get(synchronous, []))).toEqual({ synchronous: 2 });
    const outside = new Database(file, { readonly: true });
    expect(outside.pragma('journal_mode', { simple: true })).toBe('wal');
    outside.close();
  });

  it('keeps the write-ahead log bounded', async () => {
    const { sql, file } = await openTestStore();
    const body = 'x'.repeat(1000);
    let largest = 0;
    let written = 0;
    for (let round = 0; round < 50; round += 1) {
      const ids = Array.from({ length: 1000 }, (_, index) => `${index * 7919}-${round}`);
      await Promise.all(ids.map((id) => sql.transaction((tx) => tx.exec(insertNote, [id, body]))));
      written += ids.length * body.length;
      largest = Math.max(largest, statSync(`${file}-wal`).size);
    }
    expect(written).toBeGreaterThan(WAL_BOUND_BYTES);
    expect(largest).toBeLessThan(WAL_BOUND_BYTES);
  });
});
