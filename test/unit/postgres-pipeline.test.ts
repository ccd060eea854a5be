import { describe, expect, it, onTestFinished } from 'vitest';
import { settleAll } from '../../src/kernel/settle-all.js';
import { openPostgres, type Sql, statement } from '../../src/platform/sql/index.js';
import { listNotes, note, noted, readNote, useNoteStores } from '../support/postgres-notes.js';
import { psql } from '../support/postgres/index.js';

const on = useNoteStores();

const noteNothing = statement<[id: string]>('note_nothing', 'INSERT INTO notes (id) VALUES ($1)');
const shareOut = statement<[among: number], { share: number }>(
  'share_out',
  'SELECT 12 / CAST($1 AS BIGINT) AS share',
);
const readLater = statement<[], { id: string }>('read_later', 'SELECT id FROM later');
const texts = statement<[texts: readonly string[]], { text: string }>(
  'texts',
  'SELECT t AS text FROM unnest(CAST($1 AS TEXT[])) WITH ORDINALITY AS x(t, n) ORDER BY n',
);

/** A store with a single connection of each kind: whatever one transaction leaves behind, the next finds. */
async function openNarrow(): Promise<Sql> {
  const sql = await openPostgres({ address: on.address, connectionsMax: 3 });
  onTestFinished(() => sql.close());
  return sql;
}

const failed = async (sql: Sql, isAlong: boolean): Promise<void> => {
  const outcome = sql.transaction(async (tx) => {
    const sent = [tx.exec(note, ['a', 'x']), tx.exec(noteNothing, ['b']), tx.get(readNote, ['a'])] as const;
    if (isAlong) tx.pipelineCommit();
    await settleAll(sent);
  });
  await expect(outcome).rejects.toMatchObject({ code: '23502' });
};

describe('statements that travel in one piece', () => {
  it.each([
    ['with the commit', true],
    ['without the commit', false],
  ])('leave nothing open when one of them fails, %s', async (_name, isAlong) => {
    const sql = await openNarrow();
    await failed(sql, isAlong);
    const open = `SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
    expect((await psql(on.url, open)).trim()).toBe('0');
    await sql.transaction((tx) => tx.exec(note, ['c', 'y']));
    expect(await on.notes()).toEqual(['y']);
  });

  it('are answered in their order, each with its own rows', async () => {
    const sql = await openNarrow();
    for (let round = 0; round < 2; round += 1) {
      const answers = await sql.transaction((tx) =>
        settleAll([
          tx.exec(note, ['a', `round ${round}`]),
          tx.get(shareOut, [4]),
          tx.all(listNotes, []),
          tx.get(readNote, ['nobody']),
          tx.get(shareOut, [3]),
        ]),
      );
      expect(answers).toEqual([
        1,
        { share: 3 },
        [{ id: 'a', text: `round ${round}` }],
        undefined,
        { share: 4 },
      ]);
    }
  });

  it('can be used again after a first use that failed, of the statement or of its text', async () => {
    const sql = await openNarrow();
    await expect(sql.reader.get(shareOut, [0])).rejects.toMatchObject({ code: '22012' });
    expect(await sql.reader.get(shareOut, [2])).toEqual({ share: 6 });
    await expect(sql.reader.all(readLater, [])).rejects.toMatchObject({ code: '42P01' });
    await psql(on.url, `CREATE TABLE later AS SELECT 'x' AS id`);
    expect(await sql.reader.all(readLater, [])).toEqual([{ id: 'x' }]);
  });

  it('take any text in a list as it is', async () => {
    const any = ['', 'NULL', '{}', 'a,b', '"', String.raw`\ \\ \"`, ' kept ', '둘\n셋', `it's`];
    const rows = await on.sql.reader.all(texts, [any]);
    expect(rows.map(({ text }) => text)).toEqual(any);
    expect(await on.sql.reader.all(texts, [[]])).toEqual([]);
  });
});

describe('a write that nobody waits for', () => {
  it('is done with its transaction', async () => {
    await on.sql.transaction((tx) => {
      tx.execDeferred(note, ['a', 'x']);
      tx.publish(noted, { text: 'x' });
      return Promise.resolve();
    });
    expect(await on.notes()).toEqual(['x']);
    expect(on.heard).toEqual(['x']);
  });

  it.each([
    ['in one go', false],
    ['and something was waited for since', true],
  ])('fails its transaction when it fails, %s', async (_name, waits) => {
    const outcome = on.sql.transaction(async (tx) => {
      await tx.exec(note, ['a', 'x']);
      tx.execDeferred(noteNothing, ['b']);
      if (waits) await new Promise((resolve) => setTimeout(resolve, 50));
      tx.publish(noted, { text: 'never' });
    });
    await expect(outcome).rejects.toMatchObject({ code: '23502' });
    expect(await on.notes()).toEqual([]);
    await on.other.waitForChanges();
    expect(on.heardByOther).toEqual([]);
  });

  it('is told as it is where an attempt fails at the same time, or begins after it', async () => {
    const outcomes = await Promise.allSettled([
      on.sql.transaction((tx) =>
        tx.withSavepoint(() => {
          tx.execDeferred(noteNothing, ['b']);
          return Promise.reject(new Error('of the attempt'));
        }),
      ),
      on.sql.transaction((tx) => {
        tx.execDeferred(noteNothing, ['b']);
        return tx.withSavepoint(() => tx.exec(note, ['a', 'x']));
      }),
    ]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '23502' } });
    expect(await on.notes()).toEqual([]);
  });

  it('fails the attempt it was part of no later than the transaction', async () => {
    const outcome = on.sql.transaction(async (tx) => {
      await tx.withSavepoint(() => {
        tx.execDeferred(noteNothing, ['b']);
        return Promise.resolve();
      });
      await tx.exec(note, ['a', 'x']);
    });
    await expect(outcome).rejects.toMatchObject({ code: '23502' });
    expect(await on.notes()).toEqual([]);
  });
});
