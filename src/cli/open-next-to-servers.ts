import { join } from 'node:path';
import { openStore, type Store } from '../open-store.js';
import type { Settings } from '../config.js';
import { openExistingSqlite } from '../platform/sql/index.js';

/** Does not lock the data directory, because a running server holds that lock. */
export async function openNextToServers(settings: Settings): Promise<Pick<Store, 'sql' | 'close'>> {
  if (settings.databaseUrl !== undefined) return openStore(settings, { onFatal: rethrow });
  const sql = openExistingSqlite(join(settings.dataDir, 'foyer.db'));
  return { sql, close: () => sql.close() };
}

const rethrow = (error: unknown): never => {
  throw error;
};
