import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { UserError } from '../../../kernel/user-error.js';
import type { Sql } from '../port.js';
import { openDatabase } from './driver.js';
import { openSqlite } from './store.js';

export function requireDatabase(file: string): void {
  if (!existsSync(file))
    throw new UserError(`There is no database at ${file}: start Foyer once, or set FOYER_DATA_DIR.`);
}

/**
 * A consistent copy of a database that may be in use: one read transaction, which in WAL mode holds nobody up. Written
 * beside its final name and checked first, so that a file of that name is always a whole backup. Answers its size.
 */
export function backUpSqlite(file: string, target: string): number {
  requireDatabase(file);
  if (existsSync(target)) throw new UserError(`${target} exists already: a backup never overwrites.`);
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  const source = openDatabase(file, { readonly: true });
  try {
    source.prepare('VACUUM INTO ?').run(partial);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new UserError(
      `The backup could not be written: ${error instanceof Error ? error.message : String(error)}.`,
    );
  } finally {
    source.close();
  }
  const copy = openDatabase(partial);
  const verdict: unknown = copy.pragma('integrity_check', { simple: true });
  copy.close();
  if (verdict !== 'ok') throw new UserError(`The backup in ${partial} is damaged and was not put in place.`);
  renameSync(partial, target);
  return statSync(target).size;
}

/** A second connection to a database that a server may be using, for one small change from the command line. */
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
