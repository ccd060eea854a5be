import { HOUR_MS } from '../../../kernel/time.js';
import { migrate, type MigrationTarget } from '../migrate.js';
import { PostgresConnection } from './connection.js';
import type { PostgresAddress } from './url.js';

/** Any number that no other program locks by. */
const LOCK = 7_018_150_902;

/** An index of a large table takes its time, and so does waiting for whoever builds it. */
const MIGRATION_MAX_MS = HOUR_MS;

/**
 * All in one transaction behind one lock: of several processes that start together one migrates, the others wait and find
 * it done.
 */
export async function migratePostgres(address: PostgresAddress): Promise<void> {
  const connection = await PostgresConnection.open(address, false, MIGRATION_MAX_MS);
  try {
    await connection.command('BEGIN');
    await connection.command(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await connection.command(
      'CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL)',
    );
    await migrate(migrationTarget(connection), 'postgres');
    await connection.command('COMMIT');
  } finally {
    await connection.close();
  }
}

const migrationTarget = (connection: PostgresConnection): MigrationTarget => ({
  async currentVersion() {
    const { rows } = await connection.command('SELECT 1 FROM schema_versions');
    return rows.length;
  },
  async apply({ version, name, text }) {
    if (text !== '') await connection.script(text);
    await connection.query('', 'INSERT INTO schema_versions (version, name) VALUES ($1, $2)', [
      version,
      name,
    ]);
  },
});
