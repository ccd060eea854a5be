import { parseArgs } from 'node:util';
import { UserError } from '../kernel/user-error.js';
import { seedDemo } from '../seed/demo.js';
import { requireUsers, seedConcert, seedUsers, seedWaiting } from '../seed/load-test.js';
import type { Command } from './command.js';
import { printLine } from './print.js';
import { withModules } from './with-modules.js';

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

function parseWholeNumber(
  option: string,
  text: string | undefined,
  min: number,
  max: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max))
    throw new UserError(`${option} must be a whole number from ${min} to ${max}.`);
  return value;
}

export const seed: Command = {
  summary: 'create the demo, or users and a concert for load tests',
  help: `foyer seed --demo
foyer seed [--users N] [--balance B] [--password P] [--seats M [--waiting W]]

  --demo        create the demo concerts and sign-ins in an empty database
  --users N     create N users: user1@load.example, user2@load.example, … (existing users are not changed)
  --balance B   balance of each new wallet (default 1000000)
  --password P  password of all new users (default load-test-password)
  --seats M     create a concert on sale with one date of M seats and print its id
  --waiting W   let the first W load-test users join the queue of that concert

With SQLite (FOYER_DATA_DIR) stop the server first. With PostgreSQL (DATABASE_URL) servers may keep running.`,
  async run(args, env) {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const users = parseWholeNumber('--users', values.users, 1, USERS_MAX);
    const seats = parseWholeNumber('--seats', values.seats, 1, SEATS_MAX);
    const waiting = parseWholeNumber('--waiting', values.waiting, 1, USERS_MAX);
    const balance = parseWholeNumber('--balance', values.balance, 0, BALANCE_MAX) ?? 1_000_000;
    const password = values.password ?? 'load-test-password';
    if (!values.demo && users === undefined && seats === undefined) {
      throw new UserError('Nothing to seed: set --demo, --users or --seats. See foyer seed --help.');
    }
    if (waiting !== undefined && seats === undefined)
      throw new UserError('--waiting needs --seats: the users wait for the concert that --seats creates.');
    await withModules(env, async (foyer, store, settings) => {
      if (values.demo) {
        const signIns = await seedDemo(foyer, store, settings.operator?.email);
        if (!signIns)
          throw new UserError('The demo needs an empty database, but this one has concerts already.');
        printLine(`operator: ${signIns.operator}\ndemo fan: ${signIns.fan}`);
      }
      if (users !== undefined)
        printLine(
          `${await seedUsers(store.sql, { count: users, password, balance, passwordMemoryMib: settings.passwordMemoryMib })} users added`,
        );
      if (waiting !== undefined) await requireUsers(store.sql, waiting);
      if (seats === undefined) return;
      const concertId = await seedConcert(foyer, store.sql, seats);
      if (waiting !== undefined) await seedWaiting(store.sql, concertId, waiting);
      printLine(`concert ${concertId}`);
    });
  },
};
