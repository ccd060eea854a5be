import Database from 'better-sqlite3';
import { migrateSqlite } from '../../../src/platform/sql/index.js';

/** The sale of every history: so small that requests often conflict. */
export const FANS = ['ada', 'ben', 'cho', 'dan', 'eva', 'fay'];
export const OPERATOR = 'the-operator';
export const CONCERT = 'a-concert';
export const START_MS = Date.UTC(2026, 10, 15, 9);
/** Later than the end of any history. */
const CONCERT_AT_MS = START_MS + 30 * 24 * 3600 * 1000;

export interface FixtureSeat {
  readonly id: string;
  readonly dateId: string;
  readonly row: number;
  readonly number: number;
  readonly price: number;
}

const rowOf = (dateId: string, row: number, count: number, price: number): FixtureSeat[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${dateId}-${row}-${index + 1}`,
    dateId,
    row,
    number: index + 1,
    price,
  }));

/** Five seats on Friday and one on Saturday, in the order of the seat map: few enough that some histories sell out. */
export const SEATS: readonly FixtureSeat[] = [
  ...rowOf('fri', 1, 3, 100),
  ...rowOf('fri', 2, 2, 50),
  ...rowOf('sat', 1, 1, 150),
];

/** The date of these seats; all of them must be of one date. */
export const dateOf = (seatIds: readonly string[]): string =>
  SEATS.find(({ id }) => id === seatIds[0])?.dateId ?? '';

/** Creates the database that every history starts from a copy of. Inserts accounts directly, without password hashing. */
export async function createSaleDatabase(file: string): Promise<void> {
  await migrateSqlite(file);
  const database = new Database(file);
  const user = database.prepare(
    `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at) VALUES (?, ?, ?, ?, ?, 'none', 0)`,
  );
  const wallet = database.prepare('INSERT INTO wallets (user_id, balance, entry_count) VALUES (?, 0, 0)');
  const seat = database.prepare(
    `INSERT INTO seats (id, schedule_id, position, section, row_name, number, label, grade, price, status)
     VALUES (?, ?, ?, 'A', ?, ?, ?, 'R', ?, 'AVAILABLE')`,
  );
  for (const id of FANS) {
    user.run(id, id, id, id, 'CUSTOMER');
    wallet.run(id);
  }
  user.run(OPERATOR, OPERATOR, OPERATOR, OPERATOR, 'OPERATOR');
  database
    .prepare(
      `INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES (?, 'T', 'V', '', 'KRW', 0)`,
    )
    .run(CONCERT);
  for (const dateId of new Set(SEATS.map((each) => each.dateId)))
    database
      .prepare(
        `INSERT INTO schedules (id, concert_id, starts_at, seats_total, sections) VALUES (?, ?, ?, ?, '[]')`,
      )
      .run(dateId, CONCERT, CONCERT_AT_MS, SEATS.filter((each) => each.dateId === dateId).length);
  SEATS.forEach(({ id, dateId, row, number, price }, position) => {
    seat.run(id, dateId, position, String(row), number, id, price);
  });
  database
    .prepare(
      `INSERT INTO queues (concert_id, max_active, active_seconds, idle_seconds, consume_on, hold_seconds,
         max_seats_per_user, paused, close_when_sold_out, closes_at)
       VALUES (?, 100, 1800, 300, 'PAYMENT', 300, 4, 0, 1, ?)`,
    )
    .run(CONCERT, CONCERT_AT_MS);
  database.close();
}
