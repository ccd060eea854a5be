/** Finds out the ids that the database made, to sign tokens and write requests with. */
import { Type } from 'typebox';
import type { OfConcert } from './datasets.js';
import { parse } from '../test/support/machine/parse.js';
import type { Data } from './store.js';
import type { Place } from './tokens.js';

const PlaceRow = Type.Tuple([Type.String(), Type.String(), Type.Number(), Type.Number()]);
const TextRow = Type.Tuple([Type.String()]);
const SeatRow = Type.Tuple([Type.String(), Type.String(), Type.String()]);

/** So many places of the line, evenly over its length. */
export async function placesOf(prepared: OfConcert, count: number): Promise<Place[]> {
  const { data, concertId } = prepared;
  const [[total] = []] = await data.rows(`SELECT count(*) FROM places WHERE concert_id = '${concertId}'`);
  const step = Math.max(1, Math.floor(Number(total) / count));
  return placesWhere(prepared, `number % ${step} = 0`, count);
}

/** The first so many of the line. */
export const firstPlaces = (prepared: OfConcert, count: number): Promise<Place[]> =>
  placesWhere(prepared, `number <= ${count}`, count);

/** Whoever has this number in the line. */
export async function placeAt(prepared: OfConcert, number: number): Promise<Place> {
  const [place] = await placesWhere(prepared, `number = ${number}`, 1);
  if (!place) throw new Error(`nobody has the number ${number}`);
  return place;
}

async function placesWhere({ data, concertId }: OfConcert, which: string, limit: number): Promise<Place[]> {
  const rows = await data.rows(
    `SELECT id, user_id, number, joined_at FROM places WHERE concert_id = '${concertId}' AND ${which}
     ORDER BY number LIMIT ${limit}`,
  );
  return parse(Type.Array(PlaceRow), rows, 'the places').map(([id, userId, number, joinedAtMs]) => ({
    id,
    userId,
    number,
    joinedAtMs,
  }));
}

export async function userIds(data: Data, count: number): Promise<string[]> {
  const rows = await data.rows(
    `SELECT id FROM users WHERE email LIKE 'user%@load.example' ORDER BY id LIMIT ${count}`,
  );
  return parse(Type.Array(TextRow), rows, 'the users').map(([id]) => id);
}

export interface Seat {
  readonly id: string;
  readonly scheduleId: string;
  readonly concertId: string;
}

/** Seats in the order of their charts, one date after another. */
export async function seatsOf(data: Data, concertId?: string): Promise<Seat[]> {
  const where = concertId === undefined ? '' : `WHERE d.concert_id = '${concertId}'`;
  const rows = await data.rows(
    `SELECT s.id, s.schedule_id, d.concert_id FROM seats s JOIN schedules d ON d.id = s.schedule_id ${where}
     ORDER BY s.schedule_id, s.position`,
  );
  return parse(Type.Array(SeatRow), rows, 'the seats').map(([id, scheduleId, concert]) => ({
    id,
    scheduleId,
    concertId: concert,
  }));
}
