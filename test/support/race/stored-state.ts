import { expect } from 'vitest';
import type { Fan, Sale } from '../sale.js';
import type { Cluster } from './cluster.js';

/** Reads and checks what the database contains after a race, independently of the responses. */

interface StoredSeat {
  readonly id: string;
  readonly status: 'AVAILABLE' | 'HELD' | 'SOLD';
  /** The owner according to the row of the seat. */
  readonly reservationId: string | null;
  /** The reservations that list this seat and are CONFIRMED, or HELD and not expired. */
  readonly claims: readonly string[];
}

export const ONE_OWNER_PER_SEAT = 'a taken seat and exactly one reservation refer to each other';

/** Every taken seat has exactly one owner, and every other seat has none. */
export async function expectOneOwnerPerSeat(cluster: Cluster, { scheduleIds }: Sale): Promise<StoredSeat[]> {
  const seats = await cluster.query<StoredSeat>(
    `SELECT s.id, s.status, s.reservation_id AS "reservationId", ARRAY(
         SELECT r.id FROM reservations r WHERE r.schedule_id = s.schedule_id
           AND (r.status = 'CONFIRMED'
             OR (r.status = 'HELD' AND r.expires_at > extract(epoch FROM clock_timestamp()) * 1000))
           AND CAST(r.seats AS JSONB) @> jsonb_build_array(jsonb_build_object('id', s.id))) AS claims
     FROM seats s WHERE s.schedule_id = ANY($1) ORDER BY s.schedule_id, s.position`,
    [scheduleIds],
  );
  for (const { status, reservationId, claims } of seats) {
    // The row of a seat may still name a hold that has expired; such a seat counts as free.
    const isOwned = status === 'SOLD' || (status === 'HELD' && claims.length > 0);
    expect(claims, ONE_OWNER_PER_SEAT).toEqual(isOwned ? [reservationId] : []);
  }
  return seats;
}

interface StoredWallet {
  readonly balance: number;
  /** The lowest balance after any entry. */
  readonly lowest: number;
  readonly entries: number;
  readonly sum: number;
  /** The number of PAYMENT entries. */
  readonly debits: number;
  /** The number of distinct reservations that those entries paid for. */
  readonly paid: number;
}

export const NO_NEGATIVE_BALANCE = 'a balance is never negative';
export const ONE_DEBIT_PER_RESERVATION = 'a paid reservation is debited once';

/** The balance is the sum of the entries and was never negative, and no reservation was paid twice. */
export async function expectConsistentWallet(cluster: Cluster, fan: Fan): Promise<StoredWallet> {
  const [wallet] = await cluster.query<StoredWallet>(
    `SELECT CAST(w.balance AS FLOAT) AS balance, CAST(least(w.balance, min(e.balance_after)) AS FLOAT) AS lowest,
       CAST(count(e.id) AS INT) AS entries, CAST(coalesce(sum(e.amount), 0) AS FLOAT) AS sum,
       CAST(count(*) FILTER (WHERE e.type = 'PAYMENT') AS INT) AS debits,
       CAST(count(DISTINCT p.reservation_id) AS INT) AS paid
     FROM wallets w LEFT JOIN wallet_entries e ON e.user_id = w.user_id LEFT JOIN payments p ON p.id = e.reference
     WHERE w.user_id = $1 GROUP BY w.user_id`,
    [fan.id],
  );
  const { balance, lowest, sum, debits, paid } = wallet!;
  expect(lowest, NO_NEGATIVE_BALANCE).toBeGreaterThanOrEqual(0);
  expect(debits, ONE_DEBIT_PER_RESERVATION).toBe(paid);
  expect(sum, 'the entries add up to the balance').toBe(balance);
  return wallet!;
}

interface StoredPlace {
  readonly number: number;
  readonly userId: string;
  readonly activatedAtMs: number | null;
}

/** Every place ever created in this sale, in queue order. */
export const storedPlaces = (cluster: Cluster, { concertId }: Sale): Promise<StoredPlace[]> =>
  cluster.query<StoredPlace>(
    `SELECT CAST(number AS INT) AS number, user_id AS "userId", CAST(activated_at AS FLOAT) AS "activatedAtMs"
     FROM places WHERE concert_id = $1 ORDER BY number`,
    [concertId],
  );
