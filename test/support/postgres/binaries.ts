import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../machine/find-program.js';
import { installPackages } from '../machine/install.js';
import { run } from '../machine/run.js';

const DEBIAN_DIRECTORY = '/usr/lib/postgresql';
const VERSION_MIN = 15;
const PROGRAMS = ['initdb', 'postgres', 'pg_ctl', 'pg_basebackup', 'psql', 'pgbench'];
const INSTALL_POSTGRES =
  'PostgreSQL was not found: install PostgreSQL 15 or newer, or set FOYER_TEST_DATABASE_URL to a server on which databases can be created.';
const INSTALL_PGBOUNCER =
  'PgBouncer was not found: install PgBouncer (on Debian the package pgbouncer) and have it on the PATH or in /usr/sbin.';

/** The directory of PostgreSQL's programs. Installs them if they are missing. */
export async function findBinaries(): Promise<string> {
  const found = await lookForBinaries();
  if (found !== undefined) return found;
  await installPackages(['postgresql', 'postgresql-client'], INSTALL_POSTGRES);
  const installed = await lookForBinaries();
  if (installed === undefined) throw new Error(INSTALL_POSTGRES);
  return installed;
}

/** The directory of PostgreSQL's programs, if this machine has them. */
export async function lookForBinaries(): Promise<string | undefined> {
  const versions = await readdir(DEBIAN_DIRECTORY).catch(() => []);
  const newestFirst = versions.map(Number).filter((version) => version >= VERSION_MIN);
  newestFirst.sort((one, other) => other - one);
  for (const version of newestFirst) {
    const directory = join(DEBIAN_DIRECTORY, String(version), 'bin');
    if (await hasAll(directory, PROGRAMS)) return directory;
  }
  const elsewhere = await run('pg_config', ['--bindir', '--version']).catch(() => '');
  const [directory, version] = elsewhere.split('\n');
  const major = Number(/\d+/.exec(version ?? '')?.[0]);
  if (directory === undefined || !(major >= VERSION_MIN)) return undefined;
  return (await hasAll(directory, PROGRAMS)) ? directory : undefined;
}

/** The path of PgBouncer. Installs it if it is missing. */
export const findPgBouncer = (): Promise<string> => findProgram('pgbouncer', INSTALL_PGBOUNCER);

async function hasAll(directory: string, programs: readonly string[]): Promise<boolean> {
  const checks = programs.map((program) => access(join(directory, program), constants.X_OK));
  return Promise.all(checks).then(
    () => true,
    () => false,
  );
}
