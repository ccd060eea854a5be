/**
 * Brings a database to the newest schema. The rules:
 *
 * - `migrations/sqlite/` and `migrations/postgres/` hold the same versions under the same names: `0001_initial_schema.sql`,
 *   `0002_…`, without a gap. If only one database needs a change, the other one's file holds a comment that says so.
 * - Migrations go forward only. Each is applied once, and recorded in the table `migrations` in the same transaction.
 * - An applied migration is never edited: the table stores the checksum of its file, and a file that differs is refused.
 * - A database with a version that has no file was migrated by a newer Foyer, and is refused.
 */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../kernel/user-error.js';
import { packagePath } from '../runtime/index.js';

const MIGRATIONS = packagePath('migrations');

type DatabaseKind = 'sqlite' | 'postgres';

/** A row of the table `migrations`. */
export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  /** SHA-256 of the file's text, in hexadecimal. */
  readonly checksum: string;
}

/** A file of `migrations/`. */
export interface Migration extends AppliedMigration {
  readonly text: string;
}

export interface MigrationTarget {
  /** In the order of their versions; none in an empty database. */
  listApplied(): Promise<readonly AppliedMigration[]>;
  /** Applies and records one migration in one transaction. */
  apply(migration: Migration): Promise<void>;
}

export interface SchemaStatus {
  readonly applied: readonly Migration[];
  readonly pending: readonly Migration[];
}

export interface MigrationResult {
  /** The version that the schema has now. */
  readonly version: number;
  readonly newlyApplied: readonly Migration[];
}

export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
}

export const CREATE_MIGRATIONS_TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (version BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)';
export const LIST_APPLIED = 'SELECT version, name, checksum FROM migrations ORDER BY version';

export const preReleaseDatabase = (): UserError =>
  new UserError(
    'This database was made by a pre-release of Foyer and cannot be upgraded: start with an empty database.',
  );

export async function readMigrations(kind: DatabaseKind, root = MIGRATIONS): Promise<Migration[]> {
  const files = (await readdir(join(root, kind))).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const version = Number(file.slice(0, 4));
      if (version !== index + 1)
        throw new Error(`migration ${kind}/${file} does not follow version ${index}`);
      // A checkout may convert line endings; that is not an edit.
      const text = (await readFile(join(root, kind, file), 'utf8')).replaceAll('\r\n', '\n');
      return { version, name: file.slice(0, -'.sql'.length), text, checksum: hash('sha256', text) };
    }),
  );
}

/** Compares the database with the files, and refuses a database that this Foyer must not use. */
export async function readSchemaStatus(target: MigrationTarget, kind: DatabaseKind): Promise<SchemaStatus> {
  const migrations = await readMigrations(kind);
  const rows = await target.listApplied();
  const version = rows.at(-1)?.version ?? 0;
  if (version > migrations.length)
    throw new SchemaTooNew(
      `The database has schema version ${version}, but this Foyer knows only ${migrations.length}: start a newer Foyer.`,
    );
  const applied = migrations.slice(0, version);
  for (const [index, { name, checksum }] of applied.entries())
    if (rows[index]?.checksum !== checksum)
      throw new UserError(
        `Migration ${name} was edited after it was applied to this database: restore migrations/${kind}/${name}.sql, and put the change into a new migration.`,
      );
  return { applied, pending: migrations.slice(version) };
}

export async function migrate(target: MigrationTarget, kind: DatabaseKind): Promise<MigrationResult> {
  const { applied, pending } = await readSchemaStatus(target, kind);
  for (const migration of pending) await target.apply(migration);
  return { version: applied.length + pending.length, newlyApplied: pending };
}
