import { Type } from 'typebox';
import { isoOrNull } from '../kernel/time.js';
import { TIME_ZONE_MAX, TIME_ZONE_PATTERN } from '../kernel/time-zone.js';
import { Amount, closed, Count, Id, Nullable, Timestamp } from '../platform/web/index.js';
import { GradeSchema } from '../seating/index.js';
import { FACTS, parseRefundRules } from './facts.js';
import { NullableNotice } from './notice.js';
import { parsePoster, PosterSchema, toPoster } from './poster/poster.js';
import type { ConcertRow } from './queries.js';

/** Of the venue. */
export const TimeZone = Type.String({
  pattern: TIME_ZONE_PATTERN,
  maxLength: TIME_ZONE_MAX,
  description: 'IANA time zone of the venue',
});

export const ConcertSchema = closed({
  id: Id,
  title: Type.String(),
  venue: Type.String(),
  description: Type.String(),
  currency: Type.String(),
  salesOpenAt: Nullable(Timestamp),
  salesCloseAt: Nullable(Timestamp),
  timeZone: TimeZone,
  ...FACTS,
  poster: PosterSchema,
  firstStartsAt: Timestamp,
  lastStartsAt: Timestamp,
  priceFrom: Amount,
  soldOut: Type.Boolean(),
});

/** Additional columns of the row are copied to the result. `draft` is for operators: fans only see published concerts. */
export function toConcert<Row extends ConcertRow>({
  salesOpenAtMs,
  salesCloseAtMs,
  createdAtMs: _createdAtMs,
  lastStartsAtMs: _lastStartsAtMs,
  state,
  refundRules,
  poster: posterJson,
  ...rest
}: Row) {
  const poster = parsePoster(posterJson);
  return {
    ...rest,
    refundRules: parseRefundRules(refundRules),
    poster: poster && toPoster(rest.id, poster),
    draft: state === 'DRAFT',
    salesOpenAt: isoOrNull(salesOpenAtMs),
    salesCloseAt: isoOrNull(salesCloseAtMs),
  };
}

export const ScheduleSchema = closed({
  id: Id,
  concertId: Id,
  startsAt: Timestamp,
  seatsTotal: Count,
  seatsRemaining: Count,
  soldOut: Type.Boolean(),
  grades: Type.Array(closed({ ...GradeSchema.properties, seatsTotal: Count, seatsRemaining: Count }), {
    description: 'Highest price first',
  }),
});

export const OverviewSchema = closed({
  concertId: Id,
  saleState: Type.Union([Type.Literal('BEFORE'), Type.Literal('OPEN'), Type.Literal('CLOSED')]),
  soldOut: Type.Boolean(),
  dates: Type.Array(closed({ id: Id, startsAt: Timestamp, seatsTotal: Count, soldOut: Type.Boolean() })),
  grades: Type.Array(GradeSchema),
  maxSeatsPerUser: Count,
  notice: NullableNotice,
  serverTime: Timestamp,
});
