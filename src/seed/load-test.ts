import type { Foyer } from '../compose.js';
import { createPasswords } from '../accounts/index.js';
import { UserError } from '../kernel/user-error.js';
import { HOUR_MS, iso } from '../kernel/time.js';
import { newId } from '../kernel/id.js';
import { type Sql, type SqlParam, statement } from '../platform/sql/index.js';
import { appendToQueue } from '../waiting-room/index.js';

/** Users, or their places, per transaction. */
const USERS_PER_BATCH = 5000;
const SEATS_PER_ROW = 50;
const ROWS_PER_SECTION = 20;

interface SeedUser extends Record<string, string | number> {
  id: string;
  email: string;
  balance: number;
}

const USER_COLUMNS = { id: 'text', email: 'text', balance: 'bigint' } as const;

const insertUsers = statement<[passwordHash: string, nowMs: number, users: readonly SeedUser[] & SqlParam]>(
  'insert_users',
  (dialect) => `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
     SELECT r.id, r.email, r.email, r.email, 'CUSTOMER', $1, $2 FROM ${dialect.rows('$3', USER_COLUMNS)} AS r
     WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.email_key = r.email)`,
);

/** Only for users added by this transaction: the wallets of an earlier seed do not change. */
const insertWallets = statement<[nowMs: number, users: readonly SeedUser[] & SqlParam]>(
  'insert_wallets',
  (dialect) => `INSERT INTO wallets (user_id, balance, entry_count)
     SELECT r.id, r.balance, CASE WHEN r.balance > 0 THEN 1 ELSE 0 END
     FROM ${dialect.rows('$2', USER_COLUMNS)} AS r JOIN users u ON u.id = r.id AND u.created_at = $1`,
);

const insertEntries = statement<[nowMs: number, users: readonly SeedUser[] & SqlParam]>(
  'insert_entries',
  (
    dialect,
  ) => `INSERT INTO wallet_entries (user_id, position, id, type, amount, balance_after, reference, created_at)
     SELECT r.id, 1, r.id, 'CHARGE', r.balance, r.balance, 'seed', $1
     FROM ${dialect.rows('$2', USER_COLUMNS)} AS r JOIN users u ON u.id = r.id WHERE r.balance > 0`,
);

const findUsersByEmail = statement<[emails: readonly string[]], { id: string }>(
  'find_users_by_email',
  (dialect) => `SELECT id FROM users WHERE email_key ${dialect.anyOf('$1')}`,
);

const emailOf = (number: number): string => `user${number}@load.example`;

export interface SeedUsers {
  readonly count: number;
  readonly password: string;
  readonly balance: number;
  readonly passwordMemoryMib: number;
}

/** `user1@load.example`, `user2@load.example`, … all with one password, each with a charged wallet. */
export async function seedUsers(
  sql: Sql,
  { count, password, balance, passwordMemoryMib }: SeedUsers,
): Promise<number> {
  const passwordHash = await createPasswords(passwordMemoryMib).hash(password);
  let added = 0;
  for (let first = 1; first <= count; first += USERS_PER_BATCH) {
    const length = Math.min(USERS_PER_BATCH, count - first + 1);
    const users = Array.from({ length }, (_, index) => ({
      id: newId(),
      email: emailOf(first + index),
      balance,
    }));
    added += await sql.transaction(async (tx) => {
      const inserted = await tx.exec(insertUsers, [passwordHash, tx.nowMs, users]);
      await tx.exec(insertWallets, [tx.nowMs, users]);
      await tx.exec(insertEntries, [tx.nowMs, users]);
      return inserted;
    });
  }
  return added;
}

export async function seedConcert(foyer: Foyer, sql: Sql, seats: number): Promise<string> {
  const priced = { grade: 'STANDARD', price: 10_000 };
  const sections: { name: string; rows: number; seatsPerRow: number; grade: string; price: number }[] = [];
  for (let remaining = seats; remaining > 0;) {
    const rows = Math.min(ROWS_PER_SECTION, Math.max(1, Math.floor(remaining / SEATS_PER_ROW)));
    const seatsPerRow = Math.min(SEATS_PER_ROW, remaining);
    sections.push({ name: `S${sections.length + 1}`, rows, seatsPerRow, ...priced });
    remaining -= rows * seatsPerRow;
  }
  const { id } = await sql.transaction((tx) =>
    foyer.createConcert(tx, {
      title: `Load test of ${seats} seats`,
      venue: 'Loopback Hall',
      waitingRoom: { idleSeconds: null },
      schedules: [{ startsAt: iso(sql.nowMs() + 30 * 24 * HOUR_MS), sections }],
    }),
  );
  return id;
}

/** Throws unless the first `count` load-test users exist. They are seeded in order, so checking the last one is enough. */
export async function requireUsers(sql: Sql, count: number): Promise<void> {
  if ((await sql.reader.get(findUsersByEmail, [[emailOf(count)]])) === undefined)
    throw new UserError(`--waiting ${count} needs as many users: create them with --users ${count}.`);
}

/** Adds the first `count` load-test users to the queue of a new concert. */
export async function seedWaiting(sql: Sql, concertId: string, count: number): Promise<void> {
  for (let first = 1; first <= count; first += USERS_PER_BATCH) {
    const length = Math.min(USERS_PER_BATCH, count - first + 1);
    const emails = Array.from({ length }, (_, index) => emailOf(first + index));
    await sql.transaction(async (tx) => {
      const users = await tx.all(findUsersByEmail, [emails]);
      await appendToQueue(
        tx,
        concertId,
        users.map(({ id }) => id),
        sql.nowMs(),
      );
    });
  }
}
