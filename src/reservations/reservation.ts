import { type Static, Type } from 'typebox';
import { iso } from '../kernel/time.js';
import { Amount, closed, Id, Timestamp } from '../platform/web/index.js';
import type { ReservationSeats } from '../seating/index.js';
import type { ReservationRow, ReservationStatus } from './queries.js';

const HeldSeatSchema = closed({ id: Id, label: Type.String(), grade: Type.String(), price: Amount });
type HeldSeat = Static<typeof HeldSeatSchema>;

export const ReservationSchema = closed({
  id: Id,
  concertId: Id,
  scheduleId: Id,
  seats: Type.Array(HeldSeatSchema),
  amount: Amount,
  currency: Type.String(),
  status: Type.Unsafe<ReservationStatus>({
    type: 'string',
    enum: ['HELD', 'CONFIRMED', 'EXPIRED', 'CANCELLED'],
  }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type Reservation = Static<typeof ReservationSchema>;

/** A hold is EXPIRED from `expiresAtMs` on, even if its row still says HELD. */
export const statusAt = ({ status, expiresAtMs }: ReservationRow, nowMs: number): ReservationStatus =>
  status === 'HELD' && expiresAtMs <= nowMs ? 'EXPIRED' : status;

/** The JSON was written by `hold-seats.ts`. */
export const seatsOf = (row: Pick<ReservationRow, 'seats'>): HeldSeat[] =>
  JSON.parse(row.seats) as HeldSeat[];

export const seatIdsOf = (row: Pick<ReservationRow, 'seats'>): string[] => seatsOf(row).map(({ id }) => id);

export const reservationSeatsOf = (
  row: Pick<ReservationRow, 'id' | 'scheduleId' | 'seats'>,
): ReservationSeats => ({
  scheduleId: row.scheduleId,
  seatIds: seatIdsOf(row),
  reservationId: row.id,
});

export const toReservation = (row: ReservationRow, nowMs: number): Reservation => ({
  id: row.id,
  concertId: row.concertId,
  scheduleId: row.scheduleId,
  seats: seatsOf(row),
  amount: row.amount,
  currency: row.currency,
  status: statusAt(row, nowMs),
  createdAt: iso(row.createdAtMs),
  expiresAt: iso(row.expiresAtMs),
});
