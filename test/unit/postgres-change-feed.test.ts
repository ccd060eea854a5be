import { describe, expect, it } from 'vitest';
import { openPostgres, statement, type Sql } from '../../src/platform/sql/index.js';
import { gate, note, noted, readNote, useNoteStores } from '../support/postgres-notes.js';
import { psql } from '../support/postgres/index.js';

const on = useNoteStores();

describe('what processes tell each other', () => {
  it('may be what a write answers, row by row, and is nothing when it answers nothing', async () => {
    const renote = statement<[text: string, id: string], { text: string }>(
      'renote',
      'UPDATE notes SET text = $1 WHERE id = $2 RETURNING text',
    );
    await psql(on.url, `INSERT INTO notes VALUES ('a', 'x')`);
    await on.sql.transaction(async (tx) => {
      await tx.publishRows(noted, renote, ['of nobody', 'b']);
      await tx.publishRows(noted, renote, ['it’s "so"', 'a']);
    });
    expect(on.heard).toEqual(['it’s "so"']);
    await on.other.waitForChanges();
    expect(on.heardByOther).toEqual(['it’s "so"']);
  });

  it('is known to whoever made it before they hear that it is done, and to others before their next answer', async () => {
    await on.sql.transaction(async (tx) => {
      await tx.exec(note, ['a', 'x']);
      tx.publish(noted, { text: 'one' });
      tx.afterCommit(() => on.heard.push('after'));
    });
    expect(on.heard).toEqual(['one', 'after']);
    await on.other.waitForChanges();
    expect(on.heardByOther).toEqual(['one']);
  });

  it('is told once, also when an earlier transaction commits later', async () => {
    const { open, opened } = gate();
    const begun = gate();
    const slow = on.sql.transaction(async (tx) => {
      await tx.exec(note, ['slow', 'x']);
      tx.publish(noted, { text: 'began first' });
      begun.open();
      await opened;
    });
    await begun.opened;
    await on.sql.transaction(async (tx) => {
      await tx.exec(note, ['quick', 'x']);
      tx.publish(noted, { text: 'began second' });
    });
    await on.other.waitForChanges();
    expect(on.heardByOther).toEqual(['began second']);
    open();
    await slow;
    await on.other.waitForChanges();
    await on.other.waitForChanges();
    expect(on.heardByOther).toEqual(['began second', 'began first']);
  });

  it('comes in the order in which one row was changed, whoever changed it', async () => {
    const change = (store: Sql, text: string) =>
      store.transaction(async (tx) => {
        await tx.exec(note, ['row', text]);
        tx.publish(noted, { text });
      });
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => change(index % 2 === 0 ? on.sql : on.other, String(index))),
    );
    await Promise.all([on.sql.waitForChanges(), on.other.waitForChanges()]);
    expect(on.heard).toHaveLength(60);
    expect(on.heardByOther).toEqual(on.heard);
    expect(on.heard.at(-1)).toBe((await on.sql.reader.get(readNote, ['row']))?.text);
  });

  it('is not told to who has just come before they ask, and then all of it', async () => {
    const late = await openPostgres({ address: on.address, connectionsMax: 4 });
    const heardByLate: string[] = [];
    late.subscribe(noted, ({ text }) => heardByLate.push(text));
    await on.sql.transaction(async (tx) => {
      await tx.exec(note, ['a', 'x']);
      tx.publish(noted, { text: 'while it was reading' });
    });
    // Longer than a process that has once asked ever waits to ask again.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(heardByLate).toEqual([]);
    await late.waitForChanges();
    expect(heardByLate).toEqual(['while it was reading']);
    await late.close();
  });

  it('is asked for once by all who ask at the same time', async () => {
    const waits = Array.from({ length: 50 }, () => on.other.waitForChanges());
    expect(new Set(waits).size).toBe(1);
    await waits[0];
  });

  it('is asked for once by those who come turn after turn, but does not wait for ever while they come', async () => {
    const waits: Promise<void>[] = [];
    for (let turn = 0; turn < 600; turn += 1) {
      waits.push(on.other.waitForChanges() ?? Promise.reject(new Error('there are others')));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set(waits.slice(0, 200)).size).toBe(1);
    expect(new Set(waits).size).toBeGreaterThan(1);
    await Promise.all(waits);
  });
});
