import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSettings, type Settings } from '../config.js';
import { assertDefined } from '../kernel/assert.js';
import { SECOND_MS } from '../kernel/time.js';
import { UserError } from '../kernel/user-error.js';
import {
  transferToPostgres,
  openTransferSource,
  parsePostgresUrl,
  type PostgresAddress,
  requireDatabase,
  takeDataDirectory,
} from '../platform/sql/index.js';
import type { Command } from './command.js';
import { SALE_CHECKS, SEEN_ANEW } from './transfer-checks.js';
import { printLine } from './print.js';

/** A sign of life in a table that takes longer. */
const SAY_EVERY_ROWS = 200_000;

const thousands = (count: number): string => count.toLocaleString('en');

export const migrateToPostgres: Command = {
  summary: 'move the sale from the data directory to PostgreSQL',
  help: `foyer migrate-to-postgres

Moves the whole sale from the SQLite database in FOYER_DATA_DIR to the PostgreSQL of DATABASE_URL: accounts, concerts,
seats, places in line, reservations, wallets, receipts, the audit and idempotency keys. Stop the server first. The new database must
have no users and no concerts yet; its tables are made if they are missing. Everything is moved in one transaction and
compared row by row before it counts. If anything is in the way, nothing is moved.

FOYER_SECRET must be the secret of the data directory, or everybody has to sign in and join again:

  FOYER_SECRET="$(cat data/secret)" DATABASE_URL=postgres://… foyer migrate-to-postgres

The data directory is only read. To go back, start the server without DATABASE_URL.`,
  async run(args, env) {
    parseArgs({ args: [...args], options: {} });
    const settings = readSettings(env);
    const address = addressOf(settings);
    requireDatabase(join(settings.dataDir, 'foyer.db'));
    const directory = takeDataDirectory(settings.dataDir);
    try {
      await move(directory.databaseFile, address);
      printLine(leftToDo(directory.path('secret'), settings));
    } finally {
      directory.release();
    }
  },
};

function addressOf({ databaseUrl }: Settings): PostgresAddress {
  if (databaseUrl === undefined)
    throw new UserError('Set DATABASE_URL to the PostgreSQL database to move to.');
  return assertDefined(parsePostgresUrl(databaseUrl), 'the settings were checked');
}

async function move(file: string, address: PostgresAddress): Promise<void> {
  const startedMs = performance.now();
  const source = openTransferSource(file);
  try {
    const rowCount = await transferToPostgres(source, address, {
      emptyTables: ['users', 'concerts'],
      checks: SALE_CHECKS,
      finalStatement: SEEN_ANEW,
      onProgress: (table, step, count) => {
        if (step !== 'copying' || count % SAY_EVERY_ROWS === 0)
          printLine(`${table}: ${thousands(count)} ${step}`);
      },
    });
    const seconds = ((performance.now() - startedMs) / SECOND_MS).toFixed(1);
    printLine(`\n${thousands(rowCount)} rows moved and verified in ${seconds} s.`);
  } finally {
    source.close();
  }
}

const leftToDo = (secretFile: string, { secret }: Settings): string => `
Left to do:
1. Keep the secret. ${secretWords(secretFile, secret)}
2. Start the processes with DATABASE_URL and that FOYER_SECRET. Whoever is inside must be heard of again within the idle
   time of their room, counted from now.

The data directory is as it was: to go back, start without DATABASE_URL. What happens from now on will not be in it.`;

/** Says where the secret is, never what it is. */
function secretWords(file: string, given: string | undefined): string {
  if (!existsSync(file))
    return 'There is none in the data directory: FOYER_SECRET must be what the server was started with until now, or\n   everybody has to sign in and join again.';
  const isSame = readFileSync(file, 'utf8').trim() === given;
  return isSame
    ? `FOYER_SECRET as it was given now is the one in ${file}: every token stays valid.`
    : `FOYER_SECRET as it was given now is not the one in ${file}.\n   Tokens stay valid only with the one that the server used until now: that of the file, unless it was started with\n   another FOYER_SECRET.`;
}
