import Database from 'better-sqlite3';
import { UserError } from '../../../kernel/user-error.js';
import { migrate, type MigrationTarget } from '../migrate.js';

/** SQLite keeps the schema's version in the file's own header (`user_version`), changed in the same transaction. */
function migrationTarget(database: Database.Database): MigrationTarget {
  return {
    currentVersion: () => Promise.resolve(Number(database.pragma('user_version', { simple: true }))),
    apply: ({ version, text }) => {
      database.transaction(() => {
        database.exec(text);
        database.pragma(`user_version = ${version}`);
      })();
      return Promise.resolve();
    },
  };
}

export async function migrateSqlite(file: string): Promise<void> {
  const database = new Database(file);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    await migrate(migrationTarget(database), 'sqlite');
  } catch (error) {
    if (error instanceof Database.SqliteError && /^SQLITE_(?:NOTADB|CORRUPT)/.test(error.code))
      throw new UserError(`${file} is damaged, or no database of Foyer: put a backup in its place.`);
    throw error;
  } finally {
    database.close();
  }
}
