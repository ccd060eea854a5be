import { Type } from 'typebox';
import { ReceiptSchema } from '../payments/index.js';
import { Amount, closed, Count, Id, Nullable, Timestamp } from '../platform/web/index.js';
import { line, PlanSchema, Price, PricesSchema } from './plan-schema.js';
import { ReservationSchema } from '../reservations/index.js';
import { PolicyPatchSchema } from '../waiting-room/index.js';

const Description = Type.String({ maxLength: 10_000 });

const SectionSchema = closed({
  name: line(50),
  rows: Type.Integer({ minimum: 1, maximum: 500 }),
  seatsPerRow: Type.Integer({ minimum: 1, maximum: 500 }),
  grade: line(50),
  price: Price,
});

export const NewConcertSchema = closed({
  title: line(200),
  venue: line(200),
  description: Type.Optional(Description),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  salesOpenAt: Type.Optional(Nullable(Timestamp)),
  salesCloseAt: Type.Optional(Nullable(Timestamp)),
  waitingRoom: Type.Optional(PolicyPatchSchema),
  schedules: Type.Array(
    closed({
      startsAt: Timestamp,
      sections: Type.Optional(
        Type.Array(SectionSchema, {
          minItems: 1,
          maxItems: 500,
          description: 'This, or `plan` and `prices`',
        }),
      ),
      plan: Type.Optional(PlanSchema),
      prices: Type.Optional(PricesSchema),
    }),
    { minItems: 1, maxItems: 100 },
  ),
});

export const ConcertEditSchema = closed({
  title: Type.Optional(line(200)),
  venue: Type.Optional(line(200)),
  description: Type.Optional(Description),
  salesOpenAt: Type.Optional(Nullable(Timestamp)),
  salesCloseAt: Type.Optional(Nullable(Timestamp)),
});

export const AddedConcertSchema = closed({
  id: Id,
  schedules: Type.Array(closed({ id: Id, startsAt: Timestamp, seatsTotal: Count })),
});

export const ConcertDetailsSchema = closed({
  id: Id,
  title: Type.String(),
  venue: Type.String(),
  description: Type.String(),
  currency: Type.String(),
  salesOpenAt: Nullable(Timestamp),
  salesCloseAt: Nullable(Timestamp),
});

export const StatsSchema = closed({
  waiting: Count,
  active: Count,
  done: Count,
  expired: Count,
  left: Count,
  seatsTotal: Count,
  seatsHeld: Count,
  seatsSold: Count,
  revenue: Amount,
  admittedLastMinute: Count,
  joinedLastMinute: Count,
});

const BuyerSchema = closed({ id: Id, email: Type.String(), name: Type.String() });
export const SoldReservationSchema = closed({ ...ReservationSchema.properties, user: BuyerSchema });
export const SoldPaymentSchema = closed({ ...ReceiptSchema.properties, user: BuyerSchema });
