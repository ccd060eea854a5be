import { hash } from 'node:crypto';
import { UserError } from '../../../kernel/user-error.js';

/** A table as the migrations made it. Its types mean the same to both databases. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
}

type Value = string | number | null;
/** The values of one row, in the order of the table's columns. */
export type Row = readonly Value[];

/** How many rows are in memory at once. */
export const BATCH_ROWS = 2000;

export const columnList = ({ columns }: Table): string => columns.map(({ name }) => `"${name}"`).join(', ');

/** What a database answered, once it is sure that the other one can hold it. */
export function toRow(table: Table, values: readonly unknown[]): Row {
  return table.columns.map((column, index) => {
    const value = values[index];
    const reason = unmovable(value);
    if (reason !== undefined)
      throw new UserError(
        `The table ${table.name} has a row (${keyOf(table, values)}) whose ${column.name} ${reason}. Nothing was moved.`,
      );
    return isValue(value) ? value : null;
  });
}

const isValue = (value: unknown): value is Value =>
  typeof value === 'string' || typeof value === 'number' || value === null;

function unmovable(value: unknown): string | undefined {
  if (!isValue(value)) return 'is neither a text nor a number';
  if (typeof value === 'string' && value.includes('\0'))
    return 'has the character U+0000 in it, which PostgreSQL cannot hold';
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return 'is a number beyond 53 bits';
  return undefined;
}

const keyOf = ({ columns }: Table, values: readonly unknown[]): string =>
  columns.flatMap(({ name, isKey }, index) => (isKey ? [`${name} ${String(values[index])}`] : [])).join(', ');

const DIGEST_BITS = 64;

/** Two digests agree when they were given the same rows, in whatever order. */
export class Digest {
  count = 0;
  #sum = 0n;

  add(rows: readonly Row[]): void {
    this.count += rows.length;
    for (const row of rows) this.#sum += hash('sha256', JSON.stringify(row), 'buffer').readBigUInt64LE();
    this.#sum = BigInt.asUintN(DIGEST_BITS, this.#sum);
  }

  equals(other: Digest): boolean {
    return this.count === other.count && this.#sum === other.#sum;
  }
}
