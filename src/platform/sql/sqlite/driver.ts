import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { UserError } from '../../../kernel/user-error.js';

/**
 * The only file that loads better-sqlite3, on first use. It is an optional dependency: PostgreSQL works without it, and
 * `npm ci` leaves it out when it can neither download nor compile its binary.
 */
let driver: typeof Database | undefined;

export function openDatabase(file: string, options?: Database.Options): Database.Database {
  driver ??= loadDriver();
  return new driver(file, options);
}

export const hasSqliteCode = (error: unknown, codes: RegExp): boolean =>
  driver !== undefined && error instanceof driver.SqliteError && codes.test(error.code);

function loadDriver(): typeof Database {
  try {
    const loaded = createRequire(import.meta.url)('better-sqlite3') as typeof Database;
    // The binary is loaded with the first database.
    new loaded(':memory:').close();
    return loaded;
  } catch (error) {
    const [reason = ''] = String(error).split('\n');
    throw new UserError(
      `The SQLite driver (better-sqlite3) is not installed or does not work with Node.js ${process.version} (${reason}). ` +
        'Where there is no prebuilt binary, as for Node.js 20, npm ci compiles it and needs python3, make and g++: ' +
        'apt-get install python3 make g++, then run npm ci again. ' +
        'With DATABASE_URL set, Foyer runs on PostgreSQL without it.',
      { cause: error },
    );
  }
}
