import Database from 'better-sqlite3';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { UserError } from '../../src/kernel/user-error.js';
import { memoryDirectory } from '../support/memory-directory.js';
import { eachMigration, MIGRATION_NAMES } from '../support/migrations.js';
import { type Ended, foyer } from '../support/programs.js';

const NAMES = ['serve', 'seed', 'backup', 'policy', 'operator', 'migrate', 'migrate-to-postgres'];

/** A message on standard error without a stack trace, and exit code 1. */
function expectRefused(ended: Ended, message: RegExp | string): void {
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
}

function expectDone(ended: Ended): string {
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return ended.stdout;
}

function query<T>(directory: string, sql: string): T[] {
  const database = new Database(join(directory, 'foyer.db'), { readonly: true });
  try {
    return database.prepare<[], T>(sql).all();
  } finally {
    database.close();
  }
}

/** Runs the command in this process, which is fast enough to try many wrong values. */
const refusalOf = async (directory: string, name: string, args: readonly string[]): Promise<unknown> =>
  Promise.resolve(COMMANDS[name]?.run(args, { FOYER_DATA_DIR: directory })).then(
    () => 'done',
    (error: unknown) => error,
  );

async function expectEachRefused(
  directory: string,
  name: string,
  wrong: readonly (readonly string[])[],
  message: RegExp,
): Promise<void> {
  for (const args of wrong) {
    const refusal = await refusalOf(directory, name, args);
    expect(refusal, args.join(' ')).toBeInstanceOf(UserError);
    expect(refusal).toMatchObject({ message: expect.stringMatching(message) });
  }
}

describe('foyer', () => {
  it('lists its commands and describes each one', async () => {
    const directory = memoryDirectory();
    const [nothing, help] = await Promise.all([foyer(directory), foyer(directory, '--help')]);
    for (const name of NAMES) expect(expectDone(nothing)).toContain(`foyer ${name}`);
    expect(help).toEqual(nothing);
    const helps = await Promise.all(NAMES.map((name) => foyer(directory, name, '--help')));
    for (const [index, ended] of helps.entries()) {
      expect(expectDone(ended)).toMatch(new RegExp(`^foyer ${NAMES[index] ?? ''}`));
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  it('refuses unknown commands and options with a readable message', async () => {
    const directory = memoryDirectory();
    const [command, prototype] = await Promise.all([foyer(directory, 'sell'), foyer(directory, 'toString')]);
    expectRefused(command, /There is no command "sell"[^]*foyer serve/);
    expectRefused(prototype, 'There is no command "toString"');
    const options = await Promise.all(NAMES.map((name) => foyer(directory, name, '--fast')));
    for (const ended of options) expectRefused(ended, /--fast|takes no arguments/);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe('foyer seed', () => {
  it('refuses invalid numbers and a call without anything to seed', async () => {
    const directory = memoryDirectory();
    const [nothing, positional] = await Promise.all([
      foyer(directory, 'seed'),
      foyer(directory, 'seed', 'demo'),
    ]);
    expectRefused(nothing, 'Nothing to seed');
    expectRefused(positional, 'demo');
    const wrong = [
      ['--users', '0'],
      ['--users', '1.5'],
      ['--users', '1e3'],
      ['--users=-1'],
      ['--users', ''],
      ['--seats', 'many'],
      ['--seats', '100001'],
      ['--seats', '1', '--waiting', '0'],
      ['--users', '1', '--balance', '1000000000001'],
    ];
    await expectEachRefused(
      directory,
      'seed',
      wrong,
      /^--(users|seats|waiting|balance) must be a whole number from/,
    );
    expect(readdirSync(directory)).toEqual([]);
  });

  it('creates the demo: a club with three dates, an arena, and a sale that is not open yet', async () => {
    const directory = memoryDirectory();
    const output = expectDone(await foyer(directory, 'seed', '--demo'));
    expect(output).toMatch(/^operator: \S+@\S+ \/ \S{8,}\ndemo fan: \S+@\S+ \/ \S{8,}\n$/);
    const concerts = query<{ dates: number; seats: number; notOpen: number }>(
      directory,
      `SELECT count(DISTINCT d.id) AS dates, count(*) AS seats,
         coalesce(c.sales_open_at, 0) > c.created_at AS notOpen
       FROM concerts c JOIN schedules d ON d.concert_id = c.id JOIN seats s ON s.schedule_id = d.id
       WHERE s.status = 'AVAILABLE' GROUP BY c.id ORDER BY seats`,
    );
    expect(concerts).toEqual([
      { dates: 1, seats: 50, notOpen: 1 },
      { dates: 3, seats: 150, notOpen: 0 },
      { dates: 1, seats: 12_000, notOpen: 0 },
    ]);
    const dates = query(directory, 'SELECT count(*) AS seats FROM seats GROUP BY schedule_id ORDER BY seats');
    expect(dates).toEqual([{ seats: 50 }, { seats: 50 }, { seats: 50 }, { seats: 50 }, { seats: 12_000 }]);
    const roles = query(
      directory,
      'SELECT role, balance FROM users JOIN wallets ON user_id = id ORDER BY role',
    );
    expect(roles).toMatchObject([{ role: 'CUSTOMER', balance: 1_000_000 }, { role: 'OPERATOR' }]);

    // A second run prints the same sign-ins and creates nothing.
    expect(expectDone(await foyer(directory, 'seed', '--demo'))).toBe(output);
    expect(query(directory, 'SELECT count(*) AS count FROM concerts')).toEqual([{ count: 3 }]);
  });

  it('refuses the demo in a database with concerts, and the demo fan as operator', async () => {
    const directory = memoryDirectory();
    expectDone(await foyer(directory, 'seed', '--seats', '10'));
    expectRefused(await foyer(directory, 'seed', '--demo'), 'this one has concerts already');
    expect(query(directory, 'SELECT count(*) AS count FROM users')).toEqual([{ count: 0 }]);
    const env = {
      FOYER_DATA_DIR: memoryDirectory(),
      FOYER_OPERATOR_EMAIL: 'Fan@foyer.example',
      FOYER_OPERATOR_PASSWORD: 'long enough',
    };
    await expect(Promise.resolve(COMMANDS['seed']?.run(['--demo'], env))).rejects.toThrow(
      'is the address of the demo fan',
    );
  });

  it('creates exactly the requested number of users, with correct wallets', async () => {
    const directory = memoryDirectory();
    expect(expectDone(await foyer(directory, 'seed', '--users', '1001', '--balance', '5000'))).toBe(
      '1001 users added\n',
    );
    expect(expectDone(await foyer(directory, 'seed', '--users', '1004', '--balance', '0'))).toBe(
      '3 users added\n',
    );
    const people = query(
      directory,
      `SELECT count(*) AS users, count(DISTINCT email) AS emails, count(DISTINCT password_hash) AS passwords,
         sum(balance) AS money, sum(entry_count) AS entries, (SELECT sum(amount) FROM wallet_entries) AS charged
       FROM users JOIN wallets ON user_id = id WHERE role = 'CUSTOMER' AND email LIKE 'user%@load.example'`,
    );
    expect(people).toEqual([
      { users: 1004, emails: 1004, passwords: 2, money: 5_005_000, entries: 1001, charged: 5_005_000 },
    ]);
  });

  it('creates a concert with exactly the requested number of seats, without duplicates', async () => {
    const directory = memoryDirectory();
    const counts = [1, 75, 12_345];
    for (const count of counts) {
      const output = expectDone(await foyer(directory, 'seed', '--seats', String(count)));
      const id = /^concert (\S+)\n$/.exec(output)?.[1] ?? '';
      const seats = query(
        directory,
        `SELECT count(*) AS seats, count(DISTINCT label) AS labels, count(DISTINCT position) AS positions,
           count(DISTINCT schedule_id) AS dates
         FROM seats WHERE schedule_id IN (SELECT id FROM schedules WHERE concert_id = '${id}')`,
      );
      expect(seats).toEqual([{ seats: count, labels: count, positions: count, dates: 1 }]);
    }
  });

  it('creates a queue with exactly the requested number of users, numbered without gaps', async () => {
    const directory = memoryDirectory();
    const args = ['--users', '5003', '--seats', '1', '--waiting', '5001'];
    const output = expectDone(await foyer(directory, 'seed', ...args));
    const [, id = ''] = /^5003 users added\nconcert (\S+)\n$/.exec(output) ?? [];
    const queue = query(
      directory,
      `SELECT count(*) AS places, count(DISTINCT user_id) AS users, min(number) AS first, max(number) AS last,
         (SELECT last_number FROM queues WHERE concert_id = '${id}') AS lastNumber
       FROM places WHERE concert_id = '${id}' AND status = 'WAITING'`,
    );
    expect(queue).toEqual([{ places: 5001, users: 5001, first: 1, last: 5001, lastNumber: 5001 }]);
  });

  it('refuses to create a queue without a concert or with missing users', async () => {
    const directory = memoryDirectory();
    const without = await refusalOf(directory, 'seed', ['--users', '1', '--waiting', '1']);
    expect(without).toMatchObject({ message: expect.stringContaining('--waiting needs --seats') });
    const ended = await foyer(directory, 'seed', '--seats', '1', '--waiting', '3');
    expectRefused(ended, 'create them with --users 3');
    expect(query(directory, 'SELECT count(*) AS count FROM concerts')).toEqual([{ count: 0 }]);
  });
});

describe('foyer migrate', () => {
  it('creates the database, and then has nothing to do', async () => {
    const directory = join(memoryDirectory(), 'new');
    expect(expectDone(await foyer(directory, 'migrate'))).toBe(eachMigration('applied'));
    expect(query(directory, 'SELECT count(*) AS count FROM users')).toEqual([{ count: 0 }]);
    expect(expectDone(await foyer(directory, 'migrate'))).toBe(
      `schema is at version ${MIGRATION_NAMES.length}, nothing to do\n`,
    );
  });

  it('lists what is applied, and fails while a migration is pending', async () => {
    const directory = memoryDirectory();
    expectRefused(
      await foyer(directory, 'migrate', '--status'),
      `There is no database at ${directory}/foyer.db`,
    );
    expect(readdirSync(directory)).toEqual([]);
    writeFileSync(join(directory, 'foyer.db'), '');
    expect(await foyer(directory, 'migrate', '--status')).toEqual({
      code: 1,
      stdout: eachMigration('pending '),
      stderr: 'Migrations are pending: run foyer migrate.\n',
    });
    expectDone(await foyer(directory, 'migrate'));
    expect(expectDone(await foyer(directory, 'migrate', '--status'))).toBe(eachMigration('applied '));
  });

  it('refuses arguments, and a file that is no database', async () => {
    const directory = memoryDirectory();
    expectRefused(await foyer(directory, 'migrate', 'down'), "Unexpected argument 'down'");
    expectRefused(await foyer(directory, 'migrate', '--status=7'), '--status');
    expect(readdirSync(directory)).toEqual([]);
    const file = join(directory, 'foyer.db');
    writeFileSync(file, 'not a database, but long enough to be looked at as one');
    for (const args of [[], ['--status']])
      expectRefused(
        await foyer(directory, 'migrate', ...args),
        `${file} is damaged, or no database of Foyer`,
      );
  });

  it('refuses a database of a pre-release', async () => {
    const directory = memoryDirectory();
    const database = new Database(join(directory, 'foyer.db'));
    database.pragma('user_version = 7');
    database.close();
    for (const args of [[], ['--status']])
      expectRefused(await foyer(directory, 'migrate', ...args), 'made by a pre-release of Foyer');
  });
});

describe('foyer backup and foyer policy', () => {
  it('report a missing database', async () => {
    const directory = memoryDirectory();
    const copy = join(directory, 'copy.db');
    const ended = await Promise.all([
      foyer(directory, 'backup', copy),
      foyer(directory, 'policy', 'show', 'x'),
      foyer(directory, 'policy', 'set', 'x', 'paused=true'),
    ]);
    for (const each of ended) expectRefused(each, `There is no database at ${directory}/foyer.db`);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('never overwrite a file, and require one file name', async () => {
    const directory = memoryDirectory();
    expectDone(await foyer(directory, 'seed', '--seats', '1'));
    const taken = join(directory, 'taken.db');
    writeFileSync(taken, 'precious');
    expectRefused(await foyer(directory, 'backup', taken), 'exists already: a backup never overwrites');
    const nowhere = join(directory, 'missing', 'copy.db');
    expectRefused(await foyer(directory, 'backup', nowhere), 'could not be written');
    expectRefused(await foyer(directory, 'backup'), 'foyer backup FILE');
    expect(readdirSync(directory).filter((name) => name.endsWith('.partial'))).toEqual([]);
    expect(readFileSync(taken, 'utf8')).toBe('precious');
  });

  it('show and change a policy, and refuse unknown names and invalid values', async () => {
    const directory = memoryDirectory();
    const id = expectDone(await foyer(directory, 'seed', '--seats', '1'))
      .slice('concert '.length)
      .trim();
    const shown = async (): Promise<unknown> =>
      JSON.parse(expectDone(await foyer(directory, 'policy', 'show', id)));
    expect(await shown()).toMatchObject({ maxActive: 100, idleSeconds: null, paused: false });
    const changed = await foyer(
      directory,
      'policy',
      'set',
      id,
      'maxActive=null',
      'idleSeconds=60',
      'paused=true',
      'showUpSeconds=120',
      'closeWhenSoldOut=false',
      'notice=2026',
    );
    const expected = {
      maxActive: null,
      idleSeconds: 60,
      paused: true,
      showUpSeconds: 120,
      closeWhenSoldOut: false,
      notice: '2026',
    };
    expect(JSON.parse(expectDone(changed))).toMatchObject(expected);
    const after = await shown();
    expect(after).toMatchObject(expected);

    const wrong = [
      'speed=9',
      'maxActive=-1',
      'maxActive=many',
      'maxActive=1.5',
      'maxActive=',
      'activeSeconds=null',
      'activeSeconds=0',
      'paused=1',
      'consumeOn=HOLD',
      '__proto__=1',
    ];
    const setting = wrong.map((each) => ['set', id, each]);
    for (const [index, each] of wrong.entries()) {
      const args = setting.slice(index, index + 1);
      await expectEachRefused(directory, 'policy', args, new RegExp(`^${each} is not valid`));
    }
    await expectEachRefused(directory, 'policy', [['set', id, 'paused']], /^"paused" is not name=value/);
    await expectEachRefused(directory, 'policy', [['set', id, 'admitCount=5']], /go together/);
    await expectEachRefused(directory, 'policy', [['show', 'nobody']], /No concert has that id/);
    await expectEachRefused(directory, 'policy', [['raise', id], ['show'], []], /foyer policy set/);
    expectRefused(await foyer(directory, 'policy', 'set', id, 'speed=9'), 'speed is not part of a policy');
    expect(await shown()).toEqual(after);
  });
});
