import { describe, expect, it, vi } from 'vitest';
import {
  openPostgres,
  OutcomeUnknown,
  statement,
  StoreUnavailable,
  type Tx,
} from '../../src/platform/sql/index.js';
import {
  gate,
  listNotes,
  noteChanged,
  readNote,
  upsertNote,
  useNoteStores,
} from '../support/postgres-notes.js';
import { psql } from '../support/postgres/index.js';

const on = useNoteStores();

const ownPid = statement<[], { pid: number }>('own_pid', 'SELECT pg_backend_pid() AS pid');
const types = statement<
  [ids: readonly string[], numbers: readonly number[], rows: readonly { id: string; n: number }[]],
  { count: number; sum: number; total: number }
>(
  'types',
  (dialect) => `SELECT (SELECT count(*) FROM notes WHERE id ${dialect.anyOf('$1')}) AS count,
     (SELECT sum(r.n) FROM ${dialect.rows('$3', { id: 'text', n: 'bigint' })} AS r) AS sum,
     (SELECT count(*) FROM generate_series(1, 5) g WHERE g ${dialect.anyOf('CAST($2 AS BIGINT[])')}) AS total`,
);

describe('PostgreSQL behind the port', () => {
  it('accepts lists and rows and returns integers as numbers', async () => {
    await on.sql.transaction((tx) => tx.exec(upsertNote, ['a', 'x']));
    const row = await on.sql.reader.get(types, [
      ['a', 'b'],
      [1, 2, 9],
      [
        { id: 'a', n: 2 },
        { id: 'b', n: 2 ** 52 },
      ],
    ]);
    expect(row).toEqual({ count: 1, sum: 2 ** 52 + 2, total: 2 });
  });

  it('rolls back a transaction that throws', async () => {
    const failing = on.sql.transaction(async (tx) => {
      await tx.exec(upsertNote, ['a', 'x']);
      tx.publish(noteChanged, { text: 'never' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await on.notes()).toEqual([]);
    await on.sql.waitForChanges();
    expect(on.received).toEqual([]);
  });

  it('rolls back a savepoint, nested ones included, with what it published', async () => {
    await on.sql.transaction(async (tx) => {
      await tx.exec(upsertNote, ['a', 'kept']);
      const outer = tx.withSavepoint(async () => {
        await tx.exec(upsertNote, ['b', 'rolled back']);
        await tx.withSavepoint(async () => {
          await tx.exec(upsertNote, ['c', 'rolled back too']);
          tx.publish(noteChanged, { text: 'rolled back' });
        });
        throw new Error('outer');
      });
      await expect(outer).rejects.toThrow('outer');
      tx.publish(noteChanged, { text: 'kept' });
    });
    expect(await on.notes()).toEqual(['kept']);
    expect(on.received).toEqual(['kept']);
  });

  it('retries after a deadlock', async () => {
    await on.sql.transaction((tx) => tx.exec(upsertNote, ['a', '0']));
    await on.sql.transaction((tx) => tx.exec(upsertNote, ['b', '0']));
    const both = [gate(), gate()] as const;
    let attempts = 0;
    const cross = (first: string, second: string, own: 0 | 1) =>
      on.sql.transaction(async (tx) => {
        attempts += 1;
        await tx.exec(upsertNote, [first, `${first}${second}`]);
        both[own].open();
        await both[own === 0 ? 1 : 0].opened;
        await tx.exec(upsertNote, [second, `${first}${second}`]);
      });
    await Promise.all([cross('a', 'b', 0), cross('b', 'a', 1)]);
    expect(attempts).toBeGreaterThan(2);
    const [first, second] = await on.notes();
    expect(first).toBe(second);
  });

  it('retries when the connection is lost before the commit, and stores the work once', async () => {
    let attempts = 0;
    await on.sql.transaction(async (tx) => {
      attempts += 1;
      await tx.exec(upsertNote, [`attempt-${attempts}`, 'x']);
      if (attempts === 1) {
        const { pid } = (await tx.get(ownPid, [])) ?? { pid: 0 };
        await psql(on.url, `SELECT pg_terminate_backend(${pid})`);
      }
      await tx.exec(upsertNote, ['last', 'y']);
    });
    expect(attempts).toBe(2);
    expect((await on.sql.reader.all(listNotes, [])).map(({ id }) => id)).toEqual(['attempt-2', 'last']);
  });

  it.each([
    ['that is sent separately', false],
    ['that is pipelined', true],
  ])('reports OutcomeUnknown if the connection is lost during a commit %s', async (_name, isPipelined) => {
    await psql(
      on.url,
      `CREATE OR REPLACE FUNCTION sleep_before_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(20); RETURN NULL; END $$;
       CREATE CONSTRAINT TRIGGER sleep_before_commit AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW WHEN (NEW.id = 'slow') EXECUTE FUNCTION sleep_before_commit();`,
    );
    let attempts = 0;
    const outcome = on.sql.transaction(async (tx) => {
      attempts += 1;
      const sent = tx.exec(upsertNote, ['slow', 'x']);
      if (isPipelined) tx.pipelineCommit();
      await sent;
    });
    const cut = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND query = 'COMMIT' AND state = 'active'`;
    await Promise.all([
      expect(outcome).rejects.toBeInstanceOf(OutcomeUnknown),
      vi.waitUntil(async () => (await psql(on.url, cut)).trim() !== '0', { timeout: 10_000 }),
    ]);
    expect(attempts).toBe(1);
    await psql(on.url, 'DROP TRIGGER sleep_before_commit ON notes');
  });

  it('runs transactions with the same mutex key one at a time, also after one that failed', async () => {
    let running = 0;
    let runningMax = 0;
    const counted = (id: string) => (tx: Tx) => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      return tx.exec(upsertNote, [id, id]).finally(() => {
        running -= 1;
        if (id === 'b') throw new Error('b is refused');
      });
    };
    await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((id) => on.sql.transaction(counted(id), { mutexKey: 'queue' })),
    );
    expect(runningMax).toBe(1);
    expect((await on.sql.reader.all(listNotes, [])).map(({ id }) => id)).toEqual(['a', 'c', 'd']);
  });

  it('does not delay transactions without a mutex key or with another one', async () => {
    let begun = (): void => undefined;
    const whenBegun = new Promise<void>((resolve) => (begun = resolve));
    // Ends only after the second transaction has begun.
    const first = on.sql.transaction(() => whenBegun, { mutexKey: 'queue' });
    await on.sql.transaction(
      async (tx) => {
        begun();
        await tx.exec(upsertNote, ['b', 'b']);
      },
      { mutexKey: 'another queue' },
    );
    await on.sql.transaction((tx) => tx.exec(upsertNote, ['a', 'a']));
    await first;
  });

  it('fails a transaction that waits too long for a connection', async () => {
    const narrow = await openPostgres({ address: on.address, connectionsMax: 3 });
    const { open, opened } = gate();
    const busy = narrow.transaction(async (tx) => {
      await tx.exec(upsertNote, ['a', 'x']);
      await opened;
    });
    await expect(narrow.transaction((tx) => tx.exec(upsertNote, ['b', 'x']))).rejects.toBeInstanceOf(
      StoreUnavailable,
    );
    open();
    await busy;
    await narrow.close();
  });
});

describe('pipelined statements', () => {
  it('all report the error of the first one that failed', async () => {
    const fail = statement<[], { id: string }>('fail', `SELECT pg_temp.raise_deadlock() AS id`);
    const prepare = statement(
      'prepare_failure',
      `CREATE OR REPLACE FUNCTION pg_temp.raise_deadlock() RETURNS TEXT LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = 'deadlock_detected'; END $$`,
    );
    let attempts = 0;
    const errors: unknown[] = [];
    await on.sql.transaction(async (tx) => {
      attempts += 1;
      await tx.exec(prepare, []);
      if (attempts > 2) return;
      const [, late] = await Promise.allSettled([tx.get(fail, []), tx.get(readNote, ['a'])]);
      errors.push(late.status === 'rejected' ? late.reason : undefined);
      if (late.status === 'rejected') throw late.reason;
    });
    // A deadlock is retried even if a later statement is the first one whose result was awaited.
    expect(attempts).toBe(3);
    for (const error of errors) expect(error).toMatchObject({ code: '40P01' });
  });
});
