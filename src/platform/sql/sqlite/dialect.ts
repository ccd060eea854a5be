import type { Dialect, SqlParam } from '../port.js';

/** Up to so many values a list is spelt out (`IN (?, ?)`): half the cost of having SQLite read it from JSON. */
const INLINE_LIST_MAX = 8;

export const sqliteDialect: Dialect = {
  anyOf: (parameter) => `IN (${parameter}*)`,
  inQuery: (query) => `IN (${query})`,
  rows: (parameter, columns) =>
    `(SELECT ${Object.keys(columns)
      .map((column) => `value ->> '${column}' AS ${column}`)
      .join(', ')} FROM json_each(${parameter}))`,
  // One writer at a time: every row is locked already.
  inLockOrder: (_table, parameter) => `id IN (${parameter}*)`,
  skipLocked: (_table, parameter) => `id IN (${parameter}*)`,
  now: (parameter) => parameter,
  forUpdate: '',
};

export type SqliteValue = string | number | null;

/** A statement as SQLite takes it for parameters of one shape: our numbers turned into positions. */
export interface ExpandedStatement {
  readonly text: string;
  bind(params: readonly SqlParam[]): SqliteValue[];
}

/** Tells apart the shapes of parameters that are spelt differently; statements without lists have one. */
export const shapeOf = (params: readonly SqlParam[], lists: readonly number[]): string =>
  lists.map((list) => lengthOf(params[list])).join();

/** The places of list parameters: `$2*` is one. */
export const listsIn = (text: string): number[] =>
  [...text.matchAll(/\$(\d+)\*/g)].map(([, digits]) => Number(digits) - 1);

const lengthOf = (param: SqlParam | undefined): number =>
  Array.isArray(param) && param.length <= INLINE_LIST_MAX ? param.length : -1;

export function expandParameters(text: string, params: readonly SqlParam[]): ExpandedStatement {
  const readers: ((params: readonly SqlParam[]) => SqliteValue)[] = [];
  const positional = text.replace(/\$(\d+)(\*?)/g, (_, digits: string, star: string) => {
    const index = Number(digits) - 1;
    if (star === '') {
      readers.push((given) => toSqlite(given[index]));
      return '?';
    }
    const length = lengthOf(params[index]);
    if (length < 0) {
      readers.push((given) => toSqlite(given[index]));
      return 'SELECT value FROM json_each(?)';
    }
    for (let at = 0; at < length; at += 1) readers.push((given) => elementOf(given[index], at));
    return Array.from({ length }, () => '?').join(', ');
  });
  return {
    text: positional,
    bind: (given) => readers.map((read) => read(given)),
  };
}

function elementOf(list: SqlParam | undefined, at: number): SqliteValue {
  const value: unknown = Array.isArray(list) ? list[at] : undefined;
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new TypeError('a list holds texts or numbers');
  return value;
}

function toSqlite(value: SqlParam | undefined): SqliteValue {
  if (value === undefined) throw new TypeError('a statement was given fewer parameters than it names');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
