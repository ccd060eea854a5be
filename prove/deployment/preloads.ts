import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { WRONG_CLOCK } from '../../test/support/machine/wrong-clock.js';

/** Scripts that a Foyer process loads first (`node --import`) to inject faults from inside. */

/** Delays every SQLite COMMIT by the milliseconds in a file: how an fsync stall looks to the process. */
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

async function writePreload(directory: string, name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return `--import ${pathToFileURL(path).href}`;
}

/** Returns the environment variables that give a process a clock with this offset. */
export async function writeClockSkewPreload(
  directory: string,
): Promise<(offsetMs: number) => Record<string, string>> {
  const option = await writePreload(directory, 'wrong-clock.mjs', WRONG_CLOCK);
  return (offsetMs) => ({ NODE_OPTIONS: option, FOYER_TEST_CLOCK_OFF_MS: String(offsetMs) });
}

export interface SlowCommitPreload {
  readonly env: Readonly<Record<string, string>>;
  setCommitDelay(ms: number): Promise<void>;
}

export async function writeSlowCommitPreload(directory: string): Promise<SlowCommitPreload> {
  const file = join(directory, 'stall-ms');
  const setCommitDelay = (ms: number): Promise<void> => writeFile(file, String(ms));
  await setCommitDelay(0);
  const option = await writePreload(directory, 'slow-commit.mjs', SLOW_COMMIT);
  return { env: { NODE_OPTIONS: option, FOYER_TEST_STALL_FILE: file }, setCommitDelay };
}
