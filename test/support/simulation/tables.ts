import Database from 'better-sqlite3';
import type { PlaceRow, QueueRow } from '../../../src/waiting-room/queries.js';

/** The database tables, read from the file directly and not through Foyer's modules. */

export interface Place extends PlaceRow {
  readonly lastSeenAtMs: number | null;
  readonly endedAtMs: number | null;
}

export interface Seat {
  readonly id: string;
  readonly status: 'AVAILABLE' | 'HELD' | 'SOLD';
  readonly reservationId: string | null;
  readonly heldUntilMs: number | null;
}

export interface Reservation {
  readonly id: string;
  readonly userId: string;
  readonly dateId: string;
  readonly seatIds: readonly string[];
  readonly amount: number;
  readonly consumeOn: 'PAYMENT' | 'RESERVATION';
  readonly status: 'HELD' | 'CONFIRMED' | 'EXPIRED' | 'CANCELLED';
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface Entry {
  readonly id: string;
  readonly userId: string;
  readonly position: number;
  readonly type: 'CHARGE' | 'PAYMENT' | 'REFUND';
  readonly amount: number;
  readonly balanceAfter: number;
  readonly reference: string | null;
}

export interface Payment {
  readonly id: string;
  readonly number: string;
  readonly reservationId: string;
  readonly userId: string;
  readonly amount: number;
  readonly receipt: string;
  readonly paidAtMs: number;
  readonly refundedAtMs: number | null;
}

export interface Wallet {
  readonly userId: string;
  readonly balance: number;
  readonly entryCount: number;
}

/** Rows in insertion order; wallet entries by user. */
export interface Tables {
  readonly room: QueueRow;
  readonly places: readonly Place[];
  readonly seats: ReadonlyMap<string, Seat>;
  readonly reservations: ReadonlyMap<string, Reservation>;
  readonly wallets: ReadonlyMap<string, Wallet>;
  readonly entries: readonly Entry[];
  readonly payments: ReadonlyMap<string, Payment>;
}

const QUERIES = {
  queues: `SELECT concert_id AS concertId, last_number AS lastNumber, admitted_through AS admittedThrough, moved_at AS movedAtMs,
    idle_from AS idleFromMs, show_up_from AS showUpFromMs,
    closes_at AS closesAtMs, sold_out AS soldOut, closed_through AS closedThrough, closed_marked_through AS closedMarkedThrough,
    max_active AS maxActive, admit_count AS admitCount, admit_every_seconds AS admitEverySeconds,
    active_seconds AS activeSeconds, idle_seconds AS idleSeconds, show_up_seconds AS showUpSeconds, consume_on AS consumeOn, hold_seconds AS holdSeconds,
    max_seats_per_user AS maxSeatsPerUser, paused, close_when_sold_out AS closeWhenSoldOut, notice FROM queues`,
  places: `SELECT id, user_id AS userId, number, status, joined_at AS joinedAtMs, activated_at AS activatedAtMs,
    expires_at AS expiresAtMs, last_seen_at AS lastSeenAtMs, ended_at AS endedAtMs FROM places ORDER BY number`,
  seats: `SELECT id, status, reservation_id AS reservationId, held_until AS heldUntilMs FROM seats ORDER BY rowid`,
  reservations: `SELECT id, user_id AS userId, schedule_id AS dateId, seats, amount, consume_on AS consumeOn, status,
    created_at AS createdAtMs, expires_at AS expiresAtMs FROM reservations ORDER BY rowid`,
  wallets: `SELECT user_id AS userId, balance, entry_count AS entryCount FROM wallets ORDER BY rowid`,
  entries: `SELECT id, user_id AS userId, position, type, amount, balance_after AS balanceAfter, reference
    FROM wallet_entries ORDER BY user_id, position`,
  payments: `SELECT id, number, reservation_id AS reservationId, user_id AS userId, amount, receipt,
    paid_at AS paidAtMs, refunded_at AS refundedAtMs FROM payments ORDER BY rowid`,
};

/** Reads all tables of one file repeatedly, over its own connection. */
export class TableReader {
  readonly #database: Database.Database;
  readonly #rows: <Row>(table: keyof typeof QUERIES) => Row[];

  constructor(file: string) {
    const database = new Database(file, { readonly: true });
    this.#database = database;
    const prepared = new Map(Object.entries(QUERIES).map(([name, text]) => [name, database.prepare(text)]));
    // The column lists of QUERIES match the types above.
    this.#rows = <Row>(table: keyof typeof QUERIES): Row[] => (prepared.get(table)?.all() ?? []) as Row[];
  }

  /** The tables as they count at this time. */
  read(nowMs: number): Tables {
    const [room] = this.#rows<QueueRow>('queues');
    const reservations = this.#rows<Omit<Reservation, 'seatIds'> & { seats: string }>('reservations').map(
      ({ seats, ...row }): Reservation => ({
        ...row,
        seatIds: JSON.parse(seats).map(({ id }: { id: string }) => id),
      }),
    );
    return {
      room: room!,
      places: this.#rows<Place>('places').map((place) => asCounted(place, room!, nowMs)),
      seats: byId(this.#rows<Seat>('seats')),
      reservations: byId(reservations),
      wallets: new Map(this.#rows<Wallet>('wallets').map((wallet) => [wallet.userId, wallet])),
      entries: this.#rows<Entry>('entries'),
      payments: byId(this.#rows<Payment>('payments')),
    };
  }

  close(): void {
    this.#database.close();
  }
}

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

/**
 * A waiting place has ended from the instant its sale closes, whether or not its row says so. When the row was marked does
 * not matter.
 */
function asCounted(place: Place, { closedThrough, closesAtMs }: QueueRow, nowMs: number): Place {
  const isClosed = place.status === 'WAITING' && (place.number <= closedThrough || closesAtMs <= nowMs);
  return isClosed || place.status === 'CLOSED' ? { ...place, status: 'CLOSED', endedAtMs: 0 } : place;
}
