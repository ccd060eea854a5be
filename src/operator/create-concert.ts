import type { Static } from 'typebox';
import {
  addConcert,
  type AddedConcert,
  type NewConcert,
  type NewDate,
  requireSaleOrder,
} from '../catalog/index.js';
import { Refusal } from '../kernel/refusal.js';
import type { Tx } from '../platform/sql/index.js';
import { countSeats, importPlan } from '../seating/index.js';
import type { WaitingRoom } from '../waiting-room/index.js';
import type { NewConcertSchema } from './schemas.js';

const SEATS_PER_DATE_MAX = 100_000;
const SEATS_PER_CONCERT_MAX = 500_000;

/** A concert, its dates and seats, and the room in front of it: one transaction. */
export const createCreateConcert =
  (deps: { readonly currency: string; readonly waitingRoom: Pick<WaitingRoom, 'openQueue'> }) =>
  async (tx: Tx, request: Static<typeof NewConcertSchema>): Promise<AddedConcert> => {
    const { currency, waitingRoom } = deps;
    // Wallets hold one currency; a price in another could not be paid.
    if (request.currency !== undefined && request.currency !== currency) {
      throw new Refusal('INVALID_REQUEST', { field: 'currency' });
    }
    const concert: NewConcert = {
      title: request.title,
      venue: request.venue,
      description: request.description ?? '',
      currency,
      salesOpenAtMs: timeOrNull(request.salesOpenAt, 'salesOpenAt'),
      salesCloseAtMs: timeOrNull(request.salesCloseAt, 'salesCloseAt'),
      schedules: request.schedules.map(toDate),
    };
    requireSaleOrder(concert);
    requireSize(concert);
    const added = await addConcert(tx, concert);
    await waitingRoom.openQueue(tx, added.id, request.waitingRoom ?? {});
    return added;
  };

type RequestedDate = Static<typeof NewConcertSchema>['schedules'][number];

/** Its seats are said in one of two ways, never in both. */
function toDate({ startsAt, sections, plan, prices }: RequestedDate, index: number): NewDate {
  const field = `schedules/${index}`;
  const startsAtMs = parseTime(startsAt, `${field}/startsAt`);
  if (sections && plan === undefined && prices === undefined) return { startsAtMs, sections };
  if (sections !== undefined || plan === undefined)
    throw new Refusal('INVALID_REQUEST', { field: `${field}/sections` });
  if (prices === undefined) throw new Refusal('INVALID_REQUEST', { field: `${field}/prices` });
  return { startsAtMs, seats: importPlan(plan, prices, field) };
}

/** The border has checked the shape; a day that does not exist (30 February) is caught here. */
export function parseTime(text: string, field: string): number {
  const ms = Date.parse(text);
  const sameDay = Number.isNaN(ms) ? false : new Date(ms).toISOString().slice(0, 10) === text.slice(0, 10);
  if (!sameDay) throw new Refusal('INVALID_REQUEST', { field });
  return ms;
}

export const timeOrNull = (text: string | null | undefined, field: string): number | null =>
  text === null || text === undefined ? null : parseTime(text, field);

function requireSize({ schedules }: NewConcert): void {
  const counts = schedules.map(countSeats);
  const large = counts.findIndex((count) => count > SEATS_PER_DATE_MAX);
  if (large >= 0)
    throw new Refusal('INVALID_REQUEST', { field: `schedules/${large}/sections`, limit: SEATS_PER_DATE_MAX });
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > SEATS_PER_CONCERT_MAX)
    throw new Refusal('INVALID_REQUEST', { field: 'schedules', limit: SEATS_PER_CONCERT_MAX });
}
