import { type Concert, type Programme, saleState, type Schedule, type SeatBoards } from '../catalog/index.js';
import type { Caller } from '../kernel/caller.js';
import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { SECOND_MS } from '../kernel/time.js';
import type { Tx } from '../platform/sql/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import { type Claim, createClaimSeats, type HoldEvents } from './claim-seats.js';
import { insertReservation, type ReservationRow } from './queries.js';

export interface PlaceHold {
  readonly caller: Caller;
  readonly scheduleId: string;
  readonly seatIds: readonly string[];
}

/** Holds all of the seats or none, for as long as the room's policy says. */
export const createHold = (deps: {
  readonly programme: Programme;
  readonly boards: SeatBoards;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'policyOf' | 'useUp'>;
  readonly events: HoldEvents;
}) => {
  const { programme, boards, waitingRoom, events } = deps;
  const claimSeats = createClaimSeats(events);

  return async (tx: Tx, { caller, scheduleId, seatIds }: PlaceHold): Promise<ReservationRow> => {
    const schedule = await programme.schedule(scheduleId);
    const concert = await programme.concert(schedule.concertId);
    const admitted = await waitingRoom.gate.requireActiveIn(tx, caller, concert.id);
    requireBookable(schedule, concert, tx.nowMs);
    const { consumeOn, holdSeconds, maxSeatsPerUser } = waitingRoom.policyOf(concert.id);
    const claim: Claim = {
      reservationId: newId(),
      scheduleId,
      seatIds,
      untilMs: tx.nowMs + holdSeconds * SECOND_MS,
    };
    const seats = await claimSeats(tx, claim);

    const reservation: ReservationRow = {
      id: claim.reservationId,
      userId: admitted.userId,
      concertId: concert.id,
      scheduleId,
      seats: JSON.stringify(seats.map(({ id, label, grade, price }) => ({ id, label, grade, price }))),
      amount: seats.reduce((sum, { price }) => sum + price, 0),
      currency: concert.currency,
      consumeOn,
      status: 'HELD',
      createdAtMs: tx.nowMs,
      expiresAtMs: claim.untilMs,
    };
    await write(tx, reservation, seatIds.length, maxSeatsPerUser);
    if (consumeOn === 'RESERVATION') await waitingRoom.useUp(tx, concert.id, admitted);
    tx.afterCommit(() => {
      boards.apply(scheduleId, { seatIds, status: 'HELD', untilMs: claim.untilMs });
      events.held();
    });
    return reservation;
  };
};

function requireBookable(schedule: Schedule, concert: Concert, nowMs: number): void {
  if (schedule.startsAtMs <= nowMs || saleState(concert, nowMs) !== 'OPEN')
    throw new Refusal('SCHEDULE_CLOSED');
}

/** The limit per user is part of the statement; the user's place is locked, so no second one is under way. */
async function write(
  tx: Tx,
  reservation: ReservationRow,
  seatCount: number,
  seatsMax: number,
): Promise<void> {
  const written = await tx.run(insertReservation, [
    reservation.id,
    reservation.userId,
    reservation.concertId,
    reservation.scheduleId,
    reservation.seats,
    seatCount,
    reservation.amount,
    reservation.currency,
    reservation.consumeOn,
    reservation.createdAtMs,
    reservation.expiresAtMs,
    seatsMax,
  ]);
  if (written === 0) throw new Refusal('SEAT_LIMIT_EXCEEDED', { limit: seatsMax });
}
