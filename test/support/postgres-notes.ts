import { afterAll, beforeAll, beforeEach } from 'vitest';
import {
  migratePostgres,
  openPostgres,
  parsePostgresUrl,
  type PostgresAddress,
  type Sql,
  statement,
  topic,
} from '../../src/platform/sql/index.js';
import { createTestDatabase, psql } from './postgres/index.js';

export const noteChanged = topic<{ readonly text: string }>('note_changed');

export const upsertNote = statement<[id: string, text: string]>(
  'upsert_note',
  'INSERT INTO notes (id, text) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET text = excluded.text',
);
export const readNote = statement<[id: string], { text: string }>(
  'read_note',
  'SELECT text FROM notes WHERE id = $1',
);
export const listNotes = statement<[], { id: string; text: string }>(
  'list_notes',
  'SELECT id, text FROM notes ORDER BY id',
);
/** Two stores, like those of two processes, on one database with a small table, and the changes each has received. */
export interface NoteStores {
  url: string;
  address: PostgresAddress;
  sql: Sql;
  other: Sql;
  received: string[];
  receivedByOther: string[];
  notes(): Promise<string[]>;
}

/** Call it at the top level of a test file. The stores exist while its tests run and are empty at the start of each. */
export function useNoteStores(): NoteStores {
  const stores = { received: [], receivedByOther: [] } as unknown as NoteStores;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const database = await createTestDatabase();
    ({ drop } = database);
    const address = parsePostgresUrl(database.url);
    if (!address) throw new Error('invalid URL of the test database');
    await migratePostgres(address);
    await psql(database.url, 'CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL)');
    const sql = await openPostgres({ address, connectionsMax: 8 });
    const other = await openPostgres({ address, connectionsMax: 4 });
    sql.subscribe(noteChanged, ({ text }) => stores.received.push(text));
    other.subscribe(noteChanged, ({ text }) => stores.receivedByOther.push(text));
    const notes = async (): Promise<string[]> =>
      (await sql.reader.all(listNotes, [])).map(({ text }) => text);
    Object.assign(stores, { url: database.url, address, sql, other, notes });
  });

  afterAll(async () => {
    await stores.sql.close();
    await stores.other.close();
    await drop();
  });

  beforeEach(async () => {
    await psql(stores.url, 'TRUNCATE notes');
    await Promise.all([stores.sql.waitForChanges(), stores.other.waitForChanges()]);
    stores.received = [];
    stores.receivedByOther = [];
  });

  return stores;
}

/** A promise that resolves when `open` is called. */
export function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}
