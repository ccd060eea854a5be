import type { Dialect, SqlParam } from '../port.js';

/** Lists up to this length are expanded to `IN (?, ?)`, which costs half as much as reading them from JSON. */
const INLINE_LIST_MAX = 8;

export const sqliteDialect: Dialect = {
  anyOf: (parameter) => `IN (${parameter}*)`,
  inQuery: (query) => `IN (${query})`,
  rows: (parameter, columns) =>
    `(SELECT ${Object.keys(columns)
      .map((column) => `value ->> '${column}' AS ${column}`)
      .join(', ')} FROM json_each(${parameter}))`,
  // There is one writer at a time, so no row needs a lock.
  inLockOrder: (_table, parameter) => `id IN (${parameter}*)`,
  skipLocked: (_table, parameter) => `id IN (${parameter}*)`,
  now: (parameter) => parameter,
  forUpdate: '',
};

export type SqliteValue = string | number | null;

/** A statement for parameters of one shape, with positional instead of numbered parameters. */
export interface ExpandedStatement {
  readonly text: string;
  bind(params: readonly SqlParam[]): SqliteValue[];
}

/** Parameters of the same shape expand to the same text: their lists have the same lengths. */
export const shapeOf = (params: readonly SqlParam[], listIndexes: readonly number[]): string =>
  listIndexes.map((index) => inlineLengthOf(params[index])).join();

/** The indexes of the list parameters, which are written `$2*`. */
export const listIndexesOf = (text: string): number[] =>
  [...text.matchAll(/\$(\d+)\*/g)].map(([, digits]) => Number(digits) - 1);

/** -1 if the list is too long to expand. */
const inlineLengthOf = (param: SqlParam | undefined): number =>
  Array.isArray(param) && param.length <= INLINE_LIST_MAX ? param.length : -1;

export function expandParameters(text: string, params: readonly SqlParam[]): ExpandedStatement {
  const readers: ((params: readonly SqlParam[]) => SqliteValue)[] = [];
  const positional = text.replace(/\$(\d+)(\*?)/g, (_, digits: string, star: string) => {
    const index = Number(digits) - 1;
    if (star === '') {
      readers.push((values) => toSqlite(values[index]));
      return '?';
    }
    const length = inlineLengthOf(params[index]);
    if (length < 0) {
      readers.push((values) => toSqlite(values[index]));
      return 'SELECT value FROM json_each(?)';
    }
    for (let at = 0; at < length; at += 1) readers.push((values) => elementOf(values[index], at));
    return Array.from({ length }, () => '?').join(', ');
  });
  return {
    text: positional,
    bind: (values) => readers.map((read) => read(values)),
  };
}

function elementOf(list: SqlParam | undefined, at: number): SqliteValue {
  const value: unknown = Array.isArray(list) ? list[at] : undefined;
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new TypeError('list parameters may contain only strings and numbers');
  return value;
}

function toSqlite(value: SqlParam | undefined): SqliteValue {
  if (value === undefined) throw new TypeError('statement has fewer parameters than it uses');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
