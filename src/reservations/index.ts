import type { ConcertCache } from '../catalog/index.js';
import type { Sql } from '../platform/sql/index.js';
import type { SeatInventories } from '../seating/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { createExpireHolds, holdsExpired } from './expire-holds.js';
import { createHoldSeats } from './hold-seats.js';
import { createHoldRequests } from './request-hold.js';
import { toReservation } from './reservation.js';
import { type ReservationRouteDeps, reservationRoutes } from './routes.js';

export { createPurgeReservations } from './purge-reservations.js';
export { payableReservations } from './payable-reservations.js';
export { endHoldsWithSale } from './shorten-holds.js';
export { releaseHolds } from './release-hold.js';
export { listReservationsOf, type ReservationRow } from './queries.js';
export type { LockedSeats } from '../seating/index.js';
export { BookedSeatSchema, ReservationSchema, seatsOf, toReservation } from './reservation.js';

/**
 * Reservations: a fan holds seats of one date for a limited time, then pays or loses them.
 *
 * States: HELD → CONFIRMED (paid) → CANCELLED (refunded); HELD → CANCELLED (released); HELD → EXPIRED.
 *
 * Invariants:
 * - A reservation and the state of its seats change in one transaction.
 * - A hold has all of its seats or does not exist.
 * - A HELD reservation is EXPIRED from `expiresAt` on, whether or not a job has written that down.
 * - A fan has at most `maxSeatsPerUser` seats of a date, held and paid.
 *
 * This module never moves money, and changes seats only through seating.
 */
export function createReservations(deps: {
  readonly sql: Sql;
  readonly concertCache: ConcertCache;
  readonly inventories: SeatInventories;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'policyOf' | 'consumePlaces' | 'streams'>;
  readonly onHeld: () => void;
  readonly onHoldsExpired: (count: number) => void;
}) {
  const { sql, concertCache, inventories, waitingRoom, onHeld } = deps;
  const { expireBatch, expireOverdue } = createExpireHolds({ sql, onExpired: deps.onHoldsExpired });
  const holdSeats = createHoldSeats({ waitingRoom, expireOverdue, onHeld });
  const holdRequests = createHoldRequests({ sql, concertCache, inventories, waitingRoom });
  sql.subscribe(holdsExpired, (reservations) => {
    for (const row of reservations) {
      waitingRoom.streams.sendHoldExpired(row.userId, row.concertId, toReservation(row, sql.nowMs()));
    }
  });

  return {
    expireHolds: expireBatch,
    routes: (routeDeps: Pick<ReservationRouteDeps, 'identify' | 'inBatches' | 'requireUser' | 'limit'>) =>
      reservationRoutes({ sql, concertCache, holdSeats, holdRequests, ...routeDeps }),
  };
}
