import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { lookForBinaries } from './binaries.js';
import { run } from '../machine/run.js';

const FLAGS = ['--no-psqlrc', '--quiet', '--no-align', '--tuples-only', '--no-password'];

/** Runs SQL up to the first error and returns the rows, one per line, columns separated by `|`. */
export async function psql(url: string, sql: string): Promise<string> {
  const binaries = await lookForBinaries();
  const program = binaries === undefined ? 'psql' : join(binaries, 'psql');
  const output = await run(program, [...FLAGS, '--set=ON_ERROR_STOP=1', `--dbname=${url}`], { input: sql });
  return output.trimEnd();
}

export interface TemporaryDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database on the server of the URL. */
export async function createDatabaseAt(serverUrl: string): Promise<TemporaryDatabase> {
  const name = `foyer_test_${randomBytes(8).toString('hex')}`;
  // template1 may contain objects of the server's owner; template0 is always empty.
  await psql(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(serverUrl);
  url.pathname = name;
  return {
    url: url.href,
    async drop() {
      await psql(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
