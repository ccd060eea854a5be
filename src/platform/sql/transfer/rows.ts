import { hash } from 'node:crypto';
import { UserError } from '../../../kernel/user-error.js';

/** A table as created by the migrations. Its column types have the same meaning in both databases. */
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

/** Rows in memory at a time, unless the plan of the transfer says that the rows of a table are large. */
export const BATCH_ROWS = 2000;

export const columnList = ({ columns }: Table): string => columns.map(({ name }) => `"${name}"`).join(', ');

/** Checks that both databases can store the values. */
export function toRow(table: Table, values: readonly unknown[]): Row {
  return table.columns.map((column, index) => {
    const value = values[index];
    const reason = unsupportedReason(value);
    if (reason !== undefined)
      throw new UserError(
        `The table ${table.name} has a row (${keyOf(table, values)}) whose ${column.name} ${reason}. Nothing was moved.`,
      );
    return isValue(value) ? value : null;
  });
}

const isValue = (value: unknown): value is Value =>
  typeof value === 'string' || typeof value === 'number' || value === null;

function unsupportedReason(value: unknown): string | undefined {
  if (!isValue(value)) return 'is neither text nor a number';
  if (typeof value === 'string' && value.includes('\0'))
    return 'contains the character U+0000, which PostgreSQL cannot store';
  if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return 'is a number of more than 53 bits';
  return undefined;
}

const keyOf = ({ columns }: Table, values: readonly unknown[]): string =>
  columns.flatMap(({ name, isKey }, index) => (isKey ? [`${name} ${String(values[index])}`] : [])).join(', ');

const DIGEST_BITS = 64;

/** Two digests are equal if they were given the same rows, in any order. */
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
