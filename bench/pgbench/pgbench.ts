import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../test/support/machine/run.js';
import { lookForBinaries } from '../../test/support/postgres/binaries.js';
import type { BenchDatabase, DatabaseFactory } from '../datasets/databases.js';
import { runCli } from '../foyer/server.js';
import { fixtureSql } from './fixture.js';
import { type ScriptName, SCRIPTS } from './scripts.js';

const CLIENTS = 16;
/** More transactions than PostgreSQL reaches on one machine. Sizes the fixture, so that a script never runs out of rows. */
const PER_SECOND_MAX = 20_000;
const RUN_MARGIN_MS = 60_000;

/** Measures PostgreSQL alone with the SQL statements of Foyer's transactions. */
export interface Pgbench {
  /** Transactions per second. */
  measure(script: ScriptName): Promise<number>;
  remove(): Promise<void>;
}

export async function createPgbench(databases: DatabaseFactory, seconds: number): Promise<Pgbench> {
  /** Number of holds, and of payments, that the fixture has rows for. */
  const transactionsMax = Math.ceil(PER_SECOND_MAX * Math.max(1, seconds));
  const binaries = await lookForBinaries();
  const program = binaries === undefined ? 'pgbench' : join(binaries, 'pgbench');
  const directory = await mkdtemp(join(tmpdir(), 'foyer-pgbench-'));
  await chmod(directory, 0o755);
  const fixture = await databases.createEmpty();
  // Every command creates the tables. This one adds only one user.
  await runCli(fixture.env, 'seed', '--users', '1');
  await fixture.query(fixtureSql(2 * transactionsMax, 2 * transactionsMax, transactionsMax));
  await databases.vacuum(fixture);

  /** The first half of the seats is held, for payments. The second half is available, for holds. */
  const firstRow: Record<ScriptName, number> = { charge: 0, pay: 0, hold: transactionsMax };

  async function runPgbench(copy: BenchDatabase, script: ScriptName): Promise<number> {
    const file = join(directory, `${script}.sql`);
    await writeFile(file, SCRIPTS[script]);
    const first = Math.ceil(firstRow[script] / CLIENTS);
    const variables = ['-D', `i=${first}`, '-D', `clients=${CLIENTS}`];
    const time = ['-T', String(Math.max(1, Math.round(seconds)))];
    const args = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '1', ...time, ...variables];
    const maxMs = seconds * 1000 + RUN_MARGIN_MS;
    const output = await run(program, [...args, '-f', file, copy.env['DATABASE_URL'] ?? ''], { maxMs });
    const failedCount = /number of failed transactions: (\d+)/.exec(output)?.[1];
    const processedCount = /actually processed: (\d+)/.exec(output)?.[1];
    const rate = /tps = ([\d.]+)/.exec(output)?.[1];
    if (rate === undefined || (failedCount !== undefined && failedCount !== '0'))
      throw new Error(`pgbench failed: ${output}`);
    await checkWrites(copy, script, Number(processedCount));
    return Number(rate);
  }

  return {
    async measure(script) {
      const copy = await databases.copy(fixture);
      try {
        return await runPgbench(copy, script);
      } finally {
        await copy.remove();
      }
    },
    async remove() {
      await fixture.remove();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A statement that matches no row is cheap and succeeds, so this checks that every transaction has written its rows. */
async function checkWrites(copy: BenchDatabase, script: ScriptName, count: number): Promise<void> {
  const countSql: Record<ScriptName, string> = {
    charge: `SELECT count(*) FROM wallet_entries WHERE position = 2`,
    hold: `SELECT count(*) FROM reservations r JOIN seats s ON s.reservation_id = r.id
           WHERE r.status = 'HELD' AND r.created_at = 2 AND s.status = 'HELD'`,
    pay: `SELECT count(*) FROM payments p JOIN seats s ON s.reservation_id = p.reservation_id
          WHERE s.status = 'SOLD'`,
  };
  const [[written] = []] = await copy.query(countSql[script]);
  if (Number(written) !== count)
    throw new Error(`pgbench reported ${count} ${script} transactions, but ${String(written)} are stored`);
}
