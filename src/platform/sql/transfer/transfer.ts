import { UserError } from '../../../kernel/user-error.js';
import { BATCH_ROWS, Digest, type Table } from './rows.js';
import type { TransferSource } from './source.js';
import { type TransferTarget, openTransferTarget } from './target.js';
import { toPostgresUserError } from '../postgres/user-errors.js';
import { migratePostgres } from '../postgres/migrations.js';
import type { PostgresAddress } from '../postgres/url.js';

/** A query that must return the same rows in both databases. */
export interface TransferCheck {
  readonly table: string;
  readonly what: string;
  readonly question: string;
}

export interface TransferPlan {
  /** Tables of the target that must be empty; every other row refers to one of theirs. */
  readonly emptyTables: readonly string[];
  readonly checks: readonly TransferCheck[];
  /** How many rows of a table are in memory at a time, for tables with large rows. */
  readonly batchRows?: Readonly<Record<string, number>>;
  /** Runs on the target after the verification, in the same transaction. */
  readonly finalStatement: string;
  /** Called after every batch and at the end of a table. */
  readonly onProgress: (table: string, step: TransferStep, rowCount: number) => void;
}

type CopyOptions = Pick<TransferPlan, 'onProgress' | 'batchRows'>;

type TransferStep = 'copying' | 'copied' | 'verified';

/**
 * Copies a sale from SQLite to PostgreSQL, verifies it and commits: all of it or nothing. The source is never changed.
 * Returns the number of rows.
 */
export async function transferToPostgres(
  source: TransferSource,
  address: PostgresAddress,
  plan: TransferPlan,
): Promise<number> {
  const target = await prepareTarget(source, address);
  try {
    await requireEmpty(target, plan.emptyTables);
    let rowCount = 0;
    for (const table of source.tables) rowCount += await copyTable(source, target, table, plan);
    for (const check of [...source.tables.map(sameCount), ...plan.checks])
      await verifyCheck(source, target, check);
    for (const table of source.tables) await verifyRows(source, target, table, plan);
    await target.exec(plan.finalStatement);
    await target.commit();
    return rowCount;
  } finally {
    await target.close();
  }
}

async function prepareTarget(source: TransferSource, address: PostgresAddress): Promise<TransferTarget> {
  try {
    const { version } = await migratePostgres(address);
    if (source.version !== version)
      throw new UserError(
        'The data directory was last used by another version of Foyer: run foyer migrate on it once, without DATABASE_URL. Nothing was moved.',
      );
    return await openTransferTarget(address, source.tables);
  } catch (error) {
    throw toPostgresUserError(error);
  }
}

async function requireEmpty(target: TransferTarget, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const [row] = await target.query(`SELECT 1 FROM "${table}" LIMIT 1`);
    if (row)
      throw new UserError(
        `The database of DATABASE_URL already has ${table}: the target must be empty. Nothing was moved.`,
      );
  }
}

async function copyTable(
  source: TransferSource,
  target: TransferTarget,
  table: Table,
  { onProgress, batchRows }: CopyOptions,
): Promise<number> {
  let rowCount = 0;
  let writing = Promise.resolve();
  for (const rows of source.batches(table, batchRows?.[table.name] ?? BATCH_ROWS)) {
    await writing;
    // Not awaited: the next batch is read meanwhile. If reading fails, the result of this write is irrelevant.
    writing = target.insert(table, rows);
    writing.catch(() => undefined);
    rowCount += rows.length;
    onProgress(table.name, 'copying', rowCount);
  }
  await writing;
  await target.analyze(table);
  onProgress(table.name, 'copied', rowCount);
  return rowCount;
}

const sameCount = ({ name }: Table): TransferCheck => ({
  table: name,
  what: 'the number of rows',
  question: `SELECT count(*) FROM "${name}"`,
});

async function verifyCheck(
  source: TransferSource,
  target: TransferTarget,
  { table, what, question }: TransferCheck,
): Promise<void> {
  if (sortedText(source.query(question)) !== sortedText(await target.query(question)))
    throw copyMismatch(table, what);
}

/** Reads both sides again, independently of the copy. */
async function verifyRows(
  source: TransferSource,
  target: TransferTarget,
  table: Table,
  { onProgress, batchRows }: CopyOptions,
): Promise<void> {
  const sourceDigest = new Digest();
  const targetDigest = new Digest();
  const rowsAtATime = batchRows?.[table.name] ?? BATCH_ROWS;
  for (const rows of source.batches(table, rowsAtATime)) sourceDigest.add(rows);
  for await (const rows of target.batches(table, rowsAtATime)) targetDigest.add(rows);
  if (!targetDigest.equals(sourceDigest)) throw copyMismatch(table.name, 'the content of a row');
  onProgress(table.name, 'verified', targetDigest.count);
}

/** Sorted here, because the databases may sort text differently. */
const sortedText = (rows: readonly (readonly unknown[])[]): string =>
  rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');

const copyMismatch = (table: string, what: string): UserError =>
  new UserError(`The copy of the table ${table} is wrong: ${what} differs. Nothing was moved.`);
