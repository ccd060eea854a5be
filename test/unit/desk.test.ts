import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrateSqlite, openSqlite, type Sql, statement } from '../../src/platform/sql/index.js';
import { memoryDirectory } from '../support/memory-directory.js';

async function openStore(): Promise<Sql> {
  const file = join(memoryDirectory(), 'foyer.db');
  await migrateSqlite(file);
  const sql = openSqlite({
    file,
    clock: Date.now,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(() => sql.close());
  return sql;
}

/** Counts to `$1`, row by row: as slow as the number is large. */
const countTo = statement<[last: number], { rows: number }>(
  'count_to',
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) SELECT count(*) AS rows FROM n`,
);
const SLOW_ROWS = 5_000_000;
const broken = statement('broken', 'SELECT * FROM no_such_table');
const write = statement<[], { id: string }>(
  'write',
  `INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES ('c', '', '', '', 'KRW', 1) RETURNING id`,
);
const listConcerts = statement<[], { id: string }>('list', 'SELECT id FROM concerts');

describe('a desk read on SQLite', () => {
  it('lets reads, transactions and the event loop go on while it runs', async () => {
    const sql = await openStore();
    const finished: string[] = [];
    const slow = sql.desk.get(countTo, [SLOW_ROWS]).then((row) => {
      finished.push('desk');
      return row;
    });
    for (let iteration = 0; iteration < 3; iteration += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await sql.reader.get(countTo, [1]);
      await sql.transaction((tx) => tx.get(countTo, [1]));
    }
    finished.push('others');
    expect(await slow).toEqual({ rows: SLOW_ROWS });
    expect(finished).toEqual(['others', 'desk']);
  });

  it('sees every transaction that was committed before it', async () => {
    const sql = await openStore();
    expect(await sql.desk.all(listConcerts, [])).toEqual([]);
    await sql.transaction((tx) => tx.all(write, []));
    expect(await sql.desk.all(listConcerts, [])).toEqual([{ id: 'c' }]);
    expect(await sql.desk.get(listConcerts, [])).toEqual({ id: 'c' });
  });

  it('cannot write', async () => {
    const sql = await openStore();
    await expect(sql.desk.all(write, [])).rejects.toThrow('readonly');
    expect(await sql.reader.all(listConcerts, [])).toEqual([]);
  });

  it('fails alone: the next one is answered', async () => {
    const sql = await openStore();
    const [failed, answered] = await Promise.allSettled([
      sql.desk.all(broken, []),
      sql.desk.get(countTo, [7]),
    ]);
    expect(failed).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('no_such_table') },
    });
    expect(answered).toEqual({ status: 'fulfilled', value: { rows: 7 } });
  });

  it('is refused when too many are waiting', async () => {
    const sql = await openStore();
    const reads = await Promise.allSettled(Array.from({ length: 100 }, () => sql.desk.get(countTo, [1])));
    const refused = reads.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBe(100 - 1 - 64);
    expect(refused[0]).toMatchObject({ reason: { code: 'UNAVAILABLE' } });
  });

  it('is refused after the store was closed, and the store closes while one runs', async () => {
    const sql = await openStore();
    await sql.desk.get(countTo, [1]);
    const running = sql.desk.get(countTo, [SLOW_ROWS]);
    const outcome = Promise.allSettled([running]);
    await sql.close();
    expect(await outcome).toMatchObject([{ status: 'rejected' }]);
    await expect(sql.desk.get(countTo, [1])).rejects.toThrow('closed');
  });
});
