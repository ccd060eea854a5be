/** Reads ids that the database generated, to sign tokens and create requests with. */
import { Type } from 'typebox';
import { parse } from '../../test/support/machine/parse.js';
import { signQueueToken } from '../foyer/tokens.js';
import type { BenchDatabase } from './databases.js';
import type { ConcertDataset } from './datasets.js';

const PlaceRow = Type.Tuple([Type.String(), Type.String(), Type.Number(), Type.Number()]);
const UserRow = Type.Tuple([Type.String()]);
const SeatRow = Type.Tuple([Type.String(), Type.String(), Type.String()]);

/** Queue tokens of places spread evenly over the queue. */
export async function sampleQueueTokens(dataset: ConcertDataset, count: number): Promise<string[]> {
  const { database, concertId } = dataset;
  const [[total] = []] = await database.query(
    `SELECT count(*) FROM places WHERE concert_id = '${concertId}'`,
  );
  const step = Math.max(1, Math.floor(Number(total) / count));
  return readQueueTokens(dataset, `number % ${step} = 0`, count);
}

export const readFirstQueueTokens = (dataset: ConcertDataset, count: number): Promise<string[]> =>
  readQueueTokens(dataset, `number <= ${count}`, count);

/** The queue token of the place with this number. */
export async function readQueueToken(dataset: ConcertDataset, number: number): Promise<string> {
  const [token] = await readQueueTokens(dataset, `number = ${number}`, 1);
  if (token === undefined) throw new Error(`no place has the number ${number}`);
  return token;
}

async function readQueueTokens(
  { database, concertId }: ConcertDataset,
  condition: string,
  limit: number,
): Promise<string[]> {
  const rows = await database.query(
    `SELECT id, user_id, number, joined_at FROM places WHERE concert_id = '${concertId}' AND ${condition}
     ORDER BY number LIMIT ${limit}`,
  );
  return parse(Type.Array(PlaceRow), rows, 'the places').map(([id, userId, number, joinedAtMs]) =>
    signQueueToken(concertId, { id, userId, number, joinedAtMs }),
  );
}

export async function readUserIds(database: BenchDatabase, count: number): Promise<string[]> {
  const rows = await database.query(
    `SELECT id FROM users WHERE email LIKE 'user%@load.example' ORDER BY id LIMIT ${count}`,
  );
  return parse(Type.Array(UserRow), rows, 'the users').map(([id]) => id);
}

export interface Seat {
  readonly id: string;
  readonly scheduleId: string;
  readonly concertId: string;
}

/** All seats of one concert, or of every concert, by date and position. */
export async function readSeats(database: BenchDatabase, ofConcertId?: string): Promise<Seat[]> {
  const where = ofConcertId === undefined ? '' : `WHERE d.concert_id = '${ofConcertId}'`;
  const rows = await database.query(
    `SELECT s.id, s.schedule_id, d.concert_id FROM seats s JOIN schedules d ON d.id = s.schedule_id ${where}
     ORDER BY s.schedule_id, s.position`,
  );
  return parse(Type.Array(SeatRow), rows, 'the seats').map(([id, scheduleId, concertId]) => ({
    id,
    scheduleId,
    concertId,
  }));
}
