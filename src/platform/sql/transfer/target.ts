import pg from 'pg';
import { UserError } from '../../../kernel/user-error.js';
import { BATCH_ROWS, columnList, type Row, type Table, toRow } from './rows.js';
import type { PostgresValue } from '../postgres/pipeline.js';
import { PostgresConnection } from '../postgres/connection.js';
import { ConnectionLost, isTimeout } from '../postgres/errors.js';
import { reasonOf } from '../postgres/user-errors.js';
import type { PostgresAddress } from '../postgres/url.js';

/** A PostgreSQL that takes a sale over, in one transaction. */
export interface MoveTarget {
  insert(table: Table, rows: readonly Row[]): Promise<void>;
  /** Has the planner look at a table that has just been filled: until autovacuum came by it would guess. */
  analyze(table: Table): Promise<void>;
  batches(table: Table): AsyncIterable<readonly Row[]>;
  ask(question: string): Promise<readonly (readonly unknown[])[]>;
  run(command: string): Promise<void>;
  commit(): Promise<void>;
  /** What has not been committed is undone. */
  close(): Promise<void>;
}

export async function openMoveTarget(
  address: PostgresAddress,
  tables: readonly Table[],
): Promise<MoveTarget> {
  const connection = await PostgresConnection.open(address, false);
  try {
    await connection.command('BEGIN');
    // Nobody else writes from here on: what is verified is what will be committed.
    await connection.command(`LOCK TABLE ${tables.map(quoted).join(', ')} IN EXCLUSIVE MODE NOWAIT`);
    return createTarget(connection);
  } catch (error) {
    await connection.close();
    if (!isTimeout(error)) throw error;
    throw new UserError('Somebody is writing to the database of DATABASE_URL: stop every Foyer on it first.');
  }
}

function createTarget(connection: PostgresConnection): MoveTarget {
  async function send(
    doing: string,
    text: string,
    values: readonly PostgresValue[] = [],
  ): Promise<unknown[][]> {
    try {
      const { rows } = await connection.query('', text, values);
      return rows.map(valuesOf);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError || error instanceof ConnectionLost)) throw error;
      throw new UserError(`PostgreSQL failed while ${doing}: ${reasonOf(error)}. Nothing was moved.`);
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

    async *batches(table) {
      const doing = `reading ${table.name} back`;
      const all = `SELECT ${columnList(table)} FROM ${quoted(table)}`;
      await send(doing, `DECLARE moved NO SCROLL CURSOR FOR ${all}`);
      for (;;) {
        const rows = await send(doing, `FETCH ${BATCH_ROWS} FROM moved`);
        if (rows.length === 0) break;
        yield rows.map((values) => toRow(table, values));
      }
      await send(doing, 'CLOSE moved');
    },

    ask: (question) => send('being asked', question),

    async run(command) {
      await send('being written', command);
    },

    async commit() {
      try {
        await connection.command('COMMIT');
      } catch (error) {
        throw new UserError(
          `PostgreSQL failed during the commit: ${reasonOf(error)}. Run this again: should it then refuse a database that is not empty, the sale has been moved.`,
        );
      }
    },

    close: () => connection.close(),
  };
}

const quoted = ({ name }: Table): string => `"${name}"`;

const valuesOf = (row: unknown): unknown[] =>
  typeof row === 'object' && row !== null ? Object.values(row) : [];
