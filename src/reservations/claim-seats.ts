import { assert } from '../kernel/assert.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import {
  claimFreeSeats,
  type ClaimedSeatRow,
  claimRunOutSeats,
  expireReservations,
  lockSeats,
  type ReservationRow,
  type SeatStateRow,
} from './queries.js';

export interface Claim {
  readonly reservationId: string;
  readonly scheduleId: string;
  readonly seatIds: readonly string[];
  readonly untilMs: number;
}

export interface HoldEvents {
  held(): void;
  /** Told once it is durable that these holds are over. */
  expired(reservations: readonly ReservationRow[]): void;
}

/**
 * Claims all of the seats for a reservation, or refuses. One guarded statement when all are free; only otherwise are
 * they looked at one by one, to take over what has run out or to say which are taken.
 */
export const createClaimSeats =
  (events: HoldEvents) =>
  async (tx: Tx, claim: Claim): Promise<ClaimedSeatRow[]> => {
    const { reservationId, scheduleId, seatIds, untilMs } = claim;
    const seats = await tx.all(claimFreeSeats, [seatIds, reservationId, untilMs]);
    if (seats.length < seatIds.length) seats.push(...(await takeOver(tx, claim, events)));
    const strangers = seats.filter((seat) => seat.scheduleId !== scheduleId);
    if (strangers.length > 0) throw new Refusal('SEAT_NOT_FOUND', { seatIds: strangers.map(({ id }) => id) });
    return seats;
  };

async function takeOver(tx: Tx, claim: Claim, events: HoldEvents): Promise<ClaimedSeatRow[]> {
  const { reservationId, scheduleId, seatIds, untilMs } = claim;
  const states = await tx.all(lockSeats, [seatIds]);
  const here = states.filter((seat) => seat.scheduleId === scheduleId);
  if (here.length < seatIds.length) {
    const found = new Set(here.map(({ id }) => id));
    throw new Refusal('SEAT_NOT_FOUND', { seatIds: seatIds.filter((id) => !found.has(id)) });
  }
  const others = here.filter((seat) => seat.reservationId !== reservationId);
  const taken = others.filter((seat) => !hasRunOut(seat, tx.nowMs)).map(({ id }) => id);
  if (taken.length > 0) throw new Refusal('ALREADY_RESERVED_SEAT', { seatIds: taken });

  const ids = others.map(({ id }) => id);
  const seats = await tx.all(claimRunOutSeats, [ids, reservationId, untilMs, tx.nowMs]);
  assert(seats.length === ids.length, 'seats that were locked and run out could not be claimed');
  // Whoever let a hold run out has lost it now: their reservation ends with the same commit that takes its seat.
  const before = [...new Set(others.flatMap((seat) => seat.reservationId ?? []))];
  const ended = await tx.all(expireReservations, [before, tx.nowMs]);
  tx.afterCommit(() => {
    events.expired(ended);
  });
  return seats;
}

const hasRunOut = ({ status, heldUntilMs }: SeatStateRow, nowMs: number): boolean =>
  status === 'HELD' && heldUntilMs !== null && heldUntilMs <= nowMs;
