import { describe, expect, it } from 'vitest';
import { InvariantViolation } from '../../src/kernel/assert.js';
import { settleAll } from '../../src/kernel/settle-all.js';
import { statement, type Tx } from '../../src/platform/sql/index.js';
import { gate, noteChanged, upsertNote, useNoteStores } from '../support/postgres-notes.js';
import { psql } from '../support/postgres/index.js';

const on = useNoteStores();

describe('a pipelined commit', () => {
  const lockNote = statement<[id: string], { id: string }>(
    'lock_note',
    'SELECT id FROM notes WHERE id = $1 FOR UPDATE',
  );

  /** Whether another transaction could lock the row before the work of the first one had returned. */
  async function isUnlockedEarly(end: (tx: Tx) => void): Promise<boolean> {
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
    const isUnlocked = isLocked;
    open();
    await Promise.all([slow, quick]);
    return isUnlocked;
  }

  it('releases locks without waiting for the process', async () => {
    await psql(on.url, `INSERT INTO notes VALUES ('a', 'x')`);
    expect(
      await isUnlockedEarly((tx) => {
        tx.pipelineCommit();
      }),
    ).toBe(true);
    expect(await isUnlockedEarly(() => undefined)).toBe(false);
  });

  it('rolls back everything when one statement fails, and reports that failure', async () => {
    const insertInvalid = statement<[id: string]>('insert_invalid', 'INSERT INTO notes (id) VALUES ($1)');
    const outcome = on.sql.transaction(async (tx) => {
      const sent = [
        tx.exec(upsertNote, ['a', 'x']),
        tx.exec(insertInvalid, ['b']),
        tx.exec(upsertNote, ['c', 'x']),
      ];
      tx.publish(noteChanged, { text: 'never' });
      tx.pipelineCommit();
      await settleAll(sent);
    });
    await expect(outcome).rejects.toMatchObject({ code: '23502' });
    await on.other.waitForChanges();
    expect(await on.notes()).toEqual([]);
    expect(on.receivedByOther).toEqual([]);
  });

  it('is retried after a deadlock', async () => {
    const failOnce = statement<[], { id: string }>(
      'fail_once',
      `SELECT CASE WHEN nextval('calls') = 1 THEN raise_deadlock() ELSE '' END AS id`,
    );
    await psql(
      on.url,
      `CREATE SEQUENCE calls; CREATE FUNCTION raise_deadlock() RETURNS TEXT LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = 'deadlock_detected'; END $$`,
    );
    let attempts = 0;
    await on.sql.transaction(async (tx) => {
      attempts += 1;
      const sent = [tx.exec(upsertNote, ['a', `attempt ${attempts}`]), tx.get(failOnce, [])] as const;
      tx.pipelineCommit();
      await settleAll(sent);
    });
    expect(await on.notes()).toEqual(['attempt 2']);
  });

  it('refuses further statements', async () => {
    const outcome = on.sql.transaction(async (tx) => {
      await tx.exec(upsertNote, ['a', 'x']);
      tx.pipelineCommit();
      await tx.exec(upsertNote, ['b', 'x']);
    });
    await expect(outcome).rejects.toBeInstanceOf(InvariantViolation);
    expect(await on.notes()).toEqual(['x']);
  });
});
