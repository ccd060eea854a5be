import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { medianOf } from './stats.js';
import { ask } from './store.js';

const FSYNCS = 200;
const BLOCK_BYTES = 4096;
/** The magic numbers of file systems, as statfs(2) has them, that a benchmark is likely to meet. */
const FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0xef53: 'ext4',
  0x58465342: 'xfs',
  0x9123683e: 'btrfs',
  0x01021994: 'tmpfs',
  0x794c7630: 'overlayfs',
  0x2fc12fc1: 'zfs',
};
const PG_SETTINGS = ['shared_buffers', 'fsync', 'synchronous_commit', 'max_wal_size'];

/** What the figures depend on besides the program, in words. No names of hosts or directories. */
export async function describeMachine(databaseUrl: string | undefined): Promise<Record<string, string>> {
  const processors = cpus();
  const gib = totalmem() / 2 ** 30;
  return {
    CPU: `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown'}`,
    Memory: `${gib.toFixed(1)} GiB`,
    Disk: describeDisk(),
    Kernel: `${type()} ${release()}`,
    'Node.js': process.version,
    ...(databaseUrl === undefined ? sqliteVersion() : await postgresVersion(databaseUrl)),
    Foyer: commit(),
    'Load average at the start': loadavg()
      .map((load) => load.toFixed(2))
      .join(', '),
  };
}

/** More than this is running besides: the figures will say more about that than about Foyer. */
export const isBusy = (): boolean => (loadavg()[0] ?? 0) > cpus().length / 2;

/** The time that a commit cannot go below: one block written and forced to disk. */
function describeDisk(): string {
  const directory = mkdtempSync(join(tmpdir(), 'foyer-bench-'));
  const file = openSync(join(directory, 'fsync'), 'w');
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
    const times = Array.from({ length: FSYNCS }, () => {
      const startedMs = performance.now();
      writeSync(file, block);
      fsyncSync(file);
      return performance.now() - startedMs;
    });
    const kind = FILE_SYSTEMS[statfsSync(directory).type] ?? 'unknown file system';
    return `${kind}, fsync of 4 KiB in ${medianOf(times).toFixed(2)} ms (median of ${FSYNCS})`;
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true });
  }
}

function sqliteVersion(): Record<string, string> {
  const database = new Database(':memory:');
  const version = database.prepare('SELECT sqlite_version()').pluck().get();
  database.close();
  return { SQLite: String(version) };
}

async function postgresVersion(url: string): Promise<Record<string, string>> {
  const [[version] = []] = await ask(url, 'SHOW server_version');
  const settings: string[] = [];
  for (const name of PG_SETTINGS) {
    const [[value] = []] = await ask(url, `SHOW ${name}`);
    settings.push(`${name} = ${String(value)}`);
  }
  return { PostgreSQL: `${String(version)}; ${settings.join(', ')}` };
}

function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', 'src', 'migrations', 'package.json') !== '';
    return `commit ${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'not from a repository';
  }
}
