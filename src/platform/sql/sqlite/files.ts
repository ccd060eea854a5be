import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { errorMessage, UserError } from '../../../kernel/user-error.js';
import type { Sql } from '../port.js';
import { openDatabase } from './driver.js';
import { openSqlite } from './store.js';

export function requireDatabase(file: string): void {
  if (!existsSync(file))
    throw new UserError(`There is no database at ${file}: start Foyer once, or set FOYER_DATA_DIR.`);
}

/**
 * Writes a consistent copy of a database that may be in use: one read transaction, which in WAL mode blocks no writer.
 * The copy gets its final name after an integrity check, so a file of that name is always a complete backup. Returns
 * its size.
 */
export function backUpSqlite(file: string, target: string): number {
  requireDatabase(file);
  if (existsSync(target)) throw new UserError(`${target} exists already: a backup never overwrites a file.`);
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  const source = openDatabase(file, { readonly: true });
  try {
    source.prepare('VACUUM INTO ?').run(partial);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new UserError(`The backup could not be written: ${errorMessage(error)}.`);
  } finally {
    source.close();
  }
  const copy = openDatabase(partial);
  const integrity: unknown = copy.pragma('integrity_check', { simple: true });
  copy.close();
  if (integrity !== 'ok')
    throw new UserError(`The backup in ${partial} is damaged: ${target} was not written.`);
  renameSync(partial, target);
  return statSync(target).size;
}

/** A second connection to a database that a server may be using, for a small change by a command. */
export function openExistingSqlite(file: string): Sql {
  requireDatabase(file);
  return openSqlite({
    file,
    clock: Date.now,
    onFatal: (error) => {
      throw error;
    },
  });
}
