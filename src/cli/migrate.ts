import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSettings, type Settings } from '../config.js';
import { assertDefined } from '../kernel/assert.js';
import { UserError } from '../kernel/user-error.js';
import {
  migratePostgres,
  type MigrationResult,
  migrateSqlite,
  parsePostgresUrl,
  type PostgresAddress,
  toPostgresUserError,
  readPostgresSchema,
  readSqliteSchema,
  requireDatabase,
  type SchemaStatus,
  takeDataDirectory,
} from '../platform/sql/index.js';
import type { Command } from './command.js';
import { printLine } from './print.js';

export const migrate: Command = {
  summary: 'bring the schema of the database up to date',
  help: `foyer migrate
foyer migrate --status

Applies the pending migrations to the database and names them. The server does the same when it starts.

  --status   list every migration as applied or pending, and change nothing; exit with 1 if one is pending

On SQLite (FOYER_DATA_DIR) stop the server first; --status also works while it runs. On PostgreSQL (DATABASE_URL) it is safe to
migrate while other processes start: one of them migrates, the others wait for it. Make a backup before you migrate a sale:
there is no way back to an older schema.`,
  async run(args, env) {
    const { values } = parseArgs({ args: [...args], options: { status: { type: 'boolean' } } });
    const settings = readSettings(env);
    if (values.status) printStatus(await readSchema(settings));
    else printResult(await applyMigrations(settings));
  },
};

const readSchema = ({ dataDir, databaseUrl }: Settings): Promise<SchemaStatus> =>
  databaseUrl === undefined ? readEmbedded(dataDir) : onPostgres(databaseUrl, readPostgresSchema);

const applyMigrations = ({ dataDir, databaseUrl }: Settings): Promise<MigrationResult> =>
  databaseUrl === undefined ? migrateEmbedded(dataDir) : onPostgres(databaseUrl, migratePostgres);

function readEmbedded(dataDir: string): Promise<SchemaStatus> {
  const file = join(dataDir, 'foyer.db');
  requireDatabase(file);
  return readSqliteSchema(file);
}

async function migrateEmbedded(dataDir: string): Promise<MigrationResult> {
  const directory = takeDataDirectory(dataDir);
  try {
    return await migrateSqlite(directory.databaseFile);
  } finally {
    directory.release();
  }
}

async function onPostgres<T>(url: string, work: (address: PostgresAddress) => Promise<T>): Promise<T> {
  const address = assertDefined(parsePostgresUrl(url), 'readSettings accepted an invalid DATABASE_URL');
  try {
    return await work(address);
  } catch (error) {
    throw toPostgresUserError(error);
  }
}

function printStatus({ applied, pending }: SchemaStatus): void {
  for (const { name } of applied) printLine(`applied  ${name}`);
  for (const { name } of pending) printLine(`pending  ${name}`);
  if (pending.length > 0) throw new UserError('Migrations are pending: run foyer migrate.');
}

function printResult({ version, newlyApplied }: MigrationResult): void {
  if (newlyApplied.length === 0) printLine(`schema is at version ${version}, nothing to do`);
  for (const { name } of newlyApplied) printLine(`applied ${name}`);
}
