import { describe, expect, it, onTestFinished } from 'vitest';
import { settleAll } from '../../src/kernel/settle-all.js';
import { openPostgres, type Sql, statement } from '../../src/platform/sql/index.js';
import { listNotes, noteChanged, readNote, upsertNote, useNoteStores } from '../support/postgres-notes.js';
import { psql } from '../support/postgres/index.js';

const on = useNoteStores();

const insertInvalid = statement<[id: string]>('insert_invalid', 'INSERT INTO notes (id) VALUES ($1)');
const divide = statement<[divisor: number], { quotient: number }>(
  'divide',
  'SELECT 12 / CAST($1 AS BIGINT) AS quotient',
);
const readLater = statement<[], { id: string }>('read_later', 'SELECT id FROM later');
const texts = statement<[texts: readonly string[]], { text: string }>(
  'texts',
  'SELECT t AS text FROM unnest(CAST($1 AS TEXT[])) WITH ORDINALITY AS x(t, n) ORDER BY n',
);

/** A store with one connection per pool: a transaction finds whatever the previous one left behind. */
async function openSingleConnectionStore(): Promise<Sql> {
  const sql = await openPostgres({ address: on.address, connectionsMax: 3 });
  onTestFinished(() => sql.close());
  return sql;
}

const runFailing = async (sql: Sql, isPipelined: boolean): Promise<void> => {
  const outcome = sql.transaction(async (tx) => {
    const sent = [
      tx.exec(upsertNote, ['a', 'x']),
      tx.exec(insertInvalid, ['b']),
      tx.get(readNote, ['a']),
    ] as const;
    if (isPipelined) tx.pipelineCommit();
    await settleAll(sent);
  });
  await expect(outcome).rejects.toMatchObject({ code: '23502' });
};

describe('pipelined statements', () => {
  it.each([
    ['with the commit', true],
    ['without the commit', false],
  ])('leave no transaction open when one of them fails, %s', async (_name, isPipelined) => {
    const sql = await openSingleConnectionStore();
    await runFailing(sql, isPipelined);
    const open = `SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
    expect((await psql(on.url, open)).trim()).toBe('0');
    await sql.transaction((tx) => tx.exec(upsertNote, ['c', 'y']));
    expect(await on.notes()).toEqual(['y']);
  });

  it('return results in order, each with its own rows', async () => {
    const sql = await openSingleConnectionStore();
    for (let round = 0; round < 2; round += 1) {
      const results = await sql.transaction((tx) =>
        settleAll([
          tx.exec(upsertNote, ['a', `round ${round}`]),
          tx.get(divide, [4]),
          tx.all(listNotes, []),
          tx.get(readNote, ['missing']),
          tx.get(divide, [3]),
        ]),
      );
      expect(results).toEqual([
        1,
        { quotient: 3 },
        [{ id: 'a', text: `round ${round}` }],
        undefined,
        { quotient: 4 },
      ]);
    }
  });

  it('can be used again after their first execution or their preparation failed', async () => {
    const sql = await openSingleConnectionStore();
    await expect(sql.reader.get(divide, [0])).rejects.toMatchObject({ code: '22012' });
    expect(await sql.reader.get(divide, [2])).toEqual({ quotient: 6 });
    await expect(sql.reader.all(readLater, [])).rejects.toMatchObject({ code: '42P01' });
    await psql(on.url, `CREATE TABLE later AS SELECT 'x' AS id`);
    expect(await sql.reader.all(readLater, [])).toEqual([{ id: 'x' }]);
  });

  it('accept any text in a list unchanged', async () => {
    const unusual = ['', 'NULL', '{}', 'a,b', '"', String.raw`\ \\ \"`, ' kept ', '둘\n셋', `it's`];
    const rows = await on.sql.reader.all(texts, [unusual]);
    expect(rows.map(({ text }) => text)).toEqual(unusual);
    expect(await on.sql.reader.all(texts, [[]])).toEqual([]);
  });
});

describe('a deferred write', () => {
  it('commits with its transaction', async () => {
    await on.sql.transaction((tx) => {
      tx.execDeferred(upsertNote, ['a', 'x']);
      tx.publish(noteChanged, { text: 'x' });
      return Promise.resolve();
    });
    expect(await on.notes()).toEqual(['x']);
    expect(on.received).toEqual(['x']);
  });

  it.each([
    ['in the same pipeline as the commit', false],
    ['before the commit is sent', true],
  ])('fails its transaction when it fails, %s', async (_name, waits) => {
    const outcome = on.sql.transaction(async (tx) => {
      await tx.exec(upsertNote, ['a', 'x']);
      tx.execDeferred(insertInvalid, ['b']);
      if (waits) await new Promise((resolve) => setTimeout(resolve, 50));
      tx.publish(noteChanged, { text: 'never' });
    });
    await expect(outcome).rejects.toMatchObject({ code: '23502' });
    expect(await on.notes()).toEqual([]);
    await on.other.waitForChanges();
    expect(on.receivedByOther).toEqual([]);
  });

  it('is the reported error when a savepoint fails at the same time or begins after it', async () => {
    const outcomes = await Promise.allSettled([
      on.sql.transaction((tx) =>
        tx.withSavepoint(() => {
          tx.execDeferred(insertInvalid, ['b']);
          return Promise.reject(new Error('of the savepoint'));
        }),
      ),
      on.sql.transaction((tx) => {
        tx.execDeferred(insertInvalid, ['b']);
        return tx.withSavepoint(() => tx.exec(upsertNote, ['a', 'x']));
      }),
    ]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '23502' } });
    expect(await on.notes()).toEqual([]);
  });

  it('fails its transaction even if its savepoint succeeded', async () => {
    const outcome = on.sql.transaction(async (tx) => {
      await tx.withSavepoint(() => {
        tx.execDeferred(insertInvalid, ['b']);
        return Promise.resolve();
      });
      await tx.exec(upsertNote, ['a', 'x']);
    });
    await expect(outcome).rejects.toMatchObject({ code: '23502' });
    expect(await on.notes()).toEqual([]);
  });
});
