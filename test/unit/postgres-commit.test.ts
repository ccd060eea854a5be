import { describe, expect, it } from 'vitest';
import { InvariantViolation } from '../../src/kernel/assert.js';
import { settleAll } from '../../src/kernel/settle-all.js';
import { statement, type Tx } from '../../src/platform/sql/index.js';
import { gate, note, noted, useNoteStores } from '../support/postgres-notes.js';
import { psql } from '../support/postgres/index.js';

const on = useNoteStores();

describe('a transaction that ends with what was sent', () => {
  const lockNote = statement<[id: string], { id: string }>(
    'lock_note',
    'SELECT id FROM notes WHERE id = $1 FOR UPDATE',
  );

  /** Whether another could lock the row while the process of the first had not come back to its work. */
  async function isFreeMeanwhile(end: (tx: Tx) => void): Promise<boolean> {
    const { open, opened } = gate();
    const sent = gate();
    const slow = on.sql.transaction(async (tx) => {
      const locked = tx.lock(lockNote, ['a']);
      end(tx);
      await locked;
      sent.open();
      await opened;
    });
    await sent.opened;
    let isLocked = false;
    const quick = on.other.transaction((tx) => tx.lock(lockNote, ['a'])).then(() => (isLocked = true));
    await Promise.race([quick, new Promise((resolve) => setTimeout(resolve, 500))]);
    const isFree = isLocked;
    open();
    await Promise.all([slow, quick]);
    return isFree;
  }

  it('keeps nobody waiting for its process', async () => {
    await psql(on.url, `INSERT INTO notes VALUES ('a', 'x')`);
    expect(
      await isFreeMeanwhile((tx) => {
        tx.pipelineCommit();
      }),
    ).toBe(true);
    expect(await isFreeMeanwhile(() => undefined)).toBe(false);
  });

  it('is undone as a whole where one of them fails, and tells which', async () => {
    const nothing = statement<[id: string]>('note_nothing', 'INSERT INTO notes (id) VALUES ($1)');
    const outcome = on.sql.transaction(async (tx) => {
      const sent = [tx.exec(note, ['a', 'x']), tx.exec(nothing, ['b']), tx.exec(note, ['c', 'x'])];
      tx.publish(noted, { text: 'never' });
      tx.pipelineCommit();
      await settleAll(sent);
    });
    await expect(outcome).rejects.toMatchObject({ code: '23502' });
    await on.other.waitForChanges();
    expect(await on.notes()).toEqual([]);
    expect(on.heardByOther).toEqual([]);
  });

  it('is tried again after a collision', async () => {
    const collide = statement<[], { id: string }>(
      'collide_once',
      `SELECT CASE WHEN nextval('collisions') = 1 THEN collide() ELSE '' END AS id`,
    );
    await psql(
      on.url,
      `CREATE SEQUENCE collisions; CREATE FUNCTION collide() RETURNS TEXT LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = 'deadlock_detected'; END $$`,
    );
    let tries = 0;
    await on.sql.transaction(async (tx) => {
      tries += 1;
      const sent = [tx.exec(note, ['a', `try ${tries}`]), tx.get(collide, [])] as const;
      tx.pipelineCommit();
      await settleAll(sent);
    });
    expect(await on.notes()).toEqual(['try 2']);
  });

  it('takes nothing more', async () => {
    const outcome = on.sql.transaction(async (tx) => {
      await tx.exec(note, ['a', 'x']);
      tx.pipelineCommit();
      await tx.exec(note, ['b', 'x']);
    });
    await expect(outcome).rejects.toBeInstanceOf(InvariantViolation);
    expect(await on.notes()).toEqual(['x']);
  });
});
