import type { Static } from 'typebox';
import {
  type ConcertBuild,
  type NewConcert,
  type NewDate,
  planConcert,
  requireSaleOrder,
} from '../../catalog/index.js';
import { Refusal } from '../../kernel/refusal.js';
import { isTimeZone } from '../../kernel/time-zone.js';
import { countSeats, importPlan } from '../../seating/index.js';
import type { NewConcertSchema } from './schemas.js';

const SEATS_PER_DATE_MAX = 100_000;
const SEATS_PER_CONCERT_MAX = 500_000;

/** What a concert has unless its request says otherwise. */
export interface Defaults {
  readonly currency: string;
  readonly timeZone: string;
}

/** Plans a concert with its dates and seats. */
export const createPlanNewConcert =
  ({ currency, timeZone }: Defaults) =>
  (request: Static<typeof NewConcertSchema>): ConcertBuild => {
    // Wallets have one currency, so a price in another currency could not be paid.
    if (request.currency !== undefined && request.currency !== currency) {
      throw new Refusal('INVALID_REQUEST', { field: 'currency' });
    }
    const concert: NewConcert = {
      title: request.title,
      venue: request.venue,
      description: request.description ?? '',
      currency,
      timeZone: requireTimeZone(request.timeZone) ?? timeZone,
      state: request.draft === true ? 'DRAFT' : 'PUBLISHED',
      salesOpenAtMs: timeOrNull(request.salesOpenAt, 'salesOpenAt'),
      salesCloseAtMs: timeOrNull(request.salesCloseAt, 'salesCloseAt'),
      schedules: request.schedules.map(toDate),
    };
    requireSaleOrder(concert);
    requireSizeLimits(concert);
    return planConcert(concert);
  };

/** The schema has checked the characters. */
export function requireTimeZone(name: string | undefined): string | undefined {
  if (name !== undefined && !isTimeZone(name)) throw new Refusal('INVALID_REQUEST', { field: 'timeZone' });
  return name;
}

type RequestedDate = Static<typeof NewConcertSchema>['schedules'][number];

/** The seats of a date come either from `sections` or from `plan` with `prices`, never from both. */
function toDate({ startsAt, sections, plan, prices }: RequestedDate, index: number): NewDate {
  const field = `schedules/${index}`;
  const startsAtMs = parseTime(startsAt, `${field}/startsAt`);
  if (sections && plan === undefined && prices === undefined) return { startsAtMs, sections };
  if (sections !== undefined || plan === undefined)
    throw new Refusal('INVALID_REQUEST', { field: `${field}/sections` });
  if (prices === undefined) throw new Refusal('INVALID_REQUEST', { field: `${field}/prices` });
  return { startsAtMs, seats: importPlan(plan, prices, field) };
}

/** The schema has checked the format. Rejects a day that does not exist, such as 30 February. */
function parseTime(text: string, field: string): number {
  const ms = Date.parse(text);
  const isSameDay = !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text.slice(0, 10);
  if (!isSameDay) throw new Refusal('INVALID_REQUEST', { field });
  return ms;
}

export const timeOrNull = (text: string | null | undefined, field: string): number | null =>
  timeOrUndefined(text, field) ?? null;

/** For optional fields of an edit: undefined means unchanged, null means removed. */
export const timeOrUndefined = (text: string | null | undefined, field: string): number | null | undefined =>
  typeof text === 'string' ? parseTime(text, field) : text;

function requireSizeLimits({ schedules }: NewConcert): void {
  const counts = schedules.map(countSeats);
  const tooLarge = counts.findIndex((count) => count > SEATS_PER_DATE_MAX);
  if (tooLarge >= 0)
    throw new Refusal('INVALID_REQUEST', {
      field: `schedules/${tooLarge}/sections`,
      limit: SEATS_PER_DATE_MAX,
    });
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > SEATS_PER_CONCERT_MAX)
    throw new Refusal('INVALID_REQUEST', { field: 'schedules', limit: SEATS_PER_CONCERT_MAX });
}
