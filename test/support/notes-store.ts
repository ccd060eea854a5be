import Database from 'better-sqlite3';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { openSqlite, type Sql, statement } from '../../src/platform/sql/index.js';
import { memoryDirectory } from './memory-directory.js';

const createNotes = statement(
  'create_notes',
  'CREATE TABLE notes (id TEXT PRIMARY KEY, body TEXT, size BIGINT)',
);
const createReplies = statement(
  'create_replies',
  'CREATE TABLE replies (id TEXT PRIMARY KEY, note_id TEXT NOT NULL REFERENCES notes (id))',
);
export const insertNote = statement<[id: string, body: string | null]>(
  'insert_note',
  'INSERT INTO notes (id, body) VALUES ($1, $2)',
);
export const insertReply = statement<[id: string, noteId: string]>(
  'insert_reply',
  'INSERT INTO replies VALUES ($1, $2)',
);
export const findNote = statement<[id: string], { id: string; body: string | null }>(
  'find_note',
  'SELECT id, body FROM notes WHERE id = $1',
);
export const listNotes = statement<[], { id: string }>('list_notes', 'SELECT id FROM notes ORDER BY id');

export interface TestStore {
  readonly sql: Sql;
  readonly file: string;
  readonly groups: number[];
  readonly fatal: ReturnType<typeof vi.fn<(error: unknown) => void>>;
  /** The ids that another connection sees now, which are the durable ones. */
  readonly durableIds: () => string[];
}

export const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Opens a new store with two small tables and closes it at the end of the test. */
export async function openTestStore(clock: () => number = Date.now): Promise<TestStore> {
  const file = join(memoryDirectory(), 'test.db');
  const groups: number[] = [];
  const fatal = vi.fn<(error: unknown) => void>();
  const sql = openSqlite({ file, clock, onFatal: fatal, onCommit: (size) => groups.push(size) });
  await sql.transaction(async (tx) => {
    await tx.exec(createNotes, []);
    await tx.exec(createReplies, []);
  });
  const outside = new Database(file, { readonly: true });
  groups.length = 0;
  onTestFinished(async () => {
    outside.close();
    // After a fatal error the process would have ended; there is nothing to close.
    if (fatal.mock.calls.length === 0) await sql.close();
  });
  return {
    sql,
    file,
    groups,
    fatal,
    durableIds: () => idsOf(outside.prepare<[], { id: string }>('SELECT id FROM notes ORDER BY id').all()),
  };
}

export const addNote = (sql: Sql, id: string): Promise<number> =>
  sql.transaction((tx) => tx.exec(insertNote, [id, null]));

export const runEventLoop = async (count = 5): Promise<void> => {
  for (let iteration = 0; iteration < count; iteration += 1)
    await new Promise((resolve) => setImmediate(resolve));
};
