import type { Settings } from './config.js';
import { StartFault } from './kernel/start-fault.js';
import { migrateSqlite, openSqlite, type Sql, takeDataDirectory } from './platform/sql/index.js';

/** The database a process works on, and the key its tokens are signed with. */
export interface Store {
  readonly sql: Sql;
  readonly secret: string;
  /** A file of this installation's own, beside its database. */
  readonly path: (name: string) => string;
  close(): Promise<void>;
}

export interface StoreEvents {
  readonly onFatal: (error: unknown) => void;
  readonly onCommit?: (groupSize: number) => void;
}

export async function openStore(settings: Settings, events: StoreEvents): Promise<Store> {
  if (settings.databaseUrl !== undefined) {
    throw new StartFault('DATABASE_URL is set, but this version of Foyer works with its embedded database only: unset it.');
  }
  const directory = takeDataDirectory(settings.dataDir);
  try {
    await migrateSqlite(directory.databaseFile);
    const sql = openSqlite({ file: directory.databaseFile, clock: Date.now, ...events });
    return {
      sql,
      secret: settings.secret ?? directory.keptSecret(),
      path: (name) => directory.path(name),
      async close() {
        await sql.close();
        directory.release();
      },
    };
  } catch (error) {
    directory.release();
    throw error;
  }
}
