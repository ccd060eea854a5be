import { Type } from 'typebox';
import { ReceiptSchema } from '../payments/index.js';
import {
  Amount,
  closed,
  Count,
  Id,
  Nullable,
  pageQuery,
  singleLine,
  Timestamp,
} from '../platform/web/index.js';
import { ReservationSchema } from '../reservations/index.js';
import { PlanSchema, PricesSchema, SectionSchema } from '../seating/index.js';
import { PolicyPatchSchema, PolicySchema } from '../waiting-room/index.js';

const Description = Type.String({ maxLength: 10_000 });

export const NewConcertSchema = closed({
  title: singleLine(200),
  venue: singleLine(200),
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
  title: Type.Optional(singleLine(200)),
  venue: Type.Optional(singleLine(200)),
  description: Type.Optional(Description),
  salesOpenAt: Type.Optional(Nullable(Timestamp)),
  salesCloseAt: Type.Optional(Nullable(Timestamp)),
});

export const DuplicateSchema = closed({
  title: Type.Optional(singleLine(200)),
  salesOpenAt: Type.Optional(Nullable(Timestamp)),
  salesCloseAt: Type.Optional(Nullable(Timestamp)),
  shiftDays: Type.Optional(Type.Integer({ minimum: -3650, maximum: 3650 })),
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

/** A concert as its promoter sees it. */
export const DeskConcertSchema = closed({
  ...ConcertDetailsSchema.properties,
  soldOut: Type.Boolean(),
  waitingRoom: PolicySchema,
  seatsTotal: Count,
  seatsSold: Count,
});

const DeskSectionSchema = closed({
  name: Type.String(),
  grade: Type.String(),
  price: Amount,
  seats: Count,
});

export const DeskConcertWithDatesSchema = closed({
  ...DeskConcertSchema.properties,
  schedules: Type.Array(
    closed({
      id: Id,
      startsAt: Timestamp,
      seatsTotal: Count,
      seatsRemaining: Count,
      soldOut: Type.Boolean(),
      sections: Type.Array(DeskSectionSchema),
    }),
  ),
});

export const HistorySchema = closed({
  everySeconds: Count,
  items: Type.Array(
    closed({
      at: Timestamp,
      waiting: Count,
      active: Count,
      admitted: Count,
      joined: Count,
      seatsHeld: Count,
      seatsSold: Count,
      revenue: Amount,
    }),
  ),
});

/** Part of what is looked for: one line, as a person types it. */
export const SearchQuery = closed({
  ...pageQuery,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      description: 'Part of an e-mail address, a name, a seat or a receipt number',
    }),
  ),
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
