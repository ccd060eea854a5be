import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  migratePostgres,
  openPostgres,
  OutcomeUnknown,
  parsePostgresUrl,
  type PostgresAddress,
  type Sql,
  statement,
  StoreUnavailable,
  topic,
  type Tx,
} from '../../src/platform/sql/index.js';
import { createTestDatabase, psql } from '../support/postgres/index.js';

const noted = topic<{ readonly text: string }>('noted');

const note = statement<[id: string, text: string]>(
  'note',
  'INSERT INTO notes (id, text) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET text = excluded.text',
);
const readNote = statement<[id: string], { text: string }>(
  'read_note',
  'SELECT text FROM notes WHERE id = $1',
);
const listNotes = statement<[], { id: string; text: string }>(
  'list_notes',
  'SELECT id, text FROM notes ORDER BY id',
);
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

let url: string;
let drop: () => Promise<void>;
let address: PostgresAddress;
let sql: Sql;
let other: Sql;
let heard: string[];
let heardByOther: string[];

beforeAll(async () => {
  ({ url, drop } = await createTestDatabase());
  const parsed = parsePostgresUrl(url);
  if (!parsed) throw new Error('the test database has no address');
  address = parsed;
  await migratePostgres(address);
  await psql(url, 'CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL)');
  sql = await openPostgres({ address, connectionsMax: 8 });
  other = await openPostgres({ address, connectionsMax: 4 });
  sql.subscribe(noted, ({ text }) => heard.push(text));
  other.subscribe(noted, ({ text }) => heardByOther.push(text));
});

afterAll(async () => {
  await sql.close();
  await other.close();
  await drop();
});

beforeEach(async () => {
  await psql(url, 'TRUNCATE notes');
  await Promise.all([sql.caughtUp(), other.caughtUp()]);
  heard = [];
  heardByOther = [];
});

const notes = async (): Promise<string[]> => (await sql.reader.all(listNotes, [])).map(({ text }) => text);

/** A promise and the means to keep it. */
function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

describe('PostgreSQL behind the port', () => {
  it('takes lists and rows, and answers whole numbers as numbers', async () => {
    await sql.transaction((tx) => tx.run(note, ['a', 'x']));
    const row = await sql.reader.get(types, [
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
    const failing = sql.transaction(async (tx) => {
      await tx.run(note, ['a', 'x']);
      tx.announce(noted, { text: 'never' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await notes()).toEqual([]);
    await sql.caughtUp();
    expect(heard).toEqual([]);
  });

  it('undoes an attempt alone, however deep, with what it announced', async () => {
    await sql.transaction(async (tx) => {
      await tx.run(note, ['a', 'kept']);
      const outer = tx.attempt(async () => {
        await tx.run(note, ['b', 'undone']);
        await tx.attempt(async () => {
          await tx.run(note, ['c', 'undone too']);
          tx.announce(noted, { text: 'undone' });
        });
        throw new Error('outer');
      });
      await expect(outer).rejects.toThrow('outer');
      tx.announce(noted, { text: 'kept' });
    });
    expect(await notes()).toEqual(['kept']);
    expect(heard).toEqual(['kept']);
  });

  it('tries again what a deadlock has undone', async () => {
    await sql.transaction((tx) => tx.run(note, ['a', '0']));
    await sql.transaction((tx) => tx.run(note, ['b', '0']));
    const both = [gate(), gate()] as const;
    let tries = 0;
    const cross = (first: string, second: string, own: 0 | 1) =>
      sql.transaction(async (tx) => {
        tries += 1;
        await tx.run(note, [first, `${first}${second}`]);
        both[own].open();
        await both[own === 0 ? 1 : 0].opened;
        await tx.run(note, [second, `${first}${second}`]);
      });
    await Promise.all([cross('a', 'b', 0), cross('b', 'a', 1)]);
    expect(tries).toBeGreaterThan(2);
    const [first, second] = await notes();
    expect(first).toBe(second);
  });

  it('tries again, at another time, what waited for a lock too long for the time it went by', async () => {
    await sql.transaction((tx) => tx.run(note, ['a', '0']));
    const [taken, free] = [gate(), gate()];
    const holder = other.transaction(async (tx) => {
      await tx.run(note, ['a', '1']);
      taken.open();
      await free.opened;
    });
    await taken.opened;
    const times: number[] = [];
    const waiter = sql.transaction(async (tx) => {
      times.push(tx.nowMs);
      const written = tx.run(note, ['a', '2']);
      if (times.length === 1) setTimeout(free.open, 500);
      await written;
      tx.requireTimely();
    });
    await Promise.all([holder, waiter]);
    expect(times).toHaveLength(2);
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(450);
    expect(await notes()).toEqual(['2']);
  });

  it('tries again when the connection is cut before the commit, and does it once', async () => {
    let tries = 0;
    await sql.transaction(async (tx) => {
      tries += 1;
      await tx.run(note, [`try-${tries}`, 'x']);
      if (tries === 1) {
        const { pid } = (await tx.get(ownPid, [])) ?? { pid: 0 };
        await psql(url, `SELECT pg_terminate_backend(${pid})`);
      }
      await tx.run(note, ['last', 'y']);
    });
    expect(tries).toBe(2);
    expect((await sql.reader.all(listNotes, [])).map(({ id }) => id)).toEqual(['last', 'try-2']);
  });

  it('does not guess when the connection is cut during the commit', async () => {
    await psql(
      url,
      `CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(20); RETURN NULL; END $$;
       CREATE CONSTRAINT TRIGGER dawdle AFTER INSERT ON notes DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW WHEN (NEW.id = 'slow') EXECUTE FUNCTION dawdle();`,
    );
    let tries = 0;
    const outcome = sql.transaction(async (tx) => {
      tries += 1;
      await tx.run(note, ['slow', 'x']);
    });
    const cut = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND query = 'COMMIT' AND state = 'active'`;
    await Promise.all([
      expect(outcome).rejects.toBeInstanceOf(OutcomeUnknown),
      vi.waitUntil(async () => (await psql(url, cut)).trim() !== '0', { timeout: 10_000 }),
    ]);
    expect(tries).toBe(1);
    await psql(url, 'DROP TRIGGER dawdle ON notes');
  });

  it('has one transaction of a turn under way, and goes on after one that failed', async () => {
    let underWay = 0;
    let most = 0;
    const counted = (id: string) => (tx: Tx) => {
      underWay += 1;
      most = Math.max(most, underWay);
      return tx.run(note, [id, id]).finally(() => {
        underWay -= 1;
        if (id === 'b') throw new Error('b is refused');
      });
    };
    await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => sql.transaction(counted(id), 'line')));
    expect(most).toBe(1);
    expect((await sql.reader.all(listNotes, [])).map(({ id }) => id)).toEqual(['a', 'c', 'd']);
  });

  it('does not make those wait who have no turn, or another', async () => {
    let begun = (): void => undefined;
    const whenBegun = new Promise<void>((resolve) => (begun = resolve));
    // Ends only if the other begins meanwhile.
    const first = sql.transaction(() => whenBegun, 'line');
    await sql.transaction(async (tx) => {
      begun();
      await tx.run(note, ['b', 'b']);
    }, 'another line');
    await sql.transaction((tx) => tx.run(note, ['a', 'a']));
    await first;
  });

  it('tells whoever waits too long for a connection', async () => {
    const narrow = await openPostgres({ address, connectionsMax: 3 });
    const { open, opened } = gate();
    const busy = narrow.transaction(async (tx) => {
      await tx.run(note, ['a', 'x']);
      await opened;
    });
    await expect(narrow.transaction((tx) => tx.run(note, ['b', 'x']))).rejects.toBeInstanceOf(
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
    await sql.transaction(async (tx) => {
      tries += 1;
      await tx.run(prepare, []);
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

describe('what processes tell each other', () => {
  it('is known to whoever made it before they hear that it is done, and to others before their next answer', async () => {
    await sql.transaction(async (tx) => {
      await tx.run(note, ['a', 'x']);
      tx.announce(noted, { text: 'one' });
      tx.afterCommit(() => heard.push('after'));
    });
    expect(heard).toEqual(['one', 'after']);
    await other.caughtUp();
    expect(heardByOther).toEqual(['one']);
  });

  it('is told once, also when an earlier transaction commits later', async () => {
    const { open, opened } = gate();
    const begun = gate();
    const slow = sql.transaction(async (tx) => {
      await tx.run(note, ['slow', 'x']);
      tx.announce(noted, { text: 'began first' });
      begun.open();
      await opened;
    });
    await begun.opened;
    await sql.transaction(async (tx) => {
      await tx.run(note, ['quick', 'x']);
      tx.announce(noted, { text: 'began second' });
    });
    await other.caughtUp();
    expect(heardByOther).toEqual(['began second']);
    open();
    await slow;
    await other.caughtUp();
    await other.caughtUp();
    expect(heardByOther).toEqual(['began second', 'began first']);
  });

  it('comes in the order in which one row was changed, whoever changed it', async () => {
    const change = (store: Sql, text: string) =>
      store.transaction(async (tx) => {
        await tx.run(note, ['row', text]);
        tx.announce(noted, { text });
      });
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => change(index % 2 === 0 ? sql : other, String(index))),
    );
    await Promise.all([sql.caughtUp(), other.caughtUp()]);
    expect(heard).toHaveLength(60);
    expect(heardByOther).toEqual(heard);
    expect(heard.at(-1)).toBe((await sql.reader.get(readNote, ['row']))?.text);
  });

  it('is not told to who has just come before they ask, and then all of it', async () => {
    const late = await openPostgres({ address, connectionsMax: 4 });
    const heardByLate: string[] = [];
    late.subscribe(noted, ({ text }) => heardByLate.push(text));
    await sql.transaction(async (tx) => {
      await tx.run(note, ['a', 'x']);
      tx.announce(noted, { text: 'while it was reading' });
    });
    // Longer than a process that has once asked ever waits to ask again.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(heardByLate).toEqual([]);
    await late.caughtUp();
    expect(heardByLate).toEqual(['while it was reading']);
    await late.close();
  });

  it('is asked for once by all who ask at the same time', async () => {
    const waits = Array.from({ length: 50 }, () => other.caughtUp());
    expect(new Set(waits).size).toBe(1);
    await waits[0];
  });

  it('is asked for once by those who come turn after turn, but does not wait for ever while they come', async () => {
    const waits: Promise<void>[] = [];
    for (let turn = 0; turn < 600; turn += 1) {
      waits.push(other.caughtUp() ?? Promise.reject(new Error('there are others')));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set(waits.slice(0, 200)).size).toBe(1);
    expect(new Set(waits).size).toBeGreaterThan(1);
    await Promise.all(waits);
  });
});
