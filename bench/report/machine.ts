import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { queryPostgres } from '../datasets/databases.js';
import { medianOf } from '../measurement/statistics.js';

const FSYNCS = 200;
const BLOCK_BYTES = 4096;
/** File systems by their magic number, as in statfs(2). */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x01021994: 'tmpfs',
  0x794c7630: 'overlayfs',
  0x2fc12fc1: 'zfs',
};
const PG_SETTINGS = ['shared_buffers', 'fsync', 'synchronous_commit', 'max_wal_size'];

/** Describes everything besides Foyer that influences the figures. Contains no host names or directories. */
export async function describeMachine(databaseUrl: string | undefined): Promise<Record<string, string>> {
  const processors = cpus();
  const gib = totalmem() / 2 ** 30;
  return {
    CPU: `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}`,
    Memory: `${gib.toFixed(1)} GiB`,
    Disk: describeDisk(),
    Kernel: `${type()} ${release()}`,
    'Node.js': process.version,
    ...(databaseUrl === undefined ? describeSqlite() : await describePostgres(databaseUrl)),
    Foyer: describeCommit(),
    'Load average at the start': loadavg()
      .map((load) => load.toFixed(2))
      .join(', '),
  };
}

/** Whether other programs use so much CPU that the figures would be wrong. */
export const isBusy = (): boolean => (loadavg()[0] ?? 0) > cpus().length / 2;

/** Includes the duration of one fsync, the lower limit for a commit. */
function describeDisk(): string {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-bench-'));
  const file = openSync(join(directory, 'fsync'), 'w');
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
    const timesMs = Array.from({ length: FSYNCS }, () => {
      const startedMs = performance.now();
      writeSync(file, block);
      fsyncSync(file);
      return performance.now() - startedMs;
    });
    const kind = FILE_SYSTEMS[statfsSync(directory).type] ?? 'unknown file system';
    return `${kind}, fsync of 4 KiB in ${medianOf(timesMs).toFixed(2)} ms (median of ${FSYNCS})`;
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true });
  }
}

function describeSqlite(): Record<string, string> {
  const database = new Database(':memory:');
  const version = database.prepare('SELECT sqlite_version()').pluck().get();
  database.close();
  return { SQLite: String(version) };
}

async function describePostgres(url: string): Promise<Record<string, string>> {
  const [[version] = []] = await queryPostgres(url, 'SHOW server_version');
  const settings: string[] = [];
  for (const name of PG_SETTINGS) {
    const [[value] = []] = await queryPostgres(url, `SHOW ${name}`);
    settings.push(`${name} = ${String(value)}`);
  }
  return { PostgreSQL: `${String(version)}; ${settings.join(', ')}` };
}

function describeCommit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    const hasChanges = git('status', '--porcelain', '--', 'src', 'migrations', 'package.json') !== '';
    return `commit ${git('rev-parse', '--short', 'HEAD')}${hasChanges ? ' with uncommitted changes' : ''}`;
  } catch {
    return 'unknown commit';
  }
}
