import { Type } from 'typebox';
import { Amount, closed, Count, Id, Nullable, Timestamp } from '../platform/web/index.js';

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

export const ScheduleSchema = closed({
  id: Id,
  concertId: Id,
  startsAt: Timestamp,
  seatsTotal: Count,
  seatsRemaining: Count,
  soldOut: Type.Boolean(),
});

export const SeatStatusSchema = Type.Union([
  Type.Literal('AVAILABLE'),
  Type.Literal('HELD'),
  Type.Literal('SOLD'),
]);

export const SeatSchema = closed({
  id: Id,
  section: Type.String(),
  row: Type.String(),
  number: Count,
  label: Type.String(),
  grade: Type.String(),
  price: Amount,
  status: SeatStatusSchema,
});
