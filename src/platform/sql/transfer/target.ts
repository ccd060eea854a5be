import pg from 'pg';
import { UserError } from '../../../kernel/user-error.js';
import { columnList, type Row, type Table, toRow } from './rows.js';
import type { PostgresValue } from '../postgres/pipeline.js';
import { PostgresConnection } from '../postgres/connection.js';
import { ConnectionLost, isTimeout } from '../postgres/errors.js';
import { reasonOf } from '../postgres/user-errors.js';
import type { PostgresAddress } from '../postgres/url.js';

/** The PostgreSQL database that receives a sale, in one transaction. */
export interface TransferTarget {
  insert(table: Table, rows: readonly Row[]): Promise<void>;
  /** Updates the planner statistics of a filled table; autovacuum would do it too late. */
  analyze(table: Table): Promise<void>;
  batches(table: Table, batchRows: number): AsyncIterable<readonly Row[]>;
  query(sql: string): Promise<readonly (readonly unknown[])[]>;
  exec(command: string): Promise<void>;
  commit(): Promise<void>;
  /** Rolls back unless committed. */
  close(): Promise<void>;
}

export async function openTransferTarget(
  address: PostgresAddress,
  tables: readonly Table[],
): Promise<TransferTarget> {
  const connection = await PostgresConnection.open(address, false);
  try {
    await connection.command('BEGIN');
    // No other client can write from here on, so the verified rows are the committed rows.
    await connection.command(`LOCK TABLE ${tables.map(quoted).join(', ')} IN EXCLUSIVE MODE NOWAIT`);
    return createTarget(connection);
  } catch (error) {
    await connection.close();
    if (!isTimeout(error)) throw error;
    throw new UserError(
      'Another client is writing to the database of DATABASE_URL: stop every Foyer on it first.',
    );
  }
}

function createTarget(connection: PostgresConnection): TransferTarget {
  async function send(
    activity: string,
    text: string,
    values: readonly PostgresValue[] = [],
  ): Promise<unknown[][]> {
    try {
      const { rows } = await connection.query('', text, values);
      return rows.map(valuesOf);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError || error instanceof ConnectionLost)) throw error;
      throw new UserError(`PostgreSQL failed while ${activity}: ${reasonOf(error)}. Nothing was moved.`);
    }
  }

  return {
    async insert(table, rows) {
      const columns = table.columns.map((_, index) => rows.map((row) => row[index] ?? null));
      const lists = table.columns.map(({ type }, index) => `CAST($${index + 1} AS ${type}[])`);
      await send(
        `writing ${table.name}`,
        `INSERT INTO ${quoted(table)} (${columnList(table)}) SELECT * FROM unnest(${lists.join(', ')})`,
        columns,
      );
    },

    async analyze(table) {
      await send(`analyzing ${table.name}`, `ANALYZE ${quoted(table)}`);
    },

    async *batches(table, batchRows) {
      const activity = `reading ${table.name}`;
      const all = `SELECT ${columnList(table)} FROM ${quoted(table)}`;
      await send(activity, `DECLARE moved NO SCROLL CURSOR FOR ${all}`);
      for (;;) {
        const rows = await send(activity, `FETCH ${batchRows} FROM moved`);
        if (rows.length === 0) break;
        yield rows.map((values) => toRow(table, values));
      }
      await send(activity, 'CLOSE moved');
    },

    query: (sql) => send('running a check', sql),

    async exec(command) {
      await send('running the final statement', command);
    },

    async commit() {
      try {
        await connection.command('COMMIT');
      } catch (error) {
        throw new UserError(
          `PostgreSQL failed during the commit: ${reasonOf(error)}. Run the command again: if it then refuses because the database is not empty, the sale was moved.`,
        );
      }
    },

    close: () => connection.close(),
  };
}

const quoted = ({ name }: Table): string => `"${name}"`;

const valuesOf = (row: unknown): unknown[] =>
  typeof row === 'object' && row !== null ? Object.values(row) : [];
