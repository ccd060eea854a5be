import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packagePath } from '../runtime/index.js';

const MIGRATIONS = packagePath('migrations');

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

/** What a database must offer to be migrated; each adapter says it in its own words. */
export interface MigrationTarget {
  /** The newest version applied; 0 in an empty database. */
  currentVersion(): Promise<number>;
  /** Applies one migration and records it, all or nothing. */
  apply(migration: Migration): Promise<void>;
}

export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
}

/**
 * The files of `migrations/`, in order: `0001_first.sql`, `0002_second.sql`, … without a gap. One that only one database
 * needs says so (`0002_second.postgres.sql`); for the other it is a version with nothing to do.
 */
async function readMigrations(database: 'sqlite' | 'postgres'): Promise<Migration[]> {
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const version = Number(file.slice(0, 4));
      if (version !== index + 1) throw new Error(`migration ${file} does not follow version ${index}`);
      const [name = '', only = 'sql'] = file.split('.');
      const isForUs = only === 'sql' || only === database;
      return { version, name, text: isForUs ? await readFile(join(MIGRATIONS, file), 'utf8') : '' };
    }),
  );
}

/** Forward only. A database that a newer Foyer has migrated is refused: this one would not understand it. */
export async function migrate(target: MigrationTarget, database: 'sqlite' | 'postgres'): Promise<void> {
  const migrations = await readMigrations(database);
  const current = await target.currentVersion();
  if (current > migrations.length) {
    throw new SchemaTooNew(
      `the database has schema version ${current}, but this Foyer knows only ${migrations.length}: start a newer Foyer`,
    );
  }
  for (const migration of migrations.slice(current)) await target.apply(migration);
}
