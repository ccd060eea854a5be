import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  migratePostgres,
  migrateSqlite,
  openPostgres,
  openSqlite,
  parsePostgresUrl,
  type Sql,
} from '../../src/platform/sql/index.js';
import { memoryDirectory } from './memory-directory.js';
import { createTestDatabase } from './postgres/index.js';

/** A store on a new database with Foyer's schema, used in this process and closed after the test. */
export interface StoreKind {
  readonly name: string;
  open(): Promise<Sql>;
}

async function openNewSqlite(): Promise<Sql> {
  const file = join(memoryDirectory(), 'foyer.db');
  await migrateSqlite(file);
  const sql = openSqlite({
    file,
    clock: Date.now,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(() => sql.close());
  return sql;
}

async function openNewPostgres(): Promise<Sql> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const address = parsePostgresUrl(url);
  if (!address) throw new Error('the test database has no address');
  await migratePostgres(address);
  const sql = await openPostgres({ address, connectionsMax: 4 });
  onTestFinished(() => sql.close());
  return sql;
}

export const STORES: readonly StoreKind[] = [
  { name: 'SQLite', open: openNewSqlite },
  { name: 'PostgreSQL', open: openNewPostgres },
];
