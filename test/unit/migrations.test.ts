import Database from 'better-sqlite3';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UserError } from '../../src/kernel/user-error.js';
import {
  migratePostgres,
  type MigrationResult,
  migrateSqlite,
  parsePostgresUrl,
  readPostgresSchema,
  readSqliteSchema,
  type SchemaStatus,
  SchemaTooNew,
} from '../../src/platform/sql/index.js';
import { readMigrations } from '../../src/platform/sql/migrate.js';
import { packagePath } from '../../src/platform/runtime/index.js';
import { memoryDirectory } from '../support/memory-directory.js';
import { createTestDatabase, psql } from '../support/postgres/index.js';

/** An empty database of one kind. */
interface Subject {
  migrate(): Promise<MigrationResult>;
  status(): Promise<SchemaStatus>;
  /** Runs SQL and returns the rows, with columns separated by `|`. */
  run(sql: string): Promise<string>;
  /** Everything that a migration could change. */
  schema(): Promise<string>;
  /** Table, column, type and whether it may be NULL, of the tables that both databases have. */
  columns(): Promise<string>;
}

function newSqlite(): Promise<Subject> {
  const file = join(memoryDirectory(), 'foyer.db');
  const run = (sql: string): Promise<string> => {
    const database = new Database(file);
    try {
      const statement = database.prepare<[], unknown[]>(sql);
      if (!statement.reader) return Promise.resolve(String(statement.run().changes));
      return Promise.resolve(
        statement
          .raw()
          .all()
          .map((row) => row.join('|'))
          .join('\n'),
      );
    } finally {
      database.close();
    }
  };
  return Promise.resolve({
    migrate: () => migrateSqlite(file),
    status: () => readSqliteSchema(file),
    run,
    schema: () => run('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name'),
    columns: () =>
      run(`SELECT t.name, c.name, lower(c.type), c."notnull" OR c.pk > 0 FROM sqlite_schema t, pragma_table_info(t.name) c
        WHERE t.type = 'table' ORDER BY t.name, c.cid`),
  });
}

async function newPostgres(): Promise<Subject> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const address = parsePostgresUrl(url)!;
  const run = (sql: string): Promise<string> => psql(url, sql);
  return {
    migrate: () => migratePostgres(address),
    status: () => readPostgresSchema(address),
    run,
    schema: () =>
      run(`SELECT c.oid, c.relname, c.relfilenode, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE relnamespace = CAST('public' AS regnamespace) ORDER BY 1, 4`),
    columns: () =>
      run(`SELECT table_name, column_name, data_type, CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END
        FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name NOT IN ('changes', 'rate_buckets')
        ORDER BY table_name COLLATE "C", ordinal_position`),
  };
}

const KINDS = [
  { kind: 'sqlite', name: 'SQLite', create: newSqlite, preRelease: 'PRAGMA user_version = 7' },
  {
    kind: 'postgres',
    name: 'PostgreSQL',
    create: newPostgres,
    preRelease: 'CREATE TABLE schema_versions (version BIGINT PRIMARY KEY, name TEXT NOT NULL)',
  },
] as const;

describe.each(KINDS)('migrations on $name', ({ kind, create, preRelease }) => {
  it('are applied once, in order, and change nothing the second time', async () => {
    const database = await create();
    const files = await readMigrations(kind);
    expect(await database.migrate()).toEqual({ version: files.length, newlyApplied: files });
    await database.run(`INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
       VALUES ('u', 'e', 'e', 'n', 'CUSTOMER', 'h', 1)`);
    const schema = await database.schema();
    expect(schema.split('\n').length).toBeGreaterThan(10);
    expect(await database.migrate()).toEqual({ version: files.length, newlyApplied: [] });
    expect(await database.schema()).toBe(schema);
    expect(await database.run('SELECT id FROM users')).toBe('u');
    expect(await database.run('SELECT version, name, checksum FROM migrations ORDER BY version')).toBe(
      files.map(({ version, name, checksum }) => `${version}|${name}|${checksum}`).join('\n'),
    );
  });

  it('are listed as pending or applied, without changing anything', async () => {
    const database = await create();
    await database.run('CREATE TABLE other (id BIGINT)');
    const files = await readMigrations(kind);
    const schema = await database.schema();
    expect(await database.status()).toEqual({ applied: [], pending: files });
    expect(await database.schema()).toBe(schema);
    await database.migrate();
    expect(await database.status()).toEqual({ applied: files, pending: [] });
  });

  it('refuse a database that a newer Foyer has migrated, and leave it as it is', async () => {
    const database = await create();
    const { version } = await database.migrate();
    const newer = version + 1;
    await database.run(
      `INSERT INTO migrations (version, name, checksum) VALUES (${newer}, 'of the future', '')`,
    );
    for (const use of [database.migrate, database.status]) {
      const refused = use();
      await expect(refused).rejects.toBeInstanceOf(SchemaTooNew);
      await expect(refused).rejects.toThrow(`schema version ${newer}`);
      await expect(refused).rejects.toThrow(`knows only ${version}`);
    }
    expect(await database.run('SELECT max(version) FROM migrations')).toBe(String(newer));
  });

  it('refuse a database whose applied migration was edited, and name the migration', async () => {
    const database = await create();
    await database.migrate();
    await database.run(`UPDATE migrations SET checksum = 'of the former text' WHERE version = 1`);
    for (const use of [database.migrate, database.status]) {
      const refused = use();
      await expect(refused).rejects.toBeInstanceOf(UserError);
      await expect(refused).rejects.toThrow('Migration 0001_initial_schema was edited after it was applied');
    }
  });

  it('refuse a database of a pre-release, and leave it as it is', async () => {
    const database = await create();
    await database.run(preRelease);
    const schema = await database.schema();
    for (const use of [database.migrate, database.status]) {
      const refused = use();
      await expect(refused).rejects.toBeInstanceOf(UserError);
      await expect(refused).rejects.toThrow('made by a pre-release of Foyer');
    }
    expect(await database.schema()).toBe(schema);
  });
});

describe('migrations', () => {
  it('are refused on a file that is no database', async () => {
    const file = join(memoryDirectory(), 'foyer.db');
    writeFileSync(file, 'not a database, but long enough to be looked at as one');
    await expect(migrateSqlite(file)).rejects.toThrow(UserError);
    await expect(migrateSqlite(file)).rejects.toThrow(`${file} is damaged, or no database of Foyer`);
  });

  it('have the same names for both databases, and make the same tables in both', async () => {
    const [sqlite, postgres] = [await newSqlite(), await newPostgres()];
    expect(readdirSync(packagePath('migrations', 'sqlite'))).toEqual(
      readdirSync(packagePath('migrations', 'postgres')),
    );
    await sqlite.migrate();
    await postgres.migrate();
    expect(await postgres.columns()).toBe(await sqlite.columns());
  });
});

describe('the files of migrations', () => {
  function folderOf(files: Readonly<Record<string, string>>): string {
    const root = memoryDirectory();
    mkdirSync(join(root, 'sqlite'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'sqlite', name), text);
    return root;
  }

  it('have the same checksum whatever their line endings, and another after an edit', async () => {
    const read = async (text: string) => {
      const [migration] = await readMigrations('sqlite', folderOf({ '0001_first.sql': text }));
      return migration?.checksum;
    };
    const checksum = await read('SELECT 1;\nSELECT 2;\n');
    expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(await read('SELECT 1;\r\nSELECT 2;\r\n')).toBe(checksum);
    expect(await read('SELECT 1;\nSELECT 3;\n')).not.toBe(checksum);
  });

  it.each([
    ['a gap', ['0001_first.sql', '0003_third.sql']],
    ['a number twice', ['0001_first.sql', '0001_other.sql']],
    ['no first', ['0002_second.sql']],
    ['no number', ['first.sql']],
  ])('may not have %s', async (_, names) => {
    const root = folderOf(Object.fromEntries(names.map((name) => [name, ''])));
    await expect(readMigrations('sqlite', root)).rejects.toThrow(
      `migration sqlite/${names.at(-1)!} does not follow`,
    );
  });
});
