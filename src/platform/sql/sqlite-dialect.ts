import type { Dialect, SqlParam } from './port.js';

export const sqliteDialect: Dialect = {
  anyOf: (parameter) => `IN (SELECT value FROM json_each(${parameter}))`,
  rows: (parameter, columns) =>
    `(SELECT ${Object.keys(columns)
      .map((column) => `value ->> '${column}' AS ${column}`)
      .join(', ')} FROM json_each(${parameter}))`,
  // One writer at a time: every row is locked already.
  inLockOrder: (_table, parameter) => `id IN (SELECT value FROM json_each(${parameter}))`,
  forUpdate: '',
};

export type SqliteValue = string | number | null;

/** SQLite binds by position of appearance; our statements number their parameters. Worked out once a statement. */
export function toPositional(text: string): { text: string; order: number[] } {
  const order: number[] = [];
  const positional = text.replace(/\$(\d+)/g, (_, digits: string) => {
    order.push(Number(digits) - 1);
    return '?';
  });
  return { text: positional, order };
}

export function toSqlite(value: SqlParam | undefined): SqliteValue {
  if (value === undefined) throw new TypeError('a statement was given fewer parameters than it names');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
