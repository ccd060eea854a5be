import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSettings } from '../config.js';
import { UserError } from '../kernel/user-error.js';
import { backUpSqlite } from '../platform/sql/index.js';
import type { Command } from './command.js';
import { printLine } from './print.js';

export const backup: Command = {
  summary: 'copy the SQLite database while it is in use',
  help: `foyer backup FILE

Writes a consistent copy of the SQLite database in FOYER_DATA_DIR to FILE and checks it. FILE must not exist. The server may
keep running.

To restore: stop the server, replace foyer.db in the data directory with the copy, delete foyer.db-wal, foyer.db-shm and
"secret" (or set another FOYER_SECRET), and start the server. Users then sign in and join again; a fan who is in the copy
gets the same place back. With the old secret, a token issued after the copy could show the position of another fan.

With DATABASE_URL use pg_dump or base backups of PostgreSQL instead. See docs/operations.md.`,
  run(args, env) {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
    const [file, ...rest] = positionals;
    if (file === undefined || rest.length > 0)
      throw new UserError('Name one file to write to: foyer backup FILE.');
    const { dataDir, databaseUrl } = readSettings(env);
    if (databaseUrl !== undefined)
      throw new UserError(
        'foyer backup copies SQLite only, and DATABASE_URL is set. Use pg_dump or base backups of PostgreSQL: see docs/operations.md.',
      );
    const bytes = backUpSqlite(join(dataDir, 'foyer.db'), file);
    printLine(`${file}: ${bytes} bytes, checked`);
    return Promise.resolve();
  },
};
