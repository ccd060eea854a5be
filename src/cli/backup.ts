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

Writes a consistent copy of the SQLite database in FOYER_DATA_DIR to FILE (which must not exist) while the server goes on
selling, and checks it.

To restore: stop the server, put the copy in place of foyer.db in the data directory, remove foyer.db-wal, foyer.db-shm
and the file "secret" beside it (with FOYER_SECRET set: choose a new one), and start again. Everybody signs in again and
finds their place by joining again; tokens given out after the copy was made are no longer good, as they must not be.

Not with DATABASE_URL: PostgreSQL brings pg_dump and base backups along. See docs/operations.md.`,
  run(args, env) {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} });
    const [file, ...rest] = positionals;
    if (file === undefined || rest.length > 0)
      throw new UserError('Give one file to write to: foyer backup FILE.');
    const { dataDir, databaseUrl } = readSettings(env);
    if (databaseUrl !== undefined)
      throw new UserError(
        'foyer backup copies SQLite only. DATABASE_URL is set: use pg_dump or base backups of PostgreSQL, as docs/operations.md says.',
      );
    const bytes = backUpSqlite(join(dataDir, 'foyer.db'), file);
    printLine(`${file}: ${bytes} bytes, checked`);
    return Promise.resolve();
  },
};
