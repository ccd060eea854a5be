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
import { SALE_CHECKS, RESET_LAST_SEEN } from './transfer-checks.js';
import { printLine } from './print.js';

/** How often progress is printed within a large table. */
const PROGRESS_EVERY_ROWS = 200_000;

/** A poster has up to 2 MiB. */
const POSTERS_AT_A_TIME = 16;

const formatCount = (count: number): string => count.toLocaleString('en');

export const migrateToPostgres: Command = {
  summary: 'move the sale from the data directory to PostgreSQL',
  help: `foyer migrate-to-postgres

Copies the whole sale from the SQLite database in FOYER_DATA_DIR to the PostgreSQL database of DATABASE_URL: accounts,
concerts, posters, seats, places, reservations, wallets, receipts, audit log and idempotency keys. Stop the server first. The target
must have no users and no concerts; missing tables are created. Everything is copied in one transaction and compared row
by row before the commit. On any error nothing is moved.

FOYER_SECRET must be the secret of the data directory. With another secret all users have to sign in and join again:

  FOYER_SECRET="$(cat data/secret)" DATABASE_URL=postgres://… foyer migrate-to-postgres

The data directory is only read. To go back, start the server without DATABASE_URL.`,
  async run(args, env) {
    parseArgs({ args: [...args], options: {} });
    const settings = readSettings(env);
    const address = requireAddress(settings);
    requireDatabase(join(settings.dataDir, 'foyer.db'));
    const directory = takeDataDirectory(settings.dataDir);
    try {
      await copySale(directory.databaseFile, address);
      printLine(nextSteps(directory.path('secret'), settings));
    } finally {
      directory.release();
    }
  },
};

function requireAddress({ databaseUrl }: Settings): PostgresAddress {
  if (databaseUrl === undefined)
    throw new UserError('Set DATABASE_URL to the PostgreSQL database to move to.');
  return assertDefined(parsePostgresUrl(databaseUrl), 'readSettings accepted an invalid DATABASE_URL');
}

async function copySale(file: string, address: PostgresAddress): Promise<void> {
  const startedMs = performance.now();
  const source = openTransferSource(file);
  try {
    const rowCount = await transferToPostgres(source, address, {
      emptyTables: ['users', 'concerts'],
      checks: SALE_CHECKS,
      batchRows: { posters: POSTERS_AT_A_TIME },
      finalStatement: RESET_LAST_SEEN,
      onProgress: (table, step, count) => {
        if (step !== 'copying' || count % PROGRESS_EVERY_ROWS === 0)
          printLine(`${table}: ${formatCount(count)} ${step}`);
      },
    });
    const seconds = ((performance.now() - startedMs) / SECOND_MS).toFixed(1);
    printLine(`\n${formatCount(rowCount)} rows moved and verified in ${seconds} s.`);
  } finally {
    source.close();
  }
}

const nextSteps = (secretFile: string, { secret }: Settings): string => `
Next steps:
1. Keep the secret. ${describeSecret(secretFile, secret)}
2. Start the processes with DATABASE_URL and that FOYER_SECRET. The idle time of ACTIVE places starts again now.

The data directory has not changed: to go back, start without DATABASE_URL. It will not contain changes from now on.`;

/** Printed to the terminal: must not contain the secret itself. */
function describeSecret(file: string, given: string | undefined): string {
  if (!existsSync(file))
    return 'There is none in the data directory: FOYER_SECRET must be the one that the server has used until now.\n   Otherwise all users have to sign in and join again.';
  const isSame = readFileSync(file, 'utf8').trim() === given;
  return isSame
    ? `FOYER_SECRET is the one in ${file}: every token stays valid.`
    : `FOYER_SECRET is not the one in ${file}.\n   Tokens stay valid only with the secret that the server has used until now: the one in the file, unless it was\n   started with another FOYER_SECRET.`;
}
