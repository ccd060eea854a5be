import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type Database from 'better-sqlite3';
import { UserError } from '../../../kernel/user-error.js';
import { hasSqliteCode, openDatabase } from './driver.js';

export class DirectoryUnusable extends Error {
  override readonly name = 'DirectoryUnusable';
}

export interface DataDirectory {
  readonly databaseFile: string;
  /** Reads a secret kept in the directory, making it on first use. */
  keptSecret(): string;
  path(name: string): string;
  release(): void;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function readPid(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/**
 * Takes the directory for this process alone. The lock is the operating system's, held through an open SQLite
 * transaction on a file of its own, so it goes with the process however that ends; the pid beside it is for people.
 */
export function takeDataDirectory(directory: string): DataDirectory {
  const path = (name: string): string => join(directory, name);
  const lock = lockDirectory(directory, path('foyer.lock'), path('foyer.pid'));
  return {
    databaseFile: path('foyer.db'),
    path,
    keptSecret: () => keptSecret(path('secret')),
    release: () => {
      lock.close();
    },
  };
}

/** One by one: Node's own way of making them all hides why it could not, and never ends where nothing can be made. */
function makeDirectory(directory: string): void {
  const path = resolve(directory);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw new Error(`${path} is a file`);
  makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function lockDirectory(directory: string, lockFile: string, pidFile: string): Database.Database {
  try {
    makeDirectory(directory);
  } catch (error) {
    throw new DirectoryUnusable(`The data directory ${directory} cannot be created: ${reasonOf(error)}.`);
  }
  let lock: Database.Database | undefined;
  try {
    lock = openDatabase(lockFile, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
    writeFileSync(pidFile, `${process.pid}\n`);
    return lock;
  } catch (error) {
    lock?.close();
    if (error instanceof UserError) throw error;
    if (hasSqliteCode(error, /^SQLITE_BUSY/)) {
      throw new DirectoryUnusable(
        `The data directory ${directory} is in use by another Foyer (pid ${readPid(pidFile)}). ` +
          'Stop that one first, or give this one a FOYER_DATA_DIR of its own.',
      );
    }
    throw new DirectoryUnusable(`The data directory ${directory} is not writable: ${reasonOf(error)}.`);
  }
}

function keptSecret(file: string): string {
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  // Empty: a copy or an editor went wrong. Anybody could sign with that.
  if (kept !== '') return kept;
  const secret = randomBytes(32).toString('base64url');
  const fresh = `${file}.new`;
  const handle = openSync(fresh, 'w', 0o600);
  writeFileSync(handle, `${secret}\n`);
  // Tokens signed with it must still be valid after a crash.
  fsyncSync(handle);
  closeSync(handle);
  renameSync(fresh, file);
  return secret;
}
