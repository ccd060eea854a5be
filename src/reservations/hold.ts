import { type Concert, type Programme, saleState, type Schedule, type SeatBoards } from '../catalog/index.js';
import type { Caller } from '../kernel/caller.js';
import { assert, present } from '../kernel/assert.js';
import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { SECOND_MS } from '../kernel/time.js';
import type { Tx } from '../platform/sql/index.js';
import type { Policy, WaitingRoom } from '../waiting-room/index.js';
import {
  claimSeats,
  expireReservations,
  insertReservation,
  type LockedSeatRow,
  lockSeats,
  type ReservationRow,
} from './queries.js';

export interface PlaceHold {
  readonly caller: Caller;
  readonly scheduleId: string;
  readonly seatIds: readonly string[];
}

export interface HoldEvents {
  held(): void;
  /** Told once it is durable that these holds are over. */
  expired(reservations: readonly ReservationRow[]): void;
}

/** Holds all of the seats or none, for as long as the room's policy says. */
export const createHold = (deps: {
  readonly programme: Programme;
  readonly boards: SeatBoards;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'policyOf' | 'useUp'>;
  readonly events: HoldEvents;
}) => {
  const { programme, boards, waitingRoom, events } = deps;

  return async (tx: Tx, { caller, scheduleId, seatIds }: PlaceHold): Promise<ReservationRow> => {
    const schedule = await programme.schedule(scheduleId);
    const concert = await programme.concert(schedule.concertId);
    const admitted = await waitingRoom.gate.requireActiveIn(tx, caller, concert.id);
    requireBookable(schedule, concert, tx.nowMs);
    const policy = waitingRoom.policyOf(concert.id);
    const found = await tx.all(lockSeats, [scheduleId, seatIds, admitted.userId, tx.nowMs]);
    const seats = found.filter((seat) => seat.scheduleId === scheduleId);
    requireFree(seats, seatIds, policy.maxSeatsPerUser, tx.nowMs);

    const reservation = draft(seats, schedule, concert, admitted.userId, tx.nowMs, policy);
    const claimed = await tx.run(claimSeats, [seatIds, reservation.id, reservation.expiresAtMs, tx.nowMs]);
    assert(claimed === seatIds.length, 'seats that were locked and free could not be claimed');
    await endTakenOver(tx, seats);
    await tx.run(insertReservation, [
      reservation.id,
      reservation.userId,
      reservation.concertId,
      reservation.scheduleId,
      reservation.seats,
      seatIds.length,
      reservation.amount,
      reservation.currency,
      reservation.consumeOn,
      reservation.createdAtMs,
      reservation.expiresAtMs,
    ]);
    if (reservation.consumeOn === 'RESERVATION') await waitingRoom.useUp(tx, concert.id, admitted);
    tx.afterCommit(() => {
      boards.apply(scheduleId, { seatIds, status: 'HELD', untilMs: reservation.expiresAtMs });
      events.held();
    });
    return reservation;
  };

  /** Whoever let a hold run out has lost it now: their reservation ends with the same commit that takes its seat. */
  async function endTakenOver(tx: Tx, seats: readonly LockedSeatRow[]): Promise<void> {
    const before = new Set(seats.flatMap(({ reservationId }) => reservationId ?? []));
    if (before.size === 0) return;
    const ended = await tx.all(expireReservations, [[...before], tx.nowMs]);
    tx.afterCommit(() => {
      events.expired(ended);
    });
  }
};

function requireBookable(schedule: Schedule, concert: Concert, nowMs: number): void {
  if (schedule.startsAtMs <= nowMs || saleState(concert, nowMs) !== 'OPEN')
    throw new Refusal('SCHEDULE_CLOSED');
}

function requireFree(
  seats: readonly LockedSeatRow[],
  wanted: readonly string[],
  seatsMax: number,
  nowMs: number,
): void {
  if (seats.length < wanted.length) {
    const found = new Set(seats.map(({ id }) => id));
    throw new Refusal('SEAT_NOT_FOUND', { seatIds: wanted.filter((id) => !found.has(id)) });
  }
  const taken = seats.filter((seat) => !isFree(seat, nowMs)).map(({ id }) => id);
  if (taken.length > 0) throw new Refusal('ALREADY_RESERVED_SEAT', { seatIds: taken });
  const owned = present(seats[0], 'a hold of no seats').ownedCount;
  if (owned + wanted.length > seatsMax) throw new Refusal('SEAT_LIMIT_EXCEEDED', { limit: seatsMax, owned });
}

const isFree = ({ status, heldUntilMs }: LockedSeatRow, nowMs: number): boolean =>
  status === 'AVAILABLE' || (status === 'HELD' && heldUntilMs !== null && heldUntilMs <= nowMs);

function draft(
  seats: readonly LockedSeatRow[],
  schedule: Schedule,
  concert: Concert,
  userId: string,
  nowMs: number,
  { consumeOn, holdSeconds }: Policy,
): ReservationRow {
  return {
    id: newId(),
    userId,
    concertId: concert.id,
    scheduleId: schedule.id,
    seats: JSON.stringify(seats.map(({ id, label, grade, price }) => ({ id, label, grade, price }))),
    amount: seats.reduce((sum, { price }) => sum + price, 0),
    currency: concert.currency,
    consumeOn,
    status: 'HELD',
    createdAtMs: nowMs,
    expiresAtMs: nowMs + holdSeconds * SECOND_MS,
  };
}
