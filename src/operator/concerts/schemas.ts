import { Type } from 'typebox';
import { Amount, closed, Count, Id, Nullable, singleLine, Timestamp } from '../../platform/web/index.js';
import { FACTS, PosterSchema, TimeZone } from '../../catalog/index.js';
import { PlanSchema, PricesSchema, SectionSchema } from '../../seating/index.js';
import { PolicyPatchSchema, PolicySchema } from '../../waiting-room/index.js';

/** All of them may be omitted. */
const OPTIONAL_FACTS = {
  runningMinutes: Type.Optional(FACTS.runningMinutes),
  minAge: Type.Optional(FACTS.minAge),
  refundRules: Type.Optional(FACTS.refundRules),
};

const Description = Type.String({ maxLength: 10_000 });

export const NewConcertSchema = closed({
  title: singleLine(200),
  venue: singleLine(200),
  description: Type.Optional(Description),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  timeZone: Type.Optional(TimeZone),
  ...OPTIONAL_FACTS,
  draft: Type.Optional(Type.Boolean({ description: 'Only operators see a draft, until it is published' })),
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
  timeZone: Type.Optional(TimeZone),
  ...OPTIONAL_FACTS,
  salesOpenAt: Type.Optional(Nullable(Timestamp)),
  salesCloseAt: Type.Optional(Nullable(Timestamp)),
});

export const DuplicateSchema = closed({
  title: Type.Optional(singleLine(200)),
  salesOpenAt: Type.Optional(Nullable(Timestamp)),
  salesCloseAt: Type.Optional(Nullable(Timestamp)),
  draft: Type.Optional(Type.Boolean({ description: 'By default, the copy of a draft is a draft' })),
  shiftDays: Type.Optional(Type.Integer({ minimum: -3650, maximum: 3650 })),
});

export const ConcertDefaultsSchema = closed({ currency: Type.String(), timeZone: TimeZone });

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
  timeZone: TimeZone,
  ...FACTS,
  poster: PosterSchema,
  draft: Type.Boolean(),
  salesOpenAt: Nullable(Timestamp),
  salesCloseAt: Nullable(Timestamp),
});

export const ConcertViewSchema = closed({
  ...ConcertDetailsSchema.properties,
  soldOut: Type.Boolean(),
  waitingRoom: PolicySchema,
  firstStartsAt: Timestamp,
  lastStartsAt: Timestamp,
  dates: Count,
  seatsTotal: Count,
  seatsSold: Count,
  revenue: Amount,
  waiting: Count,
  active: Count,
});

const SectionViewSchema = closed({ name: Type.String(), grade: Type.String(), price: Amount, seats: Count });

export const ConcertWithDatesSchema = closed({
  ...ConcertViewSchema.properties,
  schedules: Type.Array(
    closed({
      id: Id,
      startsAt: Timestamp,
      seatsTotal: Count,
      seatsRemaining: Count,
      seatsHeld: Count,
      seatsSold: Count,
      soldOut: Type.Boolean(),
      sections: Type.Array(SectionViewSchema),
    }),
  ),
});

export const StatsSchema = closed({
  waiting: Count,
  active: Count,
  done: Count,
  expired: Count,
  left: Count,
  closed: Count,
  seatsTotal: Count,
  seatsHeld: Count,
  seatsSold: Count,
  revenue: Amount,
  admittedLastMinute: Count,
  joinedLastMinute: Count,
});
