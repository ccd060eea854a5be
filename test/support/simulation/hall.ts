import Database from 'better-sqlite3';
import { migrateSqlite } from '../../../src/platform/sql/index.js';

/** A small sale, so that everybody is in everybody's way. */
export const FANS = ['ada', 'ben', 'cho', 'dan', 'eva', 'fay'];
export const OPERATOR = 'the-operator';
export const CONCERT = 'a-concert';
export const START_MS = Date.UTC(2026, 10, 15, 9);
/** Further away than any history lasts. */
const STARTS_AT_MS = START_MS + 30 * 24 * 3600 * 1000;

export interface HallSeat {
  readonly id: string;
  readonly dateId: string;
  readonly row: number;
  readonly number: number;
  readonly price: number;
}

const rowOf = (dateId: string, row: number, count: number, price: number): HallSeat[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${dateId}-${row}-${index + 1}`,
    dateId,
    row,
    number: index + 1,
    price,
  }));

/** Five seats on Friday and one on Saturday, in the order of the chart: few enough that now and then all are sold. */
export const SEATS: readonly HallSeat[] = [
  ...rowOf('fri', 1, 3, 100),
  ...rowOf('fri', 2, 2, 50),
  ...rowOf('sat', 1, 1, 150),
];

/** The date of these seats, which are all of one. */
export const dateOf = (seatIds: readonly string[]): string =>
  SEATS.find(({ id }) => id === seatIds[0])?.dateId ?? '';

/** The database that every history begins with: migrated once, then copied. Accounts without a password's cost. */
export async function buildHall(file: string): Promise<void> {
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
      .prepare('INSERT INTO schedules (id, concert_id, starts_at) VALUES (?, ?, ?)')
      .run(dateId, CONCERT, STARTS_AT_MS);
  SEATS.forEach(({ id, dateId, row, number, price }, position) => {
    seat.run(id, dateId, position, String(row), number, id, price);
  });
  database
    .prepare(
      `INSERT INTO queues (concert_id, max_active, active_seconds, idle_seconds, consume_on, hold_seconds,
         max_seats_per_user, paused) VALUES (?, 100, 1800, 300, 'PAYMENT', 300, 4, 0)`,
    )
    .run(CONCERT);
  database.close();
}
