import { describe, expect, it } from 'vitest';
import { openPostgres, statement, type Sql } from '../../src/platform/sql/index.js';
import { gate, noteChanged, readNote, upsertNote, useNoteStores } from '../support/postgres-notes.js';
import { psql } from '../support/postgres/index.js';

const on = useNoteStores();

describe('the change feed', () => {
  it('delivers each row that a write returns', async () => {
    const updateNote = statement<[text: string, id: string], { text: string }>(
      'update_note',
      'UPDATE notes SET text = $1 WHERE id = $2 RETURNING text',
    );
    await psql(on.url, `INSERT INTO notes VALUES ('a', 'x')`);
    await on.sql.transaction(async (tx) => {
      await tx.publishRows(noteChanged, updateNote, ['of no row', 'b']);
      await tx.publishRows(noteChanged, updateNote, ['it’s "so"', 'a']);
    });
    expect(on.received).toEqual(['it’s "so"']);
    await on.other.waitForChanges();
    expect(on.receivedByOther).toEqual(['it’s "so"']);
  });

  it('delivers a change to its publisher before the transaction resolves, and to others by waitForChanges', async () => {
    await on.sql.transaction(async (tx) => {
      await tx.exec(upsertNote, ['a', 'x']);
      tx.publish(noteChanged, { text: 'one' });
      tx.afterCommit(() => on.received.push('after'));
    });
    expect(on.received).toEqual(['one', 'after']);
    await on.other.waitForChanges();
    expect(on.receivedByOther).toEqual(['one']);
  });

  it('delivers each change once, also when an earlier transaction commits later', async () => {
    const { open, opened } = gate();
    const begun = gate();
    const slow = on.sql.transaction(async (tx) => {
      await tx.exec(upsertNote, ['slow', 'x']);
      tx.publish(noteChanged, { text: 'began first' });
      begun.open();
      await opened;
    });
    await begun.opened;
    await on.sql.transaction(async (tx) => {
      await tx.exec(upsertNote, ['quick', 'x']);
      tx.publish(noteChanged, { text: 'began second' });
    });
    await on.other.waitForChanges();
    expect(on.receivedByOther).toEqual(['began second']);
    open();
    await slow;
    await on.other.waitForChanges();
    await on.other.waitForChanges();
    expect(on.receivedByOther).toEqual(['began second', 'began first']);
  });

  it('delivers changes of one row in the order of its updates', async () => {
    const change = (store: Sql, text: string) =>
      store.transaction(async (tx) => {
        await tx.exec(upsertNote, ['row', text]);
        tx.publish(noteChanged, { text });
      });
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => change(index % 2 === 0 ? on.sql : on.other, String(index))),
    );
    await Promise.all([on.sql.waitForChanges(), on.other.waitForChanges()]);
    expect(on.received).toHaveLength(60);
    expect(on.receivedByOther).toEqual(on.received);
    expect(on.received.at(-1)).toBe((await on.sql.reader.get(readNote, ['row']))?.text);
  });

  it('delivers nothing to a new process before its first waitForChanges, then everything', async () => {
    const late = await openPostgres({ address: on.address, connectionsMax: 4 });
    const receivedByLate: string[] = [];
    late.subscribe(noteChanged, ({ text }) => receivedByLate.push(text));
    await on.sql.transaction(async (tx) => {
      await tx.exec(upsertNote, ['a', 'x']);
      tx.publish(noteChanged, { text: 'during the load' });
    });
    // Longer than the interval of idle polls.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(receivedByLate).toEqual([]);
    await late.waitForChanges();
    expect(receivedByLate).toEqual(['during the load']);
    await late.close();
  });

  it('is read once for concurrent waiters', async () => {
    const waits = Array.from({ length: 50 }, () => on.other.waitForChanges());
    expect(new Set(waits).size).toBe(1);
    await waits[0];
  });

  it('is read once for waiters of consecutive event-loop iterations, but does not collect them forever', async () => {
    const waits: Promise<void>[] = [];
    for (let iteration = 0; iteration < 600; iteration += 1) {
      waits.push(on.other.waitForChanges());
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set(waits.slice(0, 200)).size).toBe(1);
    expect(new Set(waits).size).toBeGreaterThan(1);
    await Promise.all(waits);
  });
});

describe('purging the change feed', () => {
  const insertOld = (count: number, topic: string): Promise<unknown> =>
    psql(
      on.url,
      `INSERT INTO changes (topic, change, published_at)
       SELECT '${topic}', '[]', now() - interval '1 hour' FROM generate_series(1, ${count})`,
    );
  const lockOneChange = statement<[topic: string], { id: number }>(
    'lock_one_change',
    'SELECT id FROM changes WHERE topic = $1 LIMIT 1 FOR UPDATE',
  );
  const countChanges = statement<[topic: string], { count: number }>(
    'count_changes',
    'SELECT CAST(count(*) AS BIGINT) AS "count" FROM changes WHERE topic = $1',
  );

  it('deletes old changes in batches and keeps young ones', async () => {
    await insertOld(5001, 'old');
    await psql(on.url, `INSERT INTO changes (topic, change) VALUES ('young', '[]')`);
    expect(await on.sql.purgeChangeFeed()).toBe(true);
    expect(await on.sql.purgeChangeFeed()).toBe(false);
    expect(await on.sql.reader.get(countChanges, ['old'])).toEqual({ count: 0 });
    expect(await on.sql.reader.get(countChanges, ['young'])).toEqual({ count: 1 });
  });

  it('does not use the connection that every request waits for', async () => {
    await insertOld(1, 'locked');
    const locked = gate();
    const { open, opened } = gate();
    const holder = on.other.transaction(async (tx) => {
      await tx.all(lockOneChange, ['locked']);
      locked.open();
      await opened;
    });
    await locked.opened;
    let isPurged = false;
    const purge = on.sql.purgeChangeFeed().then(() => (isPurged = true));
    // The purge waits for the lock; reading the feed does not wait for the purge.
    await on.sql.waitForChanges();
    expect(isPurged).toBe(false);
    open();
    await Promise.all([holder, purge]);
  });
});
