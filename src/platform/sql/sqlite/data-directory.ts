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
import { errorMessage, UserError } from '../../../kernel/user-error.js';
import { hasSqliteCode, openDatabase } from './driver.js';

export class DirectoryUnusable extends Error {
  override readonly name = 'DirectoryUnusable';
}

export interface DataDirectory {
  readonly databaseFile: string;
  /** The secret stored in the directory; created on first use. */
  loadOrCreateSecret(): string;
  path(name: string): string;
  release(): void;
}

function readPid(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

/**
 * Locks the directory for this process. The lock is an open SQLite transaction on its own file, which the operating
 * system releases however the process ends. The pid file only serves the error message.
 */
export function takeDataDirectory(directory: string): DataDirectory {
  const path = (name: string): string => join(directory, name);
  const lock = lockDirectory(directory, path('foyer.lock'), path('foyer.pid'));
  return {
    databaseFile: path('foyer.db'),
    path,
    loadOrCreateSecret: () => loadOrCreateSecret(path('secret')),
    release: () => {
      lock.close();
    },
  };
}

/** Node's recursive `mkdir` hides the reason of a failure, and never returns for a path such as `/proc/x/y`. */
function createDirectory(directory: string): void {
  const path = resolve(directory);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw new Error(`${path} is a file`);
  createDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it first.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function lockDirectory(directory: string, lockFile: string, pidFile: string): Database.Database {
  try {
    createDirectory(directory);
  } catch (error) {
    throw new DirectoryUnusable(`The data directory ${directory} cannot be created: ${errorMessage(error)}.`);
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
          'Stop that process first, or set another FOYER_DATA_DIR.',
      );
    }
    throw new DirectoryUnusable(`The data directory ${directory} is not writable: ${errorMessage(error)}.`);
  }
}

function loadOrCreateSecret(file: string): string {
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  // An empty file is the result of a failed copy or a crash. Anyone could sign tokens with an empty secret.
  if (stored !== '') return stored;
  const secret = randomBytes(32).toString('base64url');
  const newFile = `${file}.new`;
  const handle = openSync(newFile, 'w', 0o600);
  writeFileSync(handle, `${secret}\n`);
  // Tokens signed with the secret must stay valid after a crash.
  fsyncSync(handle);
  closeSync(handle);
  renameSync(newFile, file);
  return secret;
}
