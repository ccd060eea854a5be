import { HOUR_MS } from '../../../kernel/time.js';
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
import { PostgresConnection } from './connection.js';
import { rowsOf } from './transaction.js';
import type { PostgresAddress } from './url.js';

/** The key of the advisory lock: any number that no other program uses as a key. */
const MIGRATION_LOCK_KEY = 7_018_150_902;

/** Building an index on a large table takes long, and so does waiting for the process that builds it. */
const MIGRATION_MAX_MS = HOUR_MS;

/** Pre-releases recorded the versions of the schema in the table `schema_versions`. */
const FIND_TABLES = `SELECT to_regclass('schema_versions') IS NOT NULL AS "isPreRelease",
  to_regclass('migrations') IS NOT NULL AS "hasTable"`;

const migrationTarget = (connection: PostgresConnection): MigrationTarget => ({
  async listApplied() {
    const found = await connection.command(FIND_TABLES);
    const [tables] = rowsOf<{ isPreRelease: boolean; hasTable: boolean }>(found);
    if (tables?.isPreRelease) throw preReleaseDatabase();
    return tables?.hasTable ? rowsOf<AppliedMigration>(await connection.command(LIST_APPLIED)) : [];
  },
  async apply({ version, name, checksum, text }) {
    await connection.command(CREATE_MIGRATIONS_TABLE);
    await connection.script(text);
    await connection.query('', 'INSERT INTO migrations (version, name, checksum) VALUES ($1, $2, $3)', [
      version,
      name,
      checksum,
    ]);
  },
});

async function withConnection<T>(
  address: PostgresAddress,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const connection = await PostgresConnection.open(address, false, MIGRATION_MAX_MS);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** One transaction behind one lock: of several processes that start concurrently one migrates, and the others wait for it. */
export const migratePostgres = (address: PostgresAddress): Promise<MigrationResult> =>
  withConnection(address, async (connection) => {
    await connection.command('BEGIN');
    await connection.command(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK_KEY})`);
    const result = await migrate(migrationTarget(connection), 'postgres');
    await connection.command('COMMIT');
    return result;
  });

/** Changes nothing and waits for no lock. */
export const readPostgresSchema = (address: PostgresAddress): Promise<SchemaStatus> =>
  withConnection(address, (connection) => readSchemaStatus(migrationTarget(connection), 'postgres'));
