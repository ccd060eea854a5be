import Database from 'better-sqlite3';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.js';
import { UserError } from '../../src/kernel/user-error.js';
import { memoryDirectory } from '../support/memory-directory.js';
import { type Ended, foyer } from '../support/programs.js';

const NAMES = ['serve', 'seed', 'backup', 'policy', 'migrate-to-postgres'];

/** Refused in words for people: on standard error, with a code for scripts, and without a stack trace. */
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

/** The command itself, without a process around it: to try many wrong values. */
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
  it('says what it can do, and more about each command', async () => {
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

  it('refuses what it does not know, in words for people', async () => {
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
  it('refuses numbers that are none, and having nothing to do', async () => {
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

  it('makes the demo: a club with three nights, an arena, and a sale that is not open yet', async () => {
    const directory = memoryDirectory();
    const said = expectDone(await foyer(directory, 'seed', '--demo'));
    expect(said).toMatch(/^operator: \S+@\S+ \/ \S{8,}\ndemo fan: \S+@\S+ \/ \S{8,}\n$/);
    const halls = query<{ dates: number; seats: number; notOpen: number }>(
      directory,
      `SELECT count(DISTINCT d.id) AS dates, count(*) AS seats,
         coalesce(c.sales_open_at, 0) > c.created_at AS notOpen
       FROM concerts c JOIN schedules d ON d.concert_id = c.id JOIN seats s ON s.schedule_id = d.id
       WHERE s.status = 'AVAILABLE' GROUP BY c.id ORDER BY seats`,
    );
    expect(halls).toEqual([
      { dates: 1, seats: 50, notOpen: 1 },
      { dates: 3, seats: 150, notOpen: 0 },
      { dates: 1, seats: 12_000, notOpen: 0 },
    ]);
    const nights = query(
      directory,
      'SELECT count(*) AS seats FROM seats GROUP BY schedule_id ORDER BY seats',
    );
    expect(nights).toEqual([{ seats: 50 }, { seats: 50 }, { seats: 50 }, { seats: 50 }, { seats: 12_000 }]);
    const roles = query(
      directory,
      'SELECT role, balance FROM users JOIN wallets ON user_id = id ORDER BY role',
    );
    expect(roles).toMatchObject([{ role: 'CUSTOMER', balance: 1_000_000 }, { role: 'OPERATOR' }]);

    // Again: the same sign-ins, and nothing twice.
    expect(expectDone(await foyer(directory, 'seed', '--demo'))).toBe(said);
    expect(query(directory, 'SELECT count(*) AS count FROM concerts')).toEqual([{ count: 3 }]);
  });

  it('makes no demo of a sale that is under way, nor an operator of its fan', async () => {
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
      "is the address of the demo fan",
    );
  });

  it('makes exactly as many users as asked for, with their wallets in order', async () => {
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

  it('makes a concert of exactly as many seats as asked for, none of them twice', async () => {
    const directory = memoryDirectory();
    const counts = [1, 75, 12_345];
    for (const count of counts) {
      const said = expectDone(await foyer(directory, 'seed', '--seats', String(count)));
      const id = /^concert (\S+)\n$/.exec(said)?.[1] ?? '';
      const seats = query(
        directory,
        `SELECT count(*) AS seats, count(DISTINCT label) AS labels, count(DISTINCT position) AS positions,
           count(DISTINCT schedule_id) AS dates
         FROM seats WHERE schedule_id IN (SELECT id FROM schedules WHERE concert_id = '${id}')`,
      );
      expect(seats).toEqual([{ seats: count, labels: count, positions: count, dates: 1 }]);
    }
  });

  it('makes a line of exactly as many users as asked for, their numbers without a gap', async () => {
    const directory = memoryDirectory();
    const args = ['--users', '5003', '--seats', '1', '--waiting', '5001'];
    const said = expectDone(await foyer(directory, 'seed', ...args));
    const [, id = ''] = /^5003 users added\nconcert (\S+)\n$/.exec(said) ?? [];
    const line = query(
      directory,
      `SELECT count(*) AS places, count(DISTINCT user_id) AS users, min(number) AS first, max(number) AS last,
         (SELECT last_number FROM queues WHERE concert_id = '${id}') AS lastNumber
       FROM places WHERE concert_id = '${id}' AND status = 'WAITING'`,
    );
    expect(line).toEqual([{ places: 5001, users: 5001, first: 1, last: 5001, lastNumber: 5001 }]);
  });

  it('makes no line without a concert, nor of people who are not there', async () => {
    const directory = memoryDirectory();
    const without = await refusalOf(directory, 'seed', ['--users', '1', '--waiting', '1']);
    expect(without).toMatchObject({ message: expect.stringContaining('--waiting needs --seats') });
    const ended = await foyer(directory, 'seed', '--seats', '1', '--waiting', '3');
    expectRefused(ended, 'create them with --users 3');
    expect(query(directory, 'SELECT count(*) AS count FROM concerts')).toEqual([{ count: 0 }]);
  });
});

describe('foyer backup and foyer policy', () => {
  it('say so when there is no database', async () => {
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

  it('never overwrite a file, and take one at a time', async () => {
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

  it('show and change a policy, and refuse names and values that are none', async () => {
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
    );
    expect(JSON.parse(expectDone(changed))).toMatchObject({ maxActive: null, idleSeconds: 60, paused: true });
    const after = await shown();
    expect(after).toMatchObject({ maxActive: null, idleSeconds: 60, paused: true });

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
