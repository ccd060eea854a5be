import type Database from 'better-sqlite3';
import { UserError } from '../../../kernel/user-error.js';
import {
  type AppliedMigration,
  CREATE_MIGRATIONS_TABLE,
  LIST_APPLIED,
  migrate,
  type MigrationResult,
  type MigrationTarget,
  preReleaseDatabase,
  readSchemaStatus,
  type SchemaStatus,
} from '../migrate.js';
import { hasSqliteCode, openDatabase } from './driver.js';

export function listAppliedIn(database: Database.Database): readonly AppliedMigration[] {
  // Pre-releases stored the schema version in the header of the file.
  if (database.pragma('user_version', { simple: true }) !== 0) throw preReleaseDatabase();
  const hasTable = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'migrations'`).get();
  return hasTable ? database.prepare<[], AppliedMigration>(LIST_APPLIED).all() : [];
}

const migrationTarget = (database: Database.Database): MigrationTarget => ({
  listApplied: () => Promise.resolve(listAppliedIn(database)),
  apply: ({ version, name, checksum, text }) => {
    database.transaction(() => {
      database.exec(CREATE_MIGRATIONS_TABLE);
      database.exec(text);
      database
        .prepare('INSERT INTO migrations (version, name, checksum) VALUES (?, ?, ?)')
        .run(version, name, checksum);
    })();
    return Promise.resolve();
  },
});

async function withDatabase<T>(
  file: string,
  options: Database.Options,
  work: (database: Database.Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase(file, options);
  try {
    return await work(database);
  } catch (error) {
    if (hasSqliteCode(error, /^SQLITE_(?:NOTADB|CORRUPT)/))
      throw new UserError(`${file} is damaged, or no database of Foyer: put a backup in its place.`);
    throw error;
  } finally {
    database.close();
  }
}

/** The caller holds the lock of the data directory: only one process migrates. */
export const migrateSqlite = (file: string): Promise<MigrationResult> =>
  withDatabase(file, {}, (database) => {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    return migrate(migrationTarget(database), 'sqlite');
  });

/** Changes nothing and needs no lock. */
export const readSqliteSchema = (file: string): Promise<SchemaStatus> =>
  withDatabase(file, { readonly: true }, (database) => readSchemaStatus(migrationTarget(database), 'sqlite'));
