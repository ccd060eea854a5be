import type { Dialect, SqlParam } from '../port.js';
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
  forKeyShare: ' FOR KEY SHARE',
  forUpdate: ' FOR UPDATE',
};

/** An array of strings or numbers becomes a PostgreSQL array; an array of objects is sent as JSON. */
export const toPostgres = (param: SqlParam): PostgresValue => (isRows(param) ? JSON.stringify(param) : param);

const isRows = (param: SqlParam): param is readonly Readonly<Record<string, string | number | null>>[] =>
  Array.isArray(param) && typeof param[0] === 'object';
