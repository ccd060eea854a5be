import {
  type BatchColumns,
  type BatchRow,
  type BatchSource,
  type BatchStatement,
  type Dialect,
  expressionsOf,
  type SqlParam,
} from '../port.js';
import { guard } from '../../../kernel/guard.js';
import type { PostgresValue } from './pipeline.js';

const inQuery = (query: string): string => `= ANY(ARRAY(${query}))`;

export const postgresDialect: Dialect = {
  anyOf: (parameter) => `= ANY(${parameter})`,
  inQuery,
  rows: (parameter, columns) => {
    const list = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
    return `(SELECT * FROM json_to_recordset(CAST(${parameter} AS JSON)) AS x(${list.join(', ')}))`;
  },
  inLockOrder: (table, parameter) =>
    `id ${inQuery(`SELECT id FROM ${table} WHERE id = ANY(${parameter}) ORDER BY id FOR UPDATE`)}`,
  skipLocked: (table, parameter) =>
    `id ${inQuery(`SELECT id FROM ${table} WHERE id = ANY(${parameter}) FOR UPDATE SKIP LOCKED`)}`,
  now: (parameter) =>
    `greatest(CAST(${parameter} AS BIGINT), CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT))`,
  lockInOrderOf: (column) => ` ORDER BY ${guard('batch-lock-order', column)} FOR UPDATE`,
  forKeyShare: ' FOR KEY SHARE',
  forShare: ' FOR SHARE',
  forNoKeyUpdate: ' FOR NO KEY UPDATE',
  forUpdate: ' FOR UPDATE',
};

/** One array parameter per column. */
function batchSource<Columns extends BatchColumns>(columns: Columns): BatchSource<Columns> {
  const names = Object.keys(columns);
  const arrays = Object.values(columns).map((type, index) => `CAST($${index + 1} AS ${type}[])`);
  const rows = `unnest(${arrays.join(', ')}) AS r(${names.join(', ')})`;
  return {
    row: expressionsOf(columns, (column) => `r.${column}`),
    from: ` FROM ${rows}`,
    andFrom: `, ${rows}`,
  };
}

/** Precedes the text of the error with which a batch statement fails that did not change one row per row. */
const MISMATCH = 'changed rows: ';

/**
 * The statement fails unless it changes one row per row of the batch: the CAST of a text that is no number. Nothing else
 * can stop a commit that was sent together with it.
 */
export function batchTextOf<Columns extends BatchColumns>({
  columns,
  text,
}: BatchStatement<Columns>): string {
  const changed = `count(*) = ${guard('batch-row-count', 'cardinality($1)')}`;
  return `WITH changed AS (${text(batchSource(columns))} RETURNING 1)
    SELECT CAST(CASE WHEN ${changed} THEN '1' ELSE '${MISMATCH}' || count(*) END AS BIGINT) FROM changed`;
}

export const isRowCountMismatch = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(`"${MISMATCH}`);

export const batchParams = <Columns extends BatchColumns>(
  { columns }: BatchStatement<Columns>,
  rows: readonly BatchRow<Columns>[],
): PostgresValue[] => Object.keys(columns).map((column) => rows.map((row) => row[column] ?? null));

/** An array of strings or numbers becomes a PostgreSQL array; an array of objects is sent as JSON. */
export const toPostgres = (param: SqlParam): PostgresValue => (isRows(param) ? JSON.stringify(param) : param);

const isRows = (param: SqlParam): param is readonly Readonly<Record<string, string | number | null>>[] =>
  Array.isArray(param) && typeof param[0] === 'object';
