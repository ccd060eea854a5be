import { type Static, Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import type { Deployment } from '../deployment/deployment.js';

const Int = Type.Integer();
const NullableInt = Type.Union([Type.Integer(), Type.Null()]);
const Text = Type.String();

const PlaceRow = Type.Object({
  id: Text,
  concert_id: Text,
  user_id: Text,
  number: Int,
  status: Text,
  joined_at: Int,
  activated_at: NullableInt,
  expires_at: NullableInt,
  ended_at: NullableInt,
});
const ReservationRow = Type.Object({
  id: Text,
  user_id: Text,
  schedule_id: Text,
  seats: Text,
  amount: Int,
  status: Text,
  created_at: Int,
  expires_at: Int,
});
const SeatRow = Type.Object({
  id: Text,
  schedule_id: Text,
  status: Text,
  reservation_id: Type.Union([Text, Type.Null()]),
});
const EntryRow = Type.Object({
  user_id: Text,
  position: Int,
  id: Text,
  type: Text,
  amount: Int,
  balance_after: Int,
  reference: Type.Union([Text, Type.Null()]),
});
const WalletRow = Type.Object({ user_id: Text, balance: Int });
const PaymentRow = Type.Object({
  id: Text,
  number: Text,
  user_id: Text,
  reservation_id: Text,
  amount: Int,
  receipt: Text,
  paid_at: Int,
  refunded_at: NullableInt,
});
const AuditRow = Type.Object({ concert_id: Text, action: Text, details: Text, created_at: Int });
const Seats = Type.Array(Type.Object({ id: Text }));

export type PlaceRow = Static<typeof PlaceRow>;
export type ReservationRow = Static<typeof ReservationRow> & { readonly seatIds: readonly string[] };
export type PaymentRow = Static<typeof PaymentRow>;
export type AuditRow = Static<typeof AuditRow>;
export type EntryRow = Static<typeof EntryRow>;

/** The tables after the run. */
export interface FinalState {
  readonly readAtMs: number;
  readonly places: readonly PlaceRow[];
  readonly reservations: readonly ReservationRow[];
  readonly seats: readonly Static<typeof SeatRow>[];
  readonly wallets: readonly Static<typeof WalletRow>[];
  readonly entries: readonly EntryRow[];
  readonly payments: readonly PaymentRow[];
  /** In the order of their times. */
  readonly audit: readonly AuditRow[];
  /** How many the database has ended; those before its last crash are not counted. */
  readonly deadlocks: number;
}

export async function readFinalState({ tables, countDeadlocks }: Deployment): Promise<FinalState> {
  const reservations = await tables.rows(
    ReservationRow,
    'SELECT id, user_id, schedule_id, seats, amount, status, created_at, expires_at FROM reservations',
  );
  const readAtMs = Date.now();
  return {
    readAtMs,
    places: await tables.rows(
      PlaceRow,
      `SELECT id, concert_id, user_id, number, status, joined_at, activated_at, expires_at, ended_at FROM places
       ORDER BY number`,
    ),
    reservations: reservations.map((row) => ({
      ...row,
      seatIds: parse(Seats, JSON.parse(row.seats) as unknown, 'the seats of a reservation').map(
        ({ id }) => id,
      ),
    })),
    seats: await tables.rows(SeatRow, 'SELECT id, schedule_id, status, reservation_id FROM seats'),
    wallets: await tables.rows(WalletRow, 'SELECT user_id, balance FROM wallets'),
    entries: await tables.rows(
      EntryRow,
      `SELECT user_id, position, id, type, amount, balance_after, reference FROM wallet_entries
       ORDER BY user_id, position`,
    ),
    payments: await tables.rows(
      PaymentRow,
      'SELECT id, number, user_id, reservation_id, amount, receipt, paid_at, refunded_at FROM payments',
    ),
    audit: await tables.rows(
      AuditRow,
      `SELECT concert_id, action, details, created_at FROM audit_entries WHERE concert_id IS NOT NULL
       ORDER BY created_at, id`,
    ),
    deadlocks: await countDeadlocks(),
  };
}
