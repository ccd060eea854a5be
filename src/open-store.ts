import type { Settings } from './config.js';
import { assertDefined } from './kernel/assert.js';
import {
  migratePostgres,
  migrateSqlite,
  openPostgres,
  openSqlite,
  parsePostgresUrl,
  type Sql,
  takeDataDirectory,
  toPostgresUserError,
} from './platform/sql/index.js';

/** The database of this process, and the secret that signs its tokens. */
export interface Store {
  readonly sql: Sql;
  readonly secret: string;
  /** The path of a file in the data directory; undefined with PostgreSQL. */
  readonly path?: (name: string) => string;
  close(): Promise<void>;
}

export interface StoreEvents {
  readonly onFatal: (error: unknown) => void;
  readonly onCommit?: (groupSize: number) => void;
}

export async function openStore(settings: Settings, events: StoreEvents): Promise<Store> {
  return settings.databaseUrl === undefined
    ? openEmbedded(settings, events)
    : openCluster(settings, settings.databaseUrl, events);
}

async function openEmbedded(settings: Settings, events: StoreEvents): Promise<Store> {
  const directory = takeDataDirectory(settings.dataDir);
  try {
    await migrateSqlite(directory.databaseFile);
    const sql = openSqlite({ file: directory.databaseFile, clock: Date.now, ...events });
    return {
      sql,
      secret: settings.secret ?? directory.loadOrCreateSecret(),
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

async function openCluster(settings: Settings, url: string, { onCommit }: StoreEvents): Promise<Store> {
  const address = assertDefined(parsePostgresUrl(url), 'readSettings accepted an invalid DATABASE_URL');
  const secret = assertDefined(settings.secret, 'readSettings accepted DATABASE_URL without a secret');
  try {
    await migratePostgres(address);
    const connectionsMax = settings.databaseConnections;
    const sql = await openPostgres({ address, connectionsMax, ...(onCommit && { onCommit }) });
    return { sql, secret, close: () => sql.close() };
  } catch (error) {
    throw toPostgresUserError(error);
  }
}
