import { UserError } from '../../../kernel/user-error.js';
import { Digest, type Table } from './rows.js';
import type { MoveSource } from './source.js';
import { type MoveTarget, openMoveTarget } from './target.js';
import { toPostgresUserError } from '../postgres/user-errors.js';
import { migratePostgres } from '../postgres/migrations.js';
import type { PostgresAddress } from '../postgres/url.js';

/** A question that both databases must answer alike. */
export interface TransferCheck {
  readonly table: string;
  readonly what: string;
  readonly question: string;
}

export interface MovePlan {
  /** What must not be in the new database; nothing else can be there without them. */
  readonly emptyTables: readonly string[];
  readonly checks: readonly TransferCheck[];
  /** Run on the new database once everything has been verified. */
  readonly lastly: string;
  /** Told after every batch, and when a table is done with. */
  readonly onProgress: (table: string, step: MoveStep, rowCount: number) => void;
}

type MoveStep = 'copying' | 'copied' | 'verified';

/** Moves all of it or nothing; answers how many rows. The old database stays as it is. */
export async function transferToPostgres(
  source: MoveSource,
  address: PostgresAddress,
  plan: MovePlan,
): Promise<number> {
  const target = await prepareTarget(source, address);
  try {
    await requireEmpty(target, plan.emptyTables);
    let rowCount = 0;
    for (const table of source.tables) rowCount += await copyTable(source, target, table, plan.onProgress);
    for (const check of [...source.tables.map(sameCount), ...plan.checks])
      await verifyCheck(source, target, check);
    for (const table of source.tables) await verifyRows(source, target, table, plan.onProgress);
    await target.run(plan.lastly);
    await target.commit();
    return rowCount;
  } finally {
    await target.close();
  }
}

async function prepareTarget(source: MoveSource, address: PostgresAddress): Promise<MoveTarget> {
  try {
    const { version } = await migratePostgres(address);
    if (source.version !== version)
      throw new UserError(
        'The data directory was last used by another version of Foyer: run foyer migrate on it once, without DATABASE_URL. Nothing was moved.',
      );
    return await openMoveTarget(address, source.tables);
  } catch (error) {
    throw toPostgresUserError(error);
  }
}

async function requireEmpty(target: MoveTarget, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const [row] = await target.ask(`SELECT 1 FROM "${table}" LIMIT 1`);
    if (row)
      throw new UserError(
        `The database of DATABASE_URL already has ${table}: a sale is moved into an empty one only. Nothing was moved.`,
      );
  }
}

async function copyTable(
  source: MoveSource,
  target: MoveTarget,
  table: Table,
  onProgress: MovePlan['onProgress'],
): Promise<number> {
  let rowCount = 0;
  let writing = Promise.resolve();
  for (const rows of source.batches(table)) {
    await writing;
    // Not waited for: the next batch is read meanwhile. Should reading fail, nobody hears how the writing ended.
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
  source: MoveSource,
  target: MoveTarget,
  { table, what, question }: TransferCheck,
): Promise<void> {
  if (inAnyOrder(source.ask(question)) !== inAnyOrder(await target.ask(question))) throw differs(table, what);
}

/** Read anew on both sides: what the copying made of the rows counts for nothing here. */
async function verifyRows(
  source: MoveSource,
  target: MoveTarget,
  table: Table,
  onProgress: MovePlan['onProgress'],
): Promise<void> {
  const there = new Digest();
  const here = new Digest();
  for (const rows of source.batches(table)) there.add(rows);
  for await (const rows of target.batches(table)) here.add(rows);
  if (!here.equals(there)) throw differs(table.name, 'what stands in a row');
  onProgress(table.name, 'verified', here.count);
}

/** The databases may sort texts differently. */
const inAnyOrder = (rows: readonly (readonly unknown[])[]): string =>
  rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');

const differs = (table: string, what: string): UserError =>
  new UserError(`The table ${table} did not arrive as it was: ${what} differs. Nothing was moved.`);
