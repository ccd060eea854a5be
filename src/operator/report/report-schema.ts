import { type Static, Type } from 'typebox';
import { Amount, closed, Count, Id, Nullable, Timestamp } from '../../platform/web/index.js';

const Seconds = Nullable(Count);

export const SaleReportSchema = closed({
  concertId: Id,
  title: Type.String(),
  venue: Type.String(),
  currency: Type.String(),
  isFinal: Type.Boolean({ description: 'false: the sale has not ended yet, and the figures will change' }),
  asOf: Timestamp,
  opensAt: Nullable(Timestamp),
  closesAt: Timestamp,
  queue: closed({
    joined: Count,
    admitted: Count,
    waiting: Count,
    active: Count,
    done: Count,
    expired: Count,
    left: Count,
    closed: Count,
    peakWaiting: Count,
    peakActive: Count,
  }),
  waits: closed({
    admitted: Type.Integer({
      minimum: 0,
      description: 'How many fans were counted: those who were admitted',
    }),
    medianSeconds: Seconds,
    p90Seconds: Seconds,
    p99Seconds: Seconds,
  }),
  sales: closed({
    seatsTotal: Count,
    seatsSold: Count,
    payments: Count,
    revenue: Amount,
    refunds: Count,
    refundedAmount: Amount,
    holdsLive: Count,
    holdsExpired: Count,
    holdsReleased: Count,
    firstPaidAt: Nullable(Timestamp),
    lastPaidAt: Nullable(Timestamp),
  }),
  dates: Type.Array(
    closed({
      scheduleId: Id,
      startsAt: Timestamp,
      seatsTotal: Count,
      seatsSold: Count,
      revenue: Amount,
      grades: Type.Array(
        closed({ grade: Type.String(), seatsTotal: Count, seatsSold: Count, revenue: Amount }),
      ),
    }),
  ),
  history: closed({
    everySeconds: Count,
    items: Type.Array(
      closed({
        at: Timestamp,
        waiting: Count,
        active: Count,
        joined: Count,
        admitted: Count,
        seatsHeld: Count,
        seatsSold: Count,
        revenue: Amount,
      }),
    ),
  }),
});

export type SaleReport = Static<typeof SaleReportSchema>;
