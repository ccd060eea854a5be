import { type Concert, type ConcertCache, saleState, type Schedule } from '../catalog/index.js';
import { assertDefined } from '../kernel/assert.js';
import { type Caller, requireScope } from '../kernel/caller.js';
import { guard } from '../kernel/guard.js';
import { newId, newReceiptNumber } from '../kernel/id.js';
import { Refusal } from '../kernel/refusal.js';
import { settleAll } from '../kernel/settle-all.js';
import { iso } from '../kernel/time.js';
import type { BatchedWrite } from '../platform/web/index.js';
import type { Reader, Tx } from '../platform/sql/index.js';
import {
  type LockedSeats,
  payableReservations,
  type ReservationRow,
  seatsOf,
} from '../reservations/index.js';
import type { ConsumedPlace, LockedPlaces, WaitingRoom } from '../waiting-room/index.js';
import { ledger, type LockedWallets, type NewEntry } from '../wallet/index.js';
import { findPaymentOf, insertPayments } from './queries.js';
import { receiptOf, type Snapshot } from './receipt.js';

export interface PayRequest {
  readonly caller: Caller;
  readonly reservationId: string;
}

interface Locked {
  readonly reservations: ReadonlyMap<string, ReservationRow>;
  readonly places: LockedPlaces;
  readonly wallets: LockedWallets;
  readonly seats: LockedSeats;
  /** What a receipt says about the concert, by the id of the date. */
  readonly dates: ReadonlyMap<string, DateOfConcert>;
}

interface DateOfConcert {
  readonly concert: Concert;
  readonly schedule: Schedule;
}

interface Payment {
  readonly reservation: ReservationRow;
  readonly entry: NewEntry;
  readonly snapshot: Snapshot;
  readonly consumedPlace: ConsumedPlace | undefined;
}

/** Pays held reservations: wallet, seats, reservation, receipt and place change in one transaction. */
export const createPay = (deps: {
  readonly concertCache: ConcertCache;
  readonly waitingRoom: Pick<WaitingRoom, 'gate' | 'consumePlaces'>;
  readonly requireUser: (userId: string, reader?: Reader) => Promise<unknown>;
  readonly onPaid: (amount: number) => void;
}): BatchedWrite<PayRequest, Locked, Payment> => {
  const { concertCache, waitingRoom, requireUser, onPaid } = deps;
  const { gate } = waitingRoom;

  return {
    name: 'pay',

    async lock(tx, requests) {
      const reservations = await payableReservations.lock(
        tx,
        requests.map(({ reservationId }) => reservationId),
      );
      const own = requests.flatMap(({ caller, reservationId }) => {
        const reservation = reservations.get(reservationId);
        return reservation?.userId === caller.userId ? [reservation] : [];
      });
      const unpaid = own.filter(({ status }) => status !== 'CONFIRMED');
      const [places, wallets, seats] = await settleAll([
        gate.lockLivePlaces(
          tx,
          unpaid.filter(({ consumeOn }) => consumeOn === 'PAYMENT'),
        ),
        ledger.lock(
          tx,
          unpaid.map(({ userId }) => userId),
        ),
        payableReservations.lockSeats(tx, unpaid),
      ]);
      return { reservations, places, wallets, seats, dates: await findDates(concertCache, unpaid) };
    },

    async decide(tx, { reservations, places, wallets, seats, dates }, { caller, reservationId }) {
      const reservation = reservations.get(reservationId);
      if (reservation?.userId !== caller.userId) {
        await requireUser(caller.userId, tx);
        throw new Refusal('RESERVATION_NOT_FOUND');
      }
      const { concertId, consumeOn, status } = reservation;
      requireScope(caller, concertId);
      if (status === 'CONFIRMED') {
        const payment = await tx.get(findPaymentOf, [reservationId]);
        const paid = assertDefined(payment, 'a CONFIRMED reservation has no payment');
        return { answer: { status: 200, body: receiptOf(paid) } };
      }
      // Refunded: refused here, before the gate, because the owner needs no ACTIVE place to get this response.
      if (status === 'CANCELLED' && (await tx.get(findPaymentOf, [reservationId])))
        throw new Refusal('RESERVATION_NOT_HELD');
      // With `consumeOn: RESERVATION` the hold has consumed the place, and paying needs none.
      const consumedPlace =
        consumeOn === 'PAYMENT' ? await gate.requireLocked(tx, places, caller, concertId) : undefined;
      // An admitted fan may finish only while the sale is open. A released reservation is refused as such below.
      if (consumedPlace && status !== 'CANCELLED') await requireOpenSale(concertId, tx.nowMs);
      payableReservations.requireHeld(reservation, seats, tx.nowMs);

      const id = newId();
      const entry = ledger.debit(wallets.get(caller.userId), reservation.amount, id, tx.nowMs);
      const date = assertDefined(dates.get(reservation.scheduleId), 'a hold has a date');
      const snapshot = newSnapshot(id, reservation, date, entry, tx.nowMs);
      return {
        answer: { status: 201, body: { ...snapshot, refundedAt: null } },
        change: { reservation, entry, snapshot, consumedPlace },
      };
    },

    write(tx, payments) {
      ledger.write(
        tx,
        payments.map(({ entry }) => entry),
      );
      payableReservations.confirm(
        tx,
        payments.map(({ reservation }) => reservation),
      );
      waitingRoom.consumePlaces(
        tx,
        payments.flatMap(({ consumedPlace }) => consumedPlace ?? []),
      );
      insert(tx, payments);
      tx.afterCommit(() => {
        for (const { snapshot } of payments) onPaid(snapshot.amount);
      });
    },
  };

  async function requireOpenSale(concertId: string, nowMs: number): Promise<void> {
    const state = saleState(await concertCache.concert(concertId), nowMs);
    if (guard('pay-before-closing', state) === 'CLOSED') throw new Refusal('SALES_CLOSED');
  }
};

async function findDates(
  concertCache: ConcertCache,
  reservations: readonly ReservationRow[],
): Promise<Locked['dates']> {
  const dates = new Map<string, DateOfConcert>();
  for (const { concertId, scheduleId } of reservations) {
    if (dates.has(scheduleId)) continue;
    const concert = await concertCache.concert(concertId);
    dates.set(scheduleId, { concert, schedule: await concertCache.schedule(scheduleId) });
  }
  return dates;
}

const newSnapshot = (
  id: string,
  reservation: ReservationRow,
  { concert, schedule }: DateOfConcert,
  { balanceAfter }: NewEntry,
  nowMs: number,
): Snapshot => ({
  id,
  number: newReceiptNumber(nowMs),
  reservationId: reservation.id,
  concert: { id: concert.id, title: concert.title, venue: concert.venue, timeZone: concert.timeZone },
  schedule: { id: schedule.id, startsAt: iso(schedule.startsAtMs) },
  seats: seatsOf(reservation).map(({ id: _, ...seat }) => seat),
  amount: reservation.amount,
  currency: reservation.currency,
  balanceAfter,
  paidAt: iso(nowMs),
});

const insert = (tx: Tx, payments: readonly Payment[]): void => {
  tx.writeBatch(
    insertPayments,
    payments.map(({ snapshot, reservation }) => ({
      id: snapshot.id,
      number: snapshot.number,
      reservation_id: reservation.id,
      user_id: reservation.userId,
      concert_id: reservation.concertId,
      amount: reservation.amount,
      receipt: JSON.stringify(snapshot),
      paid_at: tx.nowMs,
    })),
  );
};
