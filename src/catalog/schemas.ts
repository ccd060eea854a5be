import { Type } from 'typebox';
import { isoOrNull } from '../kernel/time.js';
import { closed, Count, Id, Nullable, Timestamp } from '../platform/web/index.js';
import { GradeSchema } from '../seating/index.js';
import type { ConcertRow } from './queries.js';

export const ConcertSchema = closed({
  id: Id,
  title: Type.String(),
  venue: Type.String(),
  description: Type.String(),
  currency: Type.String(),
  salesOpenAt: Nullable(Timestamp),
  salesCloseAt: Nullable(Timestamp),
  soldOut: Type.Boolean(),
});

/** Additional columns of the row are copied to the result. */
export function toConcert<Row extends ConcertRow>({
  salesOpenAtMs,
  salesCloseAtMs,
  createdAtMs: _,
  ...rest
}: Row) {
  return { ...rest, salesOpenAt: isoOrNull(salesOpenAtMs), salesCloseAt: isoOrNull(salesCloseAtMs) };
}

export const ScheduleSchema = closed({
  id: Id,
  concertId: Id,
  startsAt: Timestamp,
  seatsTotal: Count,
  seatsRemaining: Count,
  soldOut: Type.Boolean(),
});

export const OverviewSchema = closed({
  concertId: Id,
  saleState: Type.Union([Type.Literal('BEFORE'), Type.Literal('OPEN'), Type.Literal('CLOSED')]),
  soldOut: Type.Boolean(),
  dates: Type.Array(closed({ id: Id, startsAt: Timestamp, seatsTotal: Count, soldOut: Type.Boolean() })),
  grades: Type.Array(GradeSchema),
  maxSeatsPerUser: Count,
  serverTime: Timestamp,
});
