import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { installPackages } from '../machine/install.js';
import { run } from '../machine/run.js';

const DEBIAN = '/usr/lib/postgresql';
const VERSION_MIN = 15;
const PROGRAMS = ['initdb', 'postgres', 'pg_ctl', 'pg_basebackup', 'psql', 'pgbench'];
const WHAT_TO_DO =
  'PostgreSQL was not found: install PostgreSQL 15 or newer, or set FOYER_TEST_DATABASE_URL to a server that lets us create databases.';
const WHAT_TO_DO_FOR_PGBOUNCER =
  'PgBouncer was not found: install PgBouncer (on Debian the package pgbouncer) and have it on the PATH or in /usr/sbin.';

/** The directory of PostgreSQL's programs, after installing them where that is possible. */
export async function findBinaries(): Promise<string> {
  const found = await lookForBinaries();
  if (found !== undefined) return found;
  await installPackages(['postgresql', 'postgresql-client'], WHAT_TO_DO);
  const installed = await lookForBinaries();
  if (installed === undefined) throw new Error(WHAT_TO_DO);
  return installed;
}

/** The directory of PostgreSQL's programs, if this machine has them. */
export async function lookForBinaries(): Promise<string | undefined> {
  const versions = await readdir(DEBIAN).catch(() => []);
  const newestFirst = versions.map(Number).filter((version) => version >= VERSION_MIN);
  newestFirst.sort((one, other) => other - one);
  for (const version of newestFirst) {
    const directory = join(DEBIAN, String(version), 'bin');
    if (await hasAll(directory, PROGRAMS)) return directory;
  }
  const elsewhere = await run('pg_config', ['--bindir', '--version']).catch(() => '');
  const [directory, version] = elsewhere.split('\n');
  const major = Number(/\d+/.exec(version ?? '')?.[0]);
  if (directory === undefined || !(major >= VERSION_MIN)) return undefined;
  return (await hasAll(directory, PROGRAMS)) ? directory : undefined;
}

/** PgBouncer's program, after installing it where that is possible. */
export async function findPgBouncer(): Promise<string> {
  const found = await lookForPgBouncer();
  if (found !== undefined) return found;
  await installPackages(['pgbouncer'], WHAT_TO_DO_FOR_PGBOUNCER);
  const installed = await lookForPgBouncer();
  if (installed === undefined) throw new Error(WHAT_TO_DO_FOR_PGBOUNCER);
  return installed;
}

async function lookForPgBouncer(): Promise<string | undefined> {
  // Debian puts it where only root's PATH looks.
  for (const directory of [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin']) {
    if (directory !== '' && (await hasAll(directory, ['pgbouncer']))) return join(directory, 'pgbouncer');
  }
  return undefined;
}

async function hasAll(directory: string, programs: readonly string[]): Promise<boolean> {
  const looked = programs.map((program) => access(join(directory, program), constants.X_OK));
  return Promise.all(looked).then(
    () => true,
    () => false,
  );
}
