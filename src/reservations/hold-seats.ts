import { guard } from '../kernel/guard.js';
import {
  type Concert,
  type ConcertCache,
  saleState,
  type Schedule,
  type SeatInventories,
  type SeatOnChart,
  seatsChanged,
} from '../catalog/index.js';
import type { Caller } from '../kernel/caller.js';
import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { SECOND_MS } from '../kernel/time.js';
import { settleAll } from '../kernel/settle-all.js';
import type { Tx } from '../platform/sql/index.js';
import type { Admitted, WaitingRoom } from '../waiting-room/index.js';
import { claimAvailable, type HoldEvents, claimExpiredHolds } from './claim-seats.js';
import { insertReservation, type ReservationRow } from './queries.js';

export interface PlaceHold {
  readonly caller: Caller;
  readonly scheduleId: string;
  readonly seatIds: readonly string[];
}

export type Hold = (tx: Tx, command: PlaceHold) => Promise<ReservationRow>;

/** Lets in whoever may hold seats of this date now. */
export type EnterSale = (
  tx: Tx,
  caller: Caller,
  scheduleId: string,
) => Promise<{ readonly concert: Concert; readonly admitted: Admitted }>;

export const createEnterSale =
  (deps: { readonly concertCache: ConcertCache; readonly gate: WaitingRoom['gate'] }): EnterSale =>
  async (tx, caller, scheduleId) => {
    const schedule = await deps.concertCache.schedule(scheduleId);
    const concert = await deps.concertCache.concert(schedule.concertId);
    const admitted = await deps.gate.requireActive(caller, concert.id);
    requireBookable(schedule, concert, tx.nowMs);
    return { concert, admitted };
  };

/** Holds all of the seats or none, for as long as the room's policy says. */
export const createHold = (deps: {
  readonly enter: EnterSale;
  readonly inventories: SeatInventories;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'policyOf' | 'consumePlace'>;
  readonly events: HoldEvents;
}): Hold => {
  const { enter, inventories, waitingRoom, events } = deps;
  const { gate } = waitingRoom;

  return async (tx, { caller, scheduleId, seatIds }) => {
    const { concert, admitted } = await enter(tx, caller, scheduleId);
    const seats = await findSeats(scheduleId, seatIds);
    const { consumeOn, holdSeconds, maxSeatsPerUser } = waitingRoom.policyOf(concert.id);

    const reservation: ReservationRow = {
      id: newId(),
      userId: admitted.userId,
      concertId: concert.id,
      scheduleId,
      seats: JSON.stringify(seats.map(({ id, label, grade, price }) => ({ id, label, grade, price }))),
      amount: seats.reduce((sum, { price }) => sum + price, 0),
      currency: concert.currency,
      consumeOn,
      status: 'HELD',
      createdAtMs: tx.nowMs,
      expiresAtMs: tx.nowMs + holdSeconds * SECOND_MS,
    };
    // Sent together, in this order: only the answers are waited for. Whatever turns out to be missing undoes all of it.
    const [, claimed, isWritten] = await settleAll([
      // A user's holds in one room take turns: the limit is counted after the others have been written.
      gate.lockPlace(tx, admitted),
      claimAvailable(tx, seatIds, reservation),
      write(tx, reservation, seatIds.length, admitted.placeId, maxSeatsPerUser),
    ]);
    if (guard('seat-claim-complete', claimed < seatIds.length))
      await claimExpiredHolds(tx, seatIds, reservation, events);
    // A hold lasts from when its seats were had, and nobody else may have had them since.
    tx.assertFreshTime();
    if (!isWritten) {
      // Either the place ended since memory was asked, which this says, or the limit is reached.
      await gate.lockActivePlace(tx, caller, concert.id);
      throw new Refusal('SEAT_LIMIT_EXCEEDED', { limit: maxSeatsPerUser });
    }
    if (consumeOn === 'RESERVATION') await waitingRoom.consumePlace(tx, concert.id, admitted);
    const change = { seatIds, status: 'HELD', untilMs: reservation.expiresAtMs } as const;
    tx.publish(seatsChanged, { scheduleId, change });
    tx.afterCommit(events.held);
    return reservation;
  };

  /** In the order of the chart, however they were asked for. */
  async function findSeats(scheduleId: string, seatIds: readonly string[]): Promise<SeatOnChart[]> {
    const inventory = await inventories.of(scheduleId);
    const seats = seatIds.flatMap((id) => inventory.find(id) ?? []);
    if (seats.length < seatIds.length) {
      throw new Refusal('SEAT_NOT_FOUND', { seatIds: seatIds.filter((id) => !inventory.find(id)) });
    }
    return seats.sort((a, b) => a.position - b.position);
  }
};

function requireBookable(schedule: Schedule, concert: Concert, nowMs: number): void {
  if (schedule.startsAtMs <= nowMs || saleState(concert, nowMs) !== 'OPEN')
    throw new Refusal('SCHEDULE_CLOSED');
}

async function write(
  tx: Tx,
  reservation: ReservationRow,
  seatCount: number,
  placeId: string,
  seatsMax: number,
): Promise<boolean> {
  const written = await tx.exec(insertReservation, [
    reservation.id,
    reservation.concertId,
    reservation.scheduleId,
    reservation.seats,
    seatCount,
    reservation.amount,
    reservation.currency,
    reservation.consumeOn,
    reservation.createdAtMs,
    reservation.expiresAtMs,
    placeId,
    seatsMax,
  ]);
  return written === 1;
}
