import { type Concert, lockSaleEnds, saleClosesAtMs } from '../catalog/index.js';
import { guard } from '../kernel/guard.js';
import { newId } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { settleAll } from '../kernel/settle-all.js';
import { SECOND_MS } from '../kernel/time.js';
import type { BatchedWrite } from '../platform/web/index.js';
import type { Tx } from '../platform/sql/index.js';
import {
  claimSeats,
  findTakenSeats,
  type LockedSeats,
  lockSeats,
  type SeatClaim,
  type SeatOnChart,
  takeSeats,
} from '../seating/index.js';
import type { ConsumedPlace, LockedPlaces, WaitingRoom } from '../waiting-room/index.js';
import type { ExpireHolds } from './expire-holds.js';
import { insertReservations, listSeatCounts, type ReservationRow } from './queries.js';
import { type HoldRequest, requireOnSale } from './request-hold.js';
import { toFanReservation } from './reservation.js';

interface Locked {
  /** With the ends of their sales as they are stored. */
  readonly concerts: ReadonlyMap<string, Concert>;
  readonly places: LockedPlaces;
  readonly seats: LockedSeats;
  /** By user and date. */
  readonly seatCounts: ReadonlyMap<string, SeatCount[]>;
  /** The seats of each request in chart order; undefined if there are not enough. */
  readonly chosen: ReadonlyMap<HoldRequest, readonly SeatOnChart[] | undefined>;
}

interface SeatCount {
  readonly status: 'HELD' | 'CONFIRMED';
  readonly expiresAtMs: number;
  readonly seatCount: number;
}

interface Hold {
  readonly reservation: ReservationRow;
  readonly seats: readonly SeatOnChart[];
  readonly claim: SeatClaim;
  readonly expiredReservationIds: readonly string[];
  readonly consumedPlace: ConsumedPlace | undefined;
}

/** Holds all seats of a request or none, for `holdSeconds` of the policy. */
export function createHoldSeats(deps: {
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'policyOf' | 'consumePlaces'>;
  readonly expireOverdue: ExpireHolds['expireOverdue'];
  readonly onHeld: () => void;
}): BatchedWrite<HoldRequest, Locked, Hold> {
  const { waitingRoom, expireOverdue, onHeld } = deps;
  const { gate } = waitingRoom;

  return {
    name: 'hold',

    async lock(tx, requests) {
      const chosen = await chooseSeats(requests);
      const seatIds = [...new Set([...chosen.values()].flatMap((seats) => seats?.map(({ id }) => id) ?? []))];
      const [concerts, places, counts, seats] = await settleAll([
        // An operator who ends the sale early waits for the holds in flight, and ends them.
        guard('hold-sale-end', lockSaleEnds)(
          tx,
          requests.map(({ concert }) => concert),
        ),
        // Serializes the holds of one fan, so that the count behind it includes all earlier ones.
        gate.lockPlaces(
          tx,
          requests.map(({ admitted }) => admitted.placeId),
        ),
        tx.all(listSeatCounts, [
          requests.map(({ admitted }) => admitted.userId),
          [...new Set(requests.map(({ schedule }) => schedule.id))],
        ]),
        lockSeats(tx, seatIds),
      ]);
      const seatCounts = new Map<string, SeatCount[]>();
      for (const count of counts) {
        const key = `${count.userId} ${count.scheduleId}`;
        seatCounts.set(key, [...(seatCounts.get(key) ?? []), count]);
      }
      return { concerts, places, seats, seatCounts, chosen };
    },

    async decide(tx, { concerts, places, seats: locked, seatCounts, chosen }, request) {
      const { caller, schedule } = request;
      const concert = concerts.get(request.concert.id) ?? request.concert;
      const place = await gate.requireLocked(tx, places, caller, concert.id);
      requireOnSale({ concert, schedule }, tx.nowMs);
      const seats = chosen.get(request);
      if (!seats) throw new Refusal('NO_SEATS_TOGETHER');
      const seatIds = seats.map(({ id }) => id);
      const takenIds = findTakenSeats(locked, seatIds, tx.nowMs);
      if (takenIds.length > 0) {
        if (request.canChooseAgain()) return undefined;
        throw new Refusal('ALREADY_RESERVED_SEAT', { seatIds: takenIds });
      }
      const { consumeOn, holdSeconds, maxSeatsPerUser } = waitingRoom.policyOf(concert.id);
      const owned = countOwned(seatCounts.get(`${place.userId} ${schedule.id}`), tx.nowMs);
      if (owned + seats.length > guard('seat-limit', maxSeatsPerUser))
        throw new Refusal('SEAT_LIMIT_EXCEEDED', { limit: maxSeatsPerUser });

      const endMs = holdEndMs(concert, consumeOn, tx.nowMs + holdSeconds * SECOND_MS);
      const reservation = newReservation(request, seats, consumeOn, { fromMs: tx.nowMs, endMs });
      const { id: reservationId, scheduleId, expiresAtMs } = reservation;
      const claim: SeatClaim = { scheduleId, seatIds, reservationId, expiresAtMs };
      const expiredReservationIds = takeSeats(locked, claim);
      const consumedPlace = guard('hold-consumes-place', consumeOn === 'RESERVATION') ? place : undefined;
      return {
        answer: { status: 201, body: toFanReservation(reservation, { concert, schedule }, tx.nowMs) },
        change: { reservation, seats, claim, expiredReservationIds, consumedPlace },
      };
    },

    async write(tx, holds) {
      claimSeats(
        tx,
        holds.map(({ claim }) => claim),
      );
      insert(tx, holds);
      waitingRoom.consumePlaces(
        tx,
        holds.flatMap(({ consumedPlace }) => consumedPlace ?? []),
      );
      tx.afterCommit(() => {
        holds.forEach(onHeld);
      });
      const expiredIds = holds.flatMap(({ expiredReservationIds }) => expiredReservationIds);
      if (expiredIds.length > 0) await expireOverdue(tx, expiredIds);
    },
  };

  /** Chooses for one request after the other, in order of arrival, and avoids seats that an earlier request asks for. */
  async function chooseSeats(requests: readonly HoldRequest[]): Promise<Locked['chosen']> {
    const chosen = new Map<HoldRequest, readonly SeatOnChart[] | undefined>();
    const wantedIds = new Set<string>();
    for (const request of requests) {
      const seats = await request.chooseSeats(wantedIds);
      chosen.set(request, seats);
      for (const { id } of seats ?? []) wantedIds.add(id);
    }
    return chosen;
  }
}

const newReservation = (
  { admitted, concert, schedule }: HoldRequest,
  seats: readonly SeatOnChart[],
  consumeOn: ReservationRow['consumeOn'],
  { fromMs, endMs }: { readonly fromMs: number; readonly endMs: number },
): ReservationRow => ({
  id: newId(),
  userId: admitted.userId,
  concertId: concert.id,
  scheduleId: schedule.id,
  seats: JSON.stringify(seats.map(({ position: _, ...seat }) => seat)),
  amount: seats.reduce((sum, { price }) => sum + price, 0),
  currency: concert.currency,
  consumeOn,
  status: 'HELD',
  createdAtMs: fromMs,
  expiresAtMs: endMs,
});

/** The seats of one date that a fan has paid for or holds. */
const countOwned = (counts: readonly SeatCount[] | undefined, nowMs: number): number =>
  (counts ?? [])
    .filter(({ status, expiresAtMs }) => status === 'CONFIRMED' || expiresAtMs > nowMs)
    .reduce((sum, { seatCount }) => sum + seatCount, 0);

/** Where paying needs the place, a hold ends with the sale: the fan's countdown must be true. */
const holdEndMs = (concert: Concert, consumeOn: ReservationRow['consumeOn'], endMs: number): number =>
  consumeOn === 'PAYMENT' ? Math.min(endMs, saleClosesAtMs(concert)) : endMs;

const insert = (tx: Tx, holds: readonly Hold[]): void => {
  tx.writeBatch(
    insertReservations,
    holds.map(({ reservation, seats }) => ({
      id: reservation.id,
      user_id: reservation.userId,
      concert_id: reservation.concertId,
      schedule_id: reservation.scheduleId,
      seats: reservation.seats,
      seat_labels: seats.map(({ label }) => label).join('; '),
      seat_count: seats.length,
      amount: reservation.amount,
      currency: reservation.currency,
      consume_on: reservation.consumeOn,
      created_at: reservation.createdAtMs,
      expires_at: reservation.expiresAtMs,
    })),
  );
};
