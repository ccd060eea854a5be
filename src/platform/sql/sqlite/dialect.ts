import { type BatchColumns, type BatchSource, type Dialect, expressionsOf, type SqlParam } from '../port.js';

const anyOf = (parameter: string): string => `IN (SELECT value FROM json_each(${parameter}))`;

export const sqliteDialect: Dialect = {
  anyOf,
  inQuery: (query) => `IN (${query})`,
  rows: (parameter, columns) =>
    `(SELECT ${Object.keys(columns)
      .map((column) => `value ->> '${column}' AS ${column}`)
      .join(', ')} FROM json_each(${parameter}))`,
  // There is one writer at a time, so no row needs a lock.
  inLockOrder: (_table, parameter) => `id ${anyOf(parameter)}`,
  skipLocked: (_table, parameter) => `id ${anyOf(parameter)}`,
  now: (parameter) => parameter,
  lockInOrderOf: () => '',
  forKeyShare: '',
  forShare: '',
  forNoKeyUpdate: '',
  forUpdate: '',
};

/** The values of one row are numbered parameters, in the order of the columns. */
export function batchSource<Columns extends BatchColumns>(columns: Columns): BatchSource<Columns> {
  const names = Object.keys(columns);
  return {
    row: expressionsOf(columns, (column) => `$${names.indexOf(column) + 1}`),
    from: '',
    andFrom: '',
  };
}

export type SqliteValue = string | number | null;

/** A statement with positional instead of numbered parameters. */
export interface PositionalStatement {
  readonly text: string;
  bind(params: readonly SqlParam[]): SqliteValue[];
}

export function toPositional(text: string): PositionalStatement {
  const indexes: number[] = [];
  const positional = text.replace(/\$(\d+)/g, (_, digits: string) => {
    indexes.push(Number(digits) - 1);
    return '?';
  });
  return { text: positional, bind: (params) => indexes.map((index) => toSqlite(params[index])) };
}

/** Arrays are passed as JSON text. */
function toSqlite(value: SqlParam | undefined): SqliteValue {
  if (value === undefined) throw new TypeError('statement has fewer parameters than it uses');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
