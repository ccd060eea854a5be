import Database from 'better-sqlite3';
import { migrate, type MigrationTarget } from './migrate.js';

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
  } finally {
    database.close();
  }
}
