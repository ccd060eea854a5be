import { expect } from 'vitest';
import type { Fan, Sale } from '../sale.js';
import type { Cluster } from './cluster.js';

/** What the database says after a race, whatever the answers were. */

interface StoredSeat {
  readonly id: string;
  readonly status: 'AVAILABLE' | 'HELD' | 'SOLD';
  /** Whose it is by its own row. */
  readonly reservationId: string | null;
  /** Who believes to have it: the reservations of it that are paid, or held and not run out. */
  readonly claims: readonly string[];
}

export const ONE_OWNER_PER_SEAT = 'a seat belongs to one reservation, and both know it';

/** Nobody believes to have a seat that is another's, and a seat that is taken is somebody's. */
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
    // A hold that ran out may still stand in the seat's row; nobody counts on it any more.
    const isOwned = status === 'SOLD' || (status === 'HELD' && claims.length > 0);
    expect(claims, ONE_OWNER_PER_SEAT).toEqual(isOwned ? [reservationId] : []);
  }
  return seats;
}

interface StoredWallet {
  readonly balance: number;
  /** The lowest balance that any entry left behind. */
  readonly lowest: number;
  readonly entries: number;
  readonly sum: number;
  /** PAYMENT entries, and the different reservations that they paid for. */
  readonly debits: number;
  readonly paid: number;
}

export const NO_NEGATIVE_BALANCE = 'a balance is never below zero';
export const ONE_DEBIT_PER_RESERVATION = 'a paid reservation was debited once';

/** The wallet is what its entries say, never was in debt, and nothing was paid for twice. */
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

/** Everybody who ever joined, in the order of the line. */
export const storedPlaces = (cluster: Cluster, { concertId }: Sale): Promise<StoredPlace[]> =>
  cluster.query<StoredPlace>(
    `SELECT CAST(number AS INT) AS number, user_id AS "userId", CAST(activated_at AS FLOAT) AS "activatedAtMs"
     FROM places WHERE concert_id = $1 ORDER BY number`,
    [concertId],
  );
