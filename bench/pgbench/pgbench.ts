import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookForBinaries } from '../../test/support/postgres/binaries.js';
import { run } from '../../test/support/machine/run.js';
import { foyer } from '../servers.js';
import type { Data, Store } from '../store.js';
import { fixture } from './fixture.js';
import { type ScriptName, SCRIPTS } from './scripts.js';

const CLIENTS = 16;
/** Faster than one machine's disk lets PostgreSQL be. */
const PER_SECOND_MAX = 20_000;
const RUN_MARGIN_MS = 60_000;

export interface Pgbench {
  /** Transactions a second of PostgreSQL alone. */
  measure(script: ScriptName): Promise<number>;
  remove(): Promise<void>;
}

export async function createPgbench(store: Store, seconds: number): Promise<Pgbench> {
  /** So many holds, and as many payments, are in store for one measurement. */
  const count = Math.ceil(PER_SECOND_MAX * Math.max(1, seconds));
  const binaries = await lookForBinaries();
  const program = binaries === undefined ? 'pgbench' : join(binaries, 'pgbench');
  const directory = await mkdtemp(join(tmpdir(), 'foyer-pgbench-'));
  await chmod(directory, 0o755);
  const data = await store.empty();
  // Any command of Foyer's makes the tables; this one adds one user besides.
  await foyer(data.env, 'seed', '--users', '1');
  await data.rows(fixture(2 * count, 2 * count, count));
  await store.tidy(data);

  /** Payments take the seats that are held, holds those that are free: the second half. */
  const firstOf: Record<ScriptName, number> = { charge: 0, pay: 0, hold: count };

  async function pgbench(copy: Data, script: ScriptName): Promise<number> {
    const file = join(directory, `${script}.sql`);
    await writeFile(file, SCRIPTS[script]);
    const first = Math.ceil(firstOf[script] / CLIENTS);
    const variables = ['-D', `i=${first}`, '-D', `clients=${CLIENTS}`];
    const time = ['-T', String(Math.max(1, Math.round(seconds)))];
    const args = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '1', ...time, ...variables];
    const maxMs = seconds * 1000 + RUN_MARGIN_MS;
    const said = await run(program, [...args, '-f', file, copy.env['DATABASE_URL'] ?? ''], { maxMs });
    const failed = /number of failed transactions: (\d+)/.exec(said)?.[1];
    const done = /actually processed: (\d+)/.exec(said)?.[1];
    const rate = /tps = ([\d.]+)/.exec(said)?.[1];
    if (rate === undefined || (failed !== undefined && failed !== '0')) throw new Error(`pgbench: ${said}`);
    await requireDone(copy, script, Number(done));
    return Number(rate);
  }

  return {
    async measure(script) {
      const copy = await store.copy(data);
      try {
        return await pgbench(copy, script);
      } finally {
        await copy.remove();
      }
    },
    async remove() {
      await data.remove();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A statement that finds nothing to do is cheap: pgbench must have done as much as it says. */
async function requireDone(copy: Data, script: ScriptName, count: number): Promise<void> {
  const counted: Record<ScriptName, string> = {
    charge: `SELECT count(*) FROM wallet_entries WHERE position = 2`,
    hold: `SELECT count(*) FROM reservations r JOIN seats s ON s.reservation_id = r.id
           WHERE r.status = 'HELD' AND r.created_at = 2 AND s.status = 'HELD'`,
    pay: `SELECT count(*) FROM payments p JOIN seats s ON s.reservation_id = p.reservation_id
          WHERE s.status = 'SOLD'`,
  };
  const [[done] = []] = await copy.rows(counted[script]);
  if (Number(done) !== count) throw new Error(`pgbench did ${String(done)} of ${count} ${script}s`);
}
