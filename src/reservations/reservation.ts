import { type Static, Type } from 'typebox';
import { type Concert, type Schedule, TimeZone } from '../catalog/index.js';
import { iso } from '../kernel/time.js';
import { Amount, closed, Id, Timestamp } from '../platform/web/index.js';
import type { ReservationSeats } from '../seating/index.js';
import type { ReservationRow, ReservationStatus } from './queries.js';

/** A seat as it is kept with a booking: where it is, in words, and what it costs. */
export const BookedSeatSchema = closed({
  label: Type.String(),
  section: Type.String(),
  row: Type.String(),
  number: Type.String({ description: 'What is written on the seat' }),
  grade: Type.String(),
  price: Amount,
});

const HeldSeatSchema = closed({ id: Id, ...BookedSeatSchema.properties });
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

/** For the fan, who must know what the seats are for. */
export const FanReservationSchema = closed({
  ...ReservationSchema.properties,
  concert: closed({ id: Id, title: Type.String(), venue: Type.String(), timeZone: TimeZone }),
  schedule: closed({ id: Id, startsAt: Timestamp }),
});
type FanReservation = Static<typeof FanReservationSchema>;

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

export const toFanReservation = (
  row: ReservationRow,
  {
    concert,
    schedule,
  }: { readonly concert: Concert; readonly schedule: Pick<Schedule, 'id' | 'startsAtMs'> },
  nowMs: number,
): FanReservation => ({
  ...toReservation(row, nowMs),
  concert: { id: concert.id, title: concert.title, venue: concert.venue, timeZone: concert.timeZone },
  schedule: { id: schedule.id, startsAt: iso(schedule.startsAtMs) },
});
