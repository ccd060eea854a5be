import { type Sql, topic, type Tx } from '../platform/sql/index.js';
import { freeSeats } from '../seating/index.js';
import {
  expireReservations,
  expireReservationsSkipLocked,
  listExpiredReservations,
  type ReservationRow,
} from './queries.js';
import { seatIdsOf } from './reservation.js';

export const holdsExpired = topic<readonly ReservationRow[]>('holds-expired');

const EXPIRE_BATCH_MAX = 500;

export function createExpireHolds(deps: { readonly sql: Sql; readonly onExpired: (count: number) => void }) {
  const { sql, onExpired } = deps;

  function publishExpired(tx: Tx, expired: readonly ReservationRow[]): void {
    tx.publish(holdsExpired, expired);
    tx.afterCommit(() => {
      onExpired(expired.length);
    });
  }

  return {
    /** Job: persists and publishes expiries. No rule depends on it: reads and claims compare `expiresAt` with the clock. */
    async expireBatch(): Promise<void> {
      const due = await sql.reader.all(listExpiredReservations, [sql.nowMs(), EXPIRE_BATCH_MAX]);
      if (due.length === 0) return;
      await sql.transaction(async (tx) => {
        const expired = await tx.all(expireReservations, [due.map(({ id }) => id), tx.nowMs]);
        if (expired.length === 0) return;
        const expiredIds = expired.map(({ id }) => id);
        await freeSeats(tx, expired.flatMap(seatIdsOf), expiredIds);
        publishExpired(tx, expired);
      });
    },

    /** For reservations that have lost seats to a claim. Skips those that a payment has locked: it refuses by itself. */
    async expireOverdue(tx: Tx, reservationIds: readonly string[]): Promise<void> {
      publishExpired(tx, await tx.all(expireReservationsSkipLocked, [reservationIds, tx.nowMs]));
    },
  };
}

export type ExpireHolds = ReturnType<typeof createExpireHolds>;
