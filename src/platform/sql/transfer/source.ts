import type Database from 'better-sqlite3';
import { columnList, type Row, type Table, toRow } from './rows.js';
import { openDatabase } from '../sqlite/driver.js';
import { listAppliedIn } from '../sqlite/migrations.js';

/** A consistent read-only view of a SQLite file. */
export interface TransferSource {
  /** The version of the schema. */
  readonly version: number;
  /** In the order of their creation: each refers only to tables before it. */
  readonly tables: readonly Table[];
  batches(table: Table, batchRows: number): Iterable<readonly Row[]>;
  query(sql: string): readonly (readonly unknown[])[];
  close(): void;
}

export function openTransferSource(file: string): TransferSource {
  const database = openDatabase(file, { readonly: true, fileMustExist: true });
  // One read transaction, because `foyer policy set` may write to the file meanwhile: it needs no directory lock.
  database.exec('BEGIN');
  return {
    version: listAppliedIn(database).at(-1)?.version ?? 0,
    tables: tablesOf(database),
    batches: (table, batchRows) => batchesOf(database, table, batchRows),
    query: (sql) => database.prepare<[], unknown[]>(sql).raw().all(),
    close: () => {
      database.close();
    },
  };
}

function tablesOf(database: Database.Database): Table[] {
  const names = database
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'migrations'
       ORDER BY rowid`,
    )
    .pluck()
    .all();
  const columnsOf = database.prepare<[table: string], { name: string; type: string; pk: number }>(
    'SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid',
  );
  return names.map((name) => ({
    name,
    columns: columnsOf
      .all(name)
      .map((column) => ({ name: column.name, type: column.type, isKey: column.pk > 0 })),
  }));
}

function* batchesOf(database: Database.Database, table: Table, batchRows: number): Generator<readonly Row[]> {
  let batch: Row[] = [];
  const rows = database.prepare<[], unknown[]>(
    `SELECT ${columnList(table)} FROM "${table.name}" ORDER BY rowid`,
  );
  for (const values of rows.raw().iterate()) {
    batch.push(toRow(table, values));
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
