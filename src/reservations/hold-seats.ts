import { type Concert, type ConcertCache, lockSaleEnd, saleClosesAtMs, saleState } from '../catalog/index.js';
import type { Caller } from '../kernel/caller.js';
import { guard } from '../kernel/guard.js';
import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { settleAll } from '../kernel/settle-all.js';
import { SECOND_MS } from '../kernel/time.js';
import type { Tx } from '../platform/sql/index.js';
import {
  claimAvailableSeats,
  claimExpiredSeats,
  publishClaim,
  type SeatClaim,
  type SeatInventories,
  type SeatOnChart,
} from '../seating/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import type { ExpireHolds } from './expire-holds.js';
import { endHoldsWithSale } from './shorten-holds.js';
import { insertReservation, type ReservationRow } from './queries.js';

export type HoldSeats = (
  tx: Tx,
  request: { readonly caller: Caller; readonly scheduleId: string; readonly seatIds: readonly string[] },
) => Promise<ReservationRow>;

/** Refuses unless the caller has an ACTIVE place and the date is on sale. */
export const createRequireBookable =
  (deps: { readonly concertCache: ConcertCache; readonly gate: WaitingRoom['gate'] }) =>
  async (tx: Tx, caller: Caller, scheduleId: string) => {
    const schedule = await deps.concertCache.schedule(scheduleId);
    const concert = await deps.concertCache.concert(schedule.concertId);
    const admitted = await deps.gate.requireActive(caller, concert.id);
    const state = guard('hold-before-closing', saleState(concert, tx.nowMs));
    if (schedule.startsAtMs <= tx.nowMs || state !== 'OPEN') throw new Refusal('SCHEDULE_CLOSED');
    return { concert, admitted };
  };

export type RequireBookable = ReturnType<typeof createRequireBookable>;

/** Holds all of the seats or none, for `holdSeconds` of the policy. */
export const createHoldSeats = (deps: {
  readonly requireBookable: RequireBookable;
  readonly inventories: SeatInventories;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'policyOf' | 'consumePlace'>;
  readonly expireOverdue: ExpireHolds['expireOverdue'];
  readonly onHeld: () => void;
}): HoldSeats => {
  const { requireBookable, waitingRoom, expireOverdue, onHeld } = deps;
  const { gate } = waitingRoom;

  return async (tx, { caller, scheduleId, seatIds }) => {
    const { concert, admitted } = await requireBookable(tx, caller, scheduleId);
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
      expiresAtMs: holdEndMs(concert, consumeOn, tx.nowMs + holdSeconds * SECOND_MS),
    };
    const { id: reservationId, expiresAtMs } = reservation;
    const claim: SeatClaim = { scheduleId, seatIds, reservationId, expiresAtMs };

    // Pipelined in this order: one round trip. Any refusal below rolls back all of them.
    const [saleEndMs, , claimedCount, insertedCount] = await settleAll([
      consumeOn === 'PAYMENT' && guard('hold-sale-end', lockSaleEnd)(tx, concert),
      // Serializes the holds of one fan, so that the limit in the insert counts all earlier ones.
      gate.serializeWrites(tx, admitted),
      claimAvailableSeats(tx, claim),
      insert(tx, reservation, seats, admitted.placeId, maxSeatsPerUser),
    ]);
    // The operator has set an earlier end, and this process has not received it yet.
    const endsEarlier = saleEndMs !== false && saleEndMs < expiresAtMs;
    if (endsEarlier && saleEndMs <= tx.nowMs) throw new Refusal('SCHEDULE_CLOSED');
    if (guard('seat-claim-complete', claimedCount < seatIds.length)) {
      const overdueIds = await claimExpiredSeats(tx, claim);
      await expireOverdue(tx, overdueIds);
    }
    // `expiresAtMs` was computed before the locks were taken: retry if waiting for them took too long.
    tx.assertFreshTime();
    if (insertedCount === 0) {
      // Refuses if the place has ended since `requireBookable` read it from memory. Otherwise the limit is reached.
      await gate.lockActivePlace(tx, caller, concert.id);
      throw new Refusal('SEAT_LIMIT_EXCEEDED', { limit: maxSeatsPerUser });
    }
    if (guard('hold-consumes-place', consumeOn === 'RESERVATION'))
      await waitingRoom.consumePlace(tx, concert.id, admitted);
    publishClaim(tx, claim);
    tx.afterCommit(onHeld);
    if (!endsEarlier) return reservation;
    await endHoldsWithSale(tx, concert.id, saleEndMs);
    return { ...reservation, expiresAtMs: saleEndMs };
  };

  /** In chart order. */
  async function findSeats(scheduleId: string, seatIds: readonly string[]): Promise<SeatOnChart[]> {
    const inventory = await deps.inventories.of(scheduleId);
    const seats = seatIds.flatMap((id) => inventory.find(id) ?? []);
    if (seats.length < seatIds.length) {
      throw new Refusal('SEAT_NOT_FOUND', { seatIds: seatIds.filter((id) => !inventory.find(id)) });
    }
    return seats.sort((a, b) => a.position - b.position);
  }
};

/** Where paying needs the place, a hold ends with the sale: the fan's countdown must be true. */
const holdEndMs = (concert: Concert, consumeOn: ReservationRow['consumeOn'], endMs: number): number =>
  consumeOn === 'PAYMENT' ? Math.min(endMs, saleClosesAtMs(concert)) : endMs;

const insert = (
  tx: Tx,
  reservation: ReservationRow,
  seats: readonly SeatOnChart[],
  placeId: string,
  seatsMax: number,
): Promise<number> =>
  tx.exec(insertReservation, [
    reservation.id,
    reservation.concertId,
    reservation.scheduleId,
    reservation.seats,
    seats.length,
    reservation.amount,
    reservation.currency,
    reservation.consumeOn,
    reservation.createdAtMs,
    reservation.expiresAtMs,
    placeId,
    seatsMax,
    seats.map(({ label }) => label).join('; '),
  ]);
