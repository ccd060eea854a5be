import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WRONG_CLOCK } from '../../test/support/machine/wrong-clock.js';

/** A commit of SQLite is as slow as a file says: what a disk whose fsync stalls looks like from inside. */
const SLOW_COMMIT = `
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const Database = createRequire(process.argv[1])('better-sqlite3');
const prepare = Database.prototype.prepare;
Database.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  if (!/^\\s*COMMIT/i.test(sql)) return statement;
  const run = statement.run.bind(statement);
  statement.run = (...args) => {
    const ms = Number(readFileSync(process.env.FOYER_TEST_STALL_FILE, 'utf8'));
    if (ms > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return run(...args);
  };
  return statement;
};
`;

async function preload(directory: string, name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return `--import ${pathToFileURL(path).href}`;
}

/** Settings for a process that believes another time. */
export async function wrongClocks(directory: string): Promise<(offMs: number) => Record<string, string>> {
  const option = await preload(directory, 'wrong-clock.mjs', WRONG_CLOCK);
  return (offMs) => ({ NODE_OPTIONS: option, FOYER_TEST_CLOCK_OFF_MS: String(offMs) });
}

export interface SlowCommits {
  readonly env: Readonly<Record<string, string>>;
  stall(ms: number): Promise<void>;
}

export async function slowCommits(directory: string): Promise<SlowCommits> {
  const file = join(directory, 'stall-ms');
  const stall = (ms: number): Promise<void> => writeFile(file, String(ms));
  await stall(0);
  const option = await preload(directory, 'slow-commit.mjs', SLOW_COMMIT);
  return { env: { NODE_OPTIONS: option, FOYER_TEST_STALL_FILE: file }, stall };
}
