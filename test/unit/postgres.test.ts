import { describe, expect, it, vi } from 'vitest';
import {
  openPostgres,
  OutcomeUnknown,
  statement,
  StoreUnavailable,
  type Tx,
} from '../../src/platform/sql/index.js';
import { gate, listNotes, note, noted, readNote, useNoteStores } from '../support/postgres-notes.js';
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
  it('takes lists and rows, and answers whole numbers as numbers', async () => {
    await on.sql.transaction((tx) => tx.exec(note, ['a', 'x']));
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

  it('undoes a transaction that throws', async () => {
    const failing = on.sql.transaction(async (tx) => {
      await tx.exec(note, ['a', 'x']);
      tx.publish(noted, { text: 'never' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await on.notes()).toEqual([]);
    await on.sql.waitForChanges();
    expect(on.heard).toEqual([]);
  });

  it('undoes an attempt alone, however deep, with what it announced', async () => {
    await on.sql.transaction(async (tx) => {
      await tx.exec(note, ['a', 'kept']);
      const outer = tx.withSavepoint(async () => {
        await tx.exec(note, ['b', 'undone']);
        await tx.withSavepoint(async () => {
          await tx.exec(note, ['c', 'undone too']);
          tx.publish(noted, { text: 'undone' });
        });
        throw new Error('outer');
      });
      await expect(outer).rejects.toThrow('outer');
      tx.publish(noted, { text: 'kept' });
    });
    expect(await on.notes()).toEqual(['kept']);
    expect(on.heard).toEqual(['kept']);
  });

  it('tries again what a deadlock has undone', async () => {
    await on.sql.transaction((tx) => tx.exec(note, ['a', '0']));
    await on.sql.transaction((tx) => tx.exec(note, ['b', '0']));
    const both = [gate(), gate()] as const;
    let tries = 0;
    const cross = (first: string, second: string, own: 0 | 1) =>
      on.sql.transaction(async (tx) => {
        tries += 1;
        await tx.exec(note, [first, `${first}${second}`]);
        both[own].open();
        await both[own === 0 ? 1 : 0].opened;
        await tx.exec(note, [second, `${first}${second}`]);
      });
    await Promise.all([cross('a', 'b', 0), cross('b', 'a', 1)]);
    expect(tries).toBeGreaterThan(2);
    const [first, second] = await on.notes();
    expect(first).toBe(second);
  });

  it('tries again, at another time, what waited for a lock too long for the time it went by', async () => {
    await on.sql.transaction((tx) => tx.exec(note, ['a', '0']));
    const [taken, free] = [gate(), gate()];
    const holder = on.other.transaction(async (tx) => {
      await tx.exec(note, ['a', '1']);
      taken.open();
      await free.opened;
    });
    await taken.opened;
    const times: number[] = [];
    const waiter = on.sql.transaction(async (tx) => {
      times.push(tx.nowMs);
      const written = tx.exec(note, ['a', '2']);
      if (times.length === 1) setTimeout(free.open, 500);
      await written;
      tx.assertFreshTime();
    });
    await Promise.all([holder, waiter]);
    expect(times).toHaveLength(2);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(450);
    expect(await on.notes()).toEqual(['2']);
  });

  it('tries again when the connection is cut before the commit, and does it once', async () => {
    let tries = 0;
    await on.sql.transaction(async (tx) => {
      tries += 1;
      await tx.exec(note, [`try-${tries}`, 'x']);
      if (tries === 1) {
        const { pid } = (await tx.get(ownPid, [])) ?? { pid: 0 };
        await psql(on.url, `SELECT pg_terminate_backend(${pid})`);
      }
      await tx.exec(note, ['last', 'y']);
    });
    expect(tries).toBe(2);
    expect((await on.sql.reader.all(listNotes, [])).map(({ id }) => id)).toEqual(['last', 'try-2']);
  });

  it.each([
    ['that was waited for', false],
    ['that was sent along', true],
  ])('does not guess when the connection is cut during a commit %s', async (_name, isAlong) => {
    await psql(
      on.url,
      `CREATE OR REPLACE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(20); RETURN NULL; END $$;
       CREATE CONSTRAINT TRIGGER dawdle AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW WHEN (NEW.id = 'slow') EXECUTE FUNCTION dawdle();`,
    );
    let tries = 0;
    const outcome = on.sql.transaction(async (tx) => {
      tries += 1;
      const sent = tx.exec(note, ['slow', 'x']);
      if (isAlong) tx.pipelineCommit();
      await sent;
    });
    const cut = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND query = 'COMMIT' AND state = 'active'`;
    await Promise.all([
      expect(outcome).rejects.toBeInstanceOf(OutcomeUnknown),
      vi.waitUntil(async () => (await psql(on.url, cut)).trim() !== '0', { timeout: 10_000 }),
    ]);
    expect(tries).toBe(1);
    await psql(on.url, 'DROP TRIGGER dawdle ON notes');
  });

  it('has one transaction of a turn under way, and goes on after one that failed', async () => {
    let underWay = 0;
    let most = 0;
    const counted = (id: string) => (tx: Tx) => {
      underWay += 1;
      most = Math.max(most, underWay);
      return tx.exec(note, [id, id]).finally(() => {
        underWay -= 1;
        if (id === 'b') throw new Error('b is refused');
      });
    };
    await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => on.sql.transaction(counted(id), 'line')));
    expect(most).toBe(1);
    expect((await on.sql.reader.all(listNotes, [])).map(({ id }) => id)).toEqual(['a', 'c', 'd']);
  });

  it('does not make those wait who have no turn, or another', async () => {
    let begun = (): void => undefined;
    const whenBegun = new Promise<void>((resolve) => (begun = resolve));
    // Ends only if the other begins meanwhile.
    const first = on.sql.transaction(() => whenBegun, 'line');
    await on.sql.transaction(async (tx) => {
      begun();
      await tx.exec(note, ['b', 'b']);
    }, 'another line');
    await on.sql.transaction((tx) => tx.exec(note, ['a', 'a']));
    await first;
  });

  it('tells whoever waits too long for a connection', async () => {
    const narrow = await openPostgres({ address: on.address, connectionsMax: 3 });
    const { open, opened } = gate();
    const busy = narrow.transaction(async (tx) => {
      await tx.exec(note, ['a', 'x']);
      await opened;
    });
    await expect(narrow.transaction((tx) => tx.exec(note, ['b', 'x']))).rejects.toBeInstanceOf(
      StoreUnavailable,
    );
    open();
    await busy;
    await narrow.close();
  });
});

describe('statements that are sent together', () => {
  it('all tell the fault of the one that failed, so that it is known what it was', async () => {
    const collide = statement<[], { id: string }>('collide', `SELECT pg_temp.collide() AS id`);
    const prepare = statement(
      'prepare_collision',
      `CREATE OR REPLACE FUNCTION pg_temp.collide() RETURNS TEXT LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = 'deadlock_detected'; END $$`,
    );
    let tries = 0;
    const faults: unknown[] = [];
    await on.sql.transaction(async (tx) => {
      tries += 1;
      await tx.exec(prepare, []);
      if (tries > 2) return;
      const [, late] = await Promise.allSettled([tx.get(collide, []), tx.get(readNote, ['a'])]);
      faults.push(late.status === 'rejected' ? late.reason : undefined);
      if (late.status === 'rejected') throw late.reason;
    });
    // A deadlock is tried again, also where a later statement is the first that anybody waited for.
    expect(tries).toBe(3);
    for (const fault of faults) expect(fault).toMatchObject({ code: '40P01' });
  });
});
