import { assertDefined } from '../kernel/assert.js';
import { guard } from '../kernel/guard.js';
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
export interface ReservationSeats {
  readonly scheduleId: string;
  readonly seatIds: readonly string[];
  readonly reservationId: string;
}

export interface SeatClaim extends ReservationSeats {
  readonly expiresAtMs: number;
}

/** Seats that are locked until the transaction ends, by id, as earlier members of a batch have left them. */
export type LockedSeats = Map<string, queries.SeatStateRow>;

export async function lockSeats(tx: Tx, seatIds: readonly string[]): Promise<LockedSeats> {
  const seats = await tx.all(queries.lockSeats, [seatIds]);
  return new Map(seats.map((seat) => [seat.id, seat]));
}

/** Those of the seats that cannot be held at this instant. */
export const findTakenSeats = (seats: LockedSeats, seatIds: readonly string[], nowMs: number): string[] =>
  seatIds.filter((id) => !canHold(assertDefined(seats.get(id), 'a seat of the inventory is missing'), nowMs));

/**
 * Gives seats that are not taken to a claim, so that later claims of the batch find them taken. Returns the reservations
 * whose expired holds lose seats.
 */
export function takeSeats(seats: LockedSeats, { seatIds, reservationId, expiresAtMs }: SeatClaim): string[] {
  const expiredIds = seatIds.flatMap((id) => seats.get(id)?.reservationId ?? []);
  for (const id of seatIds) seats.set(id, { id, status: 'HELD', reservationId, heldUntilMs: expiresAtMs });
  return [...new Set(expiredIds)];
}

const canHold = ({ status, heldUntilMs }: queries.SeatStateRow, nowMs: number): boolean =>
  guard(
    'seat-available',
    status === 'AVAILABLE' || (status === 'HELD' && heldUntilMs !== null && heldUntilMs <= nowMs),
  );

/** Whether the reservation still holds all of these seats. */
export const holdsSeats = (
  seats: LockedSeats,
  { seatIds, reservationId }: ReservationSeats,
  nowMs: number,
): boolean =>
  seatIds.every((id) => {
    const seat = seats.get(id);
    return seat?.reservationId === reservationId && seat.status === 'HELD' && (seat.heldUntilMs ?? 0) > nowMs;
  });

/** Writes claims whose seats `takeSeats` has given to them. */
export function claimSeats(tx: Tx, claims: readonly SeatClaim[]): void {
  tx.writeBatch(
    queries.claimSeats,
    claims.flatMap(({ seatIds, reservationId, expiresAtMs }) =>
      seatIds.map((id) => ({ id, reservation_id: reservationId, until: expiresAtMs, now: tx.nowMs })),
    ),
  );
  for (const { scheduleId, seatIds, expiresAtMs } of claims)
    tx.publish(seatsChanged, { scheduleId, change: { seatIds, status: 'HELD', untilMs: expiresAtMs } });
}

/** HELD to SOLD, of seats that `holdsSeats` has confirmed. */
export function sellSeats(tx: Tx, sold: readonly ReservationSeats[]): void {
  tx.writeBatch(
    queries.sellSeats,
    rowsOf(sold).map((row) => ({ ...row, now: tx.nowMs })),
  );
  publishAll(tx, sold, 'SOLD');
}

/** HELD to AVAILABLE, of seats that `holdsSeats` has confirmed. */
export function releaseSeats(tx: Tx, released: readonly ReservationSeats[]): void {
  tx.writeBatch(queries.releaseSeats, rowsOf(released));
  publishAll(tx, released, 'AVAILABLE');
}

const rowsOf = (all: readonly ReservationSeats[]): { id: string; reservation_id: string }[] =>
  all.flatMap(({ seatIds, reservationId }) => seatIds.map((id) => ({ id, reservation_id: reservationId })));

function publishAll(tx: Tx, all: readonly ReservationSeats[], status: 'AVAILABLE' | 'SOLD'): void {
  for (const { scheduleId, seatIds } of all)
    tx.publish(seatsChanged, { scheduleId, change: { seatIds, status } });
}

/** Ends expired holds. Skips seats that another reservation has claimed since. */
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

/** SOLD to AVAILABLE. Returns how many of the seats this reservation owned; the caller rolls back if some are missing. */
export async function refundSeats(tx: Tx, seats: ReservationSeats): Promise<number> {
  const { scheduleId, seatIds, reservationId } = seats;
  const freed = await tx.exec(queries.refundSeats, [seatIds, reservationId]);
  tx.publish(seatsChanged, { scheduleId, change: { seatIds, status: 'AVAILABLE' } });
  return freed;
}
