import { assert } from '../kernel/assert.js';
import { Refusal } from '../kernel/refusal.js';
import { topic, type Tx } from '../platform/sql/index.js';
import * as queries from './queries.js';

/** The new state of seats. It is absolute, so applying it twice changes nothing. */
export type SeatChange =
  | { readonly seatIds: readonly string[]; readonly status: 'HELD'; readonly untilMs: number }
  | { readonly seatIds: readonly string[]; readonly status: 'AVAILABLE' | 'SOLD' };

export const seatsChanged = topic<{ readonly scheduleId: string; readonly change: SeatChange }>(
  'seats-changed',
);

/** Seats of one date that a reservation claims or has. */
interface ReservationSeats {
  readonly scheduleId: string;
  readonly seatIds: readonly string[];
  readonly reservationId: string;
}

export interface SeatClaim extends ReservationSeats {
  readonly expiresAtMs: number;
}

/** Claims those of the seats that are AVAILABLE and returns how many. */
export const claimAvailableSeats = (tx: Tx, claim: SeatClaim): Promise<number> =>
  tx.exec(queries.claimAvailableSeats, [claim.seatIds, claim.reservationId, claim.expiresAtMs]);

/**
 * Claims the seats that `claimAvailableSeats` did not get, if every one of them is available or its hold has expired, and
 * returns the ids of the reservations that lost them. Otherwise refuses and names the taken seats.
 */
export async function claimExpiredSeats(tx: Tx, claim: SeatClaim): Promise<string[]> {
  const { seatIds, reservationId, expiresAtMs } = claim;
  const states = await tx.all(queries.lockSeats, [seatIds]);
  assert(states.length === seatIds.length, 'seats of the inventory are missing in the database');
  const unclaimed = states.filter((seat) => seat.reservationId !== reservationId);
  const taken = unclaimed.filter(
    ({ status, heldUntilMs }) =>
      status !== 'AVAILABLE' && (status !== 'HELD' || heldUntilMs === null || heldUntilMs > tx.nowMs),
  );
  if (taken.length > 0) throw new Refusal('ALREADY_RESERVED_SEAT', { seatIds: taken.map(({ id }) => id) });

  const unclaimedIds = unclaimed.map(({ id }) => id);
  const claimed = await tx.exec(queries.claimAvailableOrExpired, [
    unclaimedIds,
    reservationId,
    expiresAtMs,
    tx.nowMs,
  ]);
  assert(claimed === unclaimedIds.length, 'locked seats that can be claimed were not claimed');
  return [...new Set(unclaimed.flatMap((seat) => seat.reservationId ?? []))];
}

/** Call this once all seats of the claim are claimed. */
export function publishClaim(tx: Tx, { scheduleId, seatIds, expiresAtMs }: SeatClaim): void {
  tx.publish(seatsChanged, { scheduleId, change: { seatIds, status: 'HELD', untilMs: expiresAtMs } });
}

/** Those of the seats that are sold or held at this instant. */
export async function listTakenSeats(tx: Tx, seatIds: readonly string[]): Promise<string[]> {
  return (await tx.all(queries.listTakenSeats, [seatIds, tx.nowMs])).map(({ id }) => id);
}

/** Ends holds. Skips seats that another reservation has claimed since. */
export async function freeSeats(
  tx: Tx,
  seatIds: readonly string[],
  reservationIds: readonly string[],
): Promise<void> {
  const freed = await tx.all(queries.freeSeats, [seatIds, reservationIds]);
  for (const scheduleId of new Set(freed.map((seat) => seat.scheduleId))) {
    const ids = freed.filter((seat) => seat.scheduleId === scheduleId).map(({ id }) => id);
    tx.publish(seatsChanged, { scheduleId, change: { seatIds: ids, status: 'AVAILABLE' } });
  }
}

/** Seats in one published change of many holds. */
const SEATS_PER_CHANGE_MAX = 1000;

/** Lets holds end earlier. Skips seats that another reservation has claimed since. */
export async function shortenSeatHolds(
  tx: Tx,
  holds: {
    readonly seatIds: readonly string[];
    readonly reservationIds: readonly string[];
    readonly untilMs: number;
  },
): Promise<void> {
  const { seatIds, reservationIds, untilMs } = holds;
  const seats = await tx.all(queries.shortenSeatHolds, [seatIds, reservationIds, untilMs]);
  for (const scheduleId of new Set(seats.map((seat) => seat.scheduleId))) {
    const ids = seats.filter((seat) => seat.scheduleId === scheduleId).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += SEATS_PER_CHANGE_MAX) {
      const change = {
        seatIds: ids.slice(from, from + SEATS_PER_CHANGE_MAX),
        status: 'HELD',
        untilMs,
      } as const;
      tx.publish(seatsChanged, { scheduleId, change });
    }
  }
}

/** HELD to SOLD. Returns how many of the seats this reservation still held; the caller rolls back if some are missing. */
export async function sellSeats(tx: Tx, seats: ReservationSeats): Promise<number> {
  const { scheduleId, seatIds, reservationId } = seats;
  const sold = await tx.exec(queries.sellSeats, [seatIds, reservationId, tx.nowMs]);
  tx.publish(seatsChanged, { scheduleId, change: { seatIds, status: 'SOLD' } });
  return sold;
}

/** SOLD to AVAILABLE. Returns how many of the seats this reservation owned; the caller rolls back if some are missing. */
export async function refundSeats(tx: Tx, seats: ReservationSeats): Promise<number> {
  const { scheduleId, seatIds, reservationId } = seats;
  const freed = await tx.exec(queries.refundSeats, [seatIds, reservationId]);
  tx.publish(seatsChanged, { scheduleId, change: { seatIds, status: 'AVAILABLE' } });
  return freed;
}
