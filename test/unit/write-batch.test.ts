import { describe, expect, it } from 'vitest';
import {
  batchStatement,
  RowCountMismatch,
  type Sql,
  statement,
  topic,
} from '../../src/platform/sql/index.js';
import { STORES } from '../support/open-stores.js';

const insertUsers = batchStatement(
  'test_insert_users',
  { id: 'text', erased_at: 'bigint' },
  ({ row, from }) => `INSERT INTO users (id, email, email_key, name, role, created_at, erased_at)
   SELECT ${row.id}, ${row.id}, ${row.id}, 'Fan', 'CUSTOMER', 0, ${row.erased_at}${from}`,
);
const renameUsers = batchStatement(
  'test_rename_users',
  { id: 'text', name: 'text' },
  ({ row, from }) =>
    `UPDATE users SET name = ${row.name}${from} WHERE users.id = ${row.id} AND users.erased_at IS NULL`,
);
const listUsers = statement<[], { id: string; name: string }>(
  'test_list_users',
  'SELECT id, name FROM users ORDER BY id',
);
const changed = topic<{ readonly text: string }>('test-changed');

const addUsers = (sql: Sql, ...ids: string[]): Promise<void> =>
  sql.transaction((tx) => {
    tx.writeBatch(
      insertUsers,
      ids.map((id) => ({ id, erased_at: null })),
    );
    return Promise.resolve();
  });
const namesIn = async (sql: Sql): Promise<string[]> =>
  (await sql.reader.all(listUsers, [])).map(({ name }) => name);

describe.each(STORES)('a batch statement on $name', ({ open }) => {
  it('writes every row, also values that need quoting', async () => {
    const sql = await open();
    await addUsers(sql, 'a', 'b');
    await sql.transaction((tx) => {
      const names = ['quo"te, {brace} \\\\ back', "it's 한글"];
      tx.writeBatch(renameUsers, [
        { id: 'b', name: names[1] ?? '' },
        { id: 'a', name: names[0] ?? '' },
      ]);
      return Promise.resolve();
    });
    expect(await namesIn(sql)).toEqual(['quo"te, {brace} \\\\ back', "it's 한글"]);
  });

  it('does nothing for no rows', async () => {
    const sql = await open();
    await addUsers(sql);
    expect(await namesIn(sql)).toEqual([]);
  });

  it('fails the transaction when one row changes nothing, even if the commit was sent with it', async () => {
    const sql = await open();
    await addUsers(sql, 'a');
    const seen: string[] = [];
    sql.subscribe(changed, ({ text }) => seen.push(text));
    for (const isPipelined of [false, true]) {
      const outcome = sql.transaction((tx) => {
        tx.writeBatch(renameUsers, [
          { id: 'a', name: 'New' },
          { id: 'missing', name: 'New' },
        ]);
        tx.publish(changed, { text: 'never' });
        if (isPipelined) tx.pipelineCommit();
        return Promise.resolve();
      });
      await expect(outcome).rejects.toThrow(RowCountMismatch);
      await expect(outcome).rejects.toMatchObject({ statement: 'test_rename_users' });
    }
    await sql.waitForChanges();
    expect(await namesIn(sql)).toEqual(['Fan']);
    expect(seen).toEqual([]);
  });

  it('fails the transaction when a row violates a constraint', async () => {
    const sql = await open();
    await addUsers(sql, 'a');
    await expect(addUsers(sql, 'b', 'a')).rejects.not.toThrow(RowCountMismatch);
    expect(await namesIn(sql)).toEqual(['Fan']);
  });

  it('delivers the changes of one transaction one by one, in order', async () => {
    const sql = await open();
    await sql.waitForChanges();
    const seen: string[] = [];
    sql.subscribe(changed, ({ text }) => seen.push(text));
    const texts = Array.from({ length: 150 }, (_, index) => String(index));
    await sql.transaction((tx) => {
      for (const text of texts) tx.publish(changed, { text });
      tx.writeBatch(insertUsers, [{ id: 'a', erased_at: 1 }]);
      return Promise.resolve();
    });
    expect(seen).toEqual(texts);
  });
});
