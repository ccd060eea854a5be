import type { Static } from 'typebox';
import {
  checkRefundRules,
  checkSaleOrder,
  type ConcertBuild,
  type NewConcert,
  type NewDate,
  planConcert,
  serializeRefundRules,
} from '../../catalog/index.js';
import { FaultList } from '../../kernel/fault-list.js';
import { isTimeZone } from '../../kernel/time-zone.js';
import { countSeats, importPlan } from '../../seating/index.js';
import { checkNewPolicy } from '../../waiting-room/index.js';
import type { NewConcertSchema } from './schemas.js';

const SEATS_PER_DATE_MAX = 100_000;
const SEATS_PER_CONCERT_MAX = 500_000;

/** What a concert has unless its request says otherwise. */
export interface Defaults {
  readonly currency: string;
  readonly timeZone: string;
}

/** Plans a concert with its dates and seats. Refuses a request with all of its faults. */
export const createPlanNewConcert =
  ({ currency, timeZone }: Defaults) =>
  (request: Static<typeof NewConcertSchema>): ConcertBuild => {
    const faults = new FaultList();
    // Wallets have one currency, so a price in another currency could not be paid.
    if (request.currency !== undefined && request.currency !== currency)
      faults.add('/currency', `must be ${currency}`);
    const concert: NewConcert = {
      title: request.title,
      venue: request.venue,
      description: request.description ?? '',
      currency,
      timeZone: checkTimeZone(request.timeZone, faults) ?? timeZone,
      runningMinutes: request.runningMinutes ?? null,
      minAge: request.minAge ?? null,
      refundRules: serializeRefundRules(request.refundRules ?? []),
      state: request.draft === true ? 'DRAFT' : 'PUBLISHED',
      salesOpenAtMs: parseOptionalTime(request.salesOpenAt, '/salesOpenAt', faults) ?? null,
      salesCloseAtMs: parseOptionalTime(request.salesCloseAt, '/salesCloseAt', faults) ?? null,
      schedules: request.schedules.map((date, index) => toDate(date, `/schedules/${index}`, faults)),
    };
    checkSaleOrder(concert, faults);
    checkRefundRules(request.refundRules ?? [], faults);
    checkSizes(concert, faults);
    checkNewPolicy(request.waitingRoom ?? {}, '/waitingRoom', faults);
    faults.requireNone();
    return planConcert(concert);
  };

/** The schema has checked the characters. */
export function checkTimeZone(name: string | undefined, faults: FaultList): string | undefined {
  if (name !== undefined && !isTimeZone(name)) faults.add('/timeZone', 'must be an IANA time zone');
  return name;
}

type RequestedDate = Static<typeof NewConcertSchema>['schedules'][number];

/** The seats of a date come either from `sections` or from `plan` with `prices`, never from both. */
function toDate(
  { startsAt, sections, plan, prices }: RequestedDate,
  path: string,
  faults: FaultList,
): NewDate {
  const startsAtMs = parseTime(startsAt, `${path}/startsAt`, faults);
  if (sections && plan === undefined && prices === undefined) return { startsAtMs, sections };
  if (sections !== undefined || plan === undefined) {
    faults.add(`${path}/sections`, 'must be given, or plan and prices, but not both');
    return { startsAtMs, seats: [] };
  }
  if (prices === undefined) faults.add(`${path}/prices`, 'is required with a plan');
  return { startsAtMs, seats: prices === undefined ? [] : importPlan(plan, prices, path, faults) };
}

/** The schema has checked the format. Rejects a day that does not exist, such as 30 February. */
function parseTime(text: string, path: string, faults: FaultList): number {
  const ms = Date.parse(text);
  const isSameDay = !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text.slice(0, 10);
  if (!isSameDay) faults.add(path, 'must be a day that exists');
  return ms;
}

/** For optional fields: undefined means absent or unchanged, null means none. */
export const parseOptionalTime = (
  text: string | null | undefined,
  path: string,
  faults: FaultList,
): number | null | undefined => (typeof text === 'string' ? parseTime(text, path, faults) : text);

function checkSizes({ schedules }: NewConcert, faults: FaultList): void {
  const counts = schedules.map(countSeats);
  counts.forEach((count, index) => {
    if (count > SEATS_PER_DATE_MAX)
      faults.add(`/schedules/${index}/sections`, `must not have more than ${SEATS_PER_DATE_MAX} seats`);
  });
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > SEATS_PER_CONCERT_MAX)
    faults.add('/schedules', `must not have more than ${SEATS_PER_CONCERT_MAX} seats in all`);
}
