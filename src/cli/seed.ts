import { parseArgs } from 'node:util';
import { UserError } from '../kernel/user-error.js';
import { seedDemo } from '../seed/demo.js';
import { requireUsers, seedConcert, seedUsers, seedWaiting } from '../seed/load-test.js';
import type { Command } from './command.js';
import { wholeNumber } from './numbers.js';
import { printLine } from './print.js';
import { withFoyer } from './with-modules.js';

const OPTIONS = {
  demo: { type: 'boolean' },
  users: { type: 'string' },
  seats: { type: 'string' },
  waiting: { type: 'string' },
  balance: { type: 'string' },
  password: { type: 'string' },
} as const;

const USERS_MAX = 10_000_000;
const SEATS_MAX = 100_000;
const BALANCE_MAX = 1_000_000_000_000;

export const seed: Command = {
  summary: 'fill the database: the demo, or users and a concert for load tests',
  help: `foyer seed --demo
foyer seed [--users N] [--balance B] [--password P] [--seats M [--waiting W]]

  --demo        the demo concerts and sign-ins, into an empty database
  --users N     N users: user1@load.example, user2@load.example, … (those who exist are left alone)
  --balance B   what each of their wallets holds (default 1000000)
  --password P  the password of all of them (default load-test-password)
  --seats M     a concert on sale with one date of M seats; prints its id
  --waiting W   the first W of those users wait in that concert's line

Works on FOYER_DATA_DIR while no server uses it; with DATABASE_URL on PostgreSQL, also while servers use it.`,
  async run(args, env) {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const users = wholeNumber('--users', values.users, 1, USERS_MAX);
    const seats = wholeNumber('--seats', values.seats, 1, SEATS_MAX);
    const waiting = wholeNumber('--waiting', values.waiting, 1, USERS_MAX);
    const balance = wholeNumber('--balance', values.balance, 0, BALANCE_MAX) ?? 1_000_000;
    const password = values.password ?? 'load-test-password';
    if (!values.demo && users === undefined && seats === undefined) {
      throw new UserError('Nothing to seed: give --demo, --users or --seats. See foyer seed --help.');
    }
    if (waiting !== undefined && seats === undefined)
      throw new UserError('--waiting needs --seats: they wait for the concert that it makes.');
    await withFoyer(env, async (foyer, store, settings) => {
      if (values.demo) {
        const signIns = await seedDemo(foyer, store, settings.operator?.email);
        if (!signIns)
          throw new UserError('The demo goes into an empty database, and this one has concerts already.');
        printLine(`operator: ${signIns.operator}\ndemo fan: ${signIns.fan}`);
      }
      if (users !== undefined)
        printLine(`${await seedUsers(store.sql, { count: users, password, balance })} users added`);
      if (waiting !== undefined) await requireUsers(store.sql, waiting);
      if (seats === undefined) return;
      const concertId = await seedConcert(foyer, store.sql, seats);
      if (waiting !== undefined) await seedWaiting(store.sql, concertId, waiting);
      printLine(`concert ${concertId}`);
    });
  },
};
