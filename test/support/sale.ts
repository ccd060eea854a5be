import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Client } from './client.js';
import { OPERATOR } from './server.js';

export interface Fan {
  readonly id: string;
  readonly email: string;
  readonly accessToken: string;
}

export interface Sale {
  readonly concertId: string;
  readonly scheduleIds: readonly string[];
}

export interface Section {
  readonly name: string;
  readonly rows: number;
  readonly seatsPerRow: number;
  readonly grade: string;
  readonly price: number;
}

export const PRICE = 10_000;
const SOON_MS = 30 * 24 * 3600 * 1000;

export async function signInOperator(client: Client): Promise<string> {
  const answer = await client.post('/sessions', undefined, OPERATOR);
  expect(answer.status).toBe(201);
  return answer.body.accessToken;
}

export async function signUpFan(client: Client, balance = 0): Promise<Fan> {
  const email = `${randomUUID()}@fans.example`;
  const answer = await client.post('/users', undefined, { email, password: 'fan-password', name: '팬' });
  expect(answer.status).toBe(201);
  const fan = { id: answer.body.user.id, email, accessToken: answer.body.accessToken };
  if (balance > 0) {
    const charged = await client.post('/wallet/charges', fan.accessToken, { amount: balance });
    expect(charged.status).toBe(201);
  }
  return fan;
}

export const signUpFans = (client: Client, count: number, balance = 0): Promise<Fan[]> =>
  Promise.all(Array.from({ length: count }, () => signUpFan(client, balance)));

export interface SaleOptions {
  readonly policy?: Readonly<Record<string, unknown>>;
  readonly sections?: readonly Section[];
  readonly dates?: number;
  readonly concert?: Readonly<Record<string, unknown>>;
}

/** Creates a concert on sale. Default: one date with one section of ten seats. */
export async function openSale(client: Client, operator: string, options: SaleOptions = {}): Promise<Sale> {
  const sections = options.sections ?? [{ name: 'A', rows: 2, seatsPerRow: 5, grade: 'R', price: PRICE }];
  const schedules = Array.from({ length: options.dates ?? 1 }, (_, index) => ({
    startsAt: new Date(Date.now() + SOON_MS + index * 3_600_000).toISOString(),
    sections,
  }));
  const answer = await client.post('/operator/concerts', operator, {
    title: 'A concert',
    venue: 'A hall',
    waitingRoom: options.policy ?? {},
    schedules,
    ...options.concert,
  });
  expect(answer.status, answer.text).toBe(201);
  return {
    concertId: answer.body.id,
    scheduleIds: answer.body.schedules.map(({ id }: { id: string }) => id),
  };
}

export const join = (client: Client, fan: Fan, { concertId }: Sale): Promise<Answer> =>
  client.post(`/concerts/${concertId}/queue-tokens`, fan.accessToken);

/** Joins, expects to be admitted immediately and returns the queue token. */
export async function joinActive(client: Client, fan: Fan, sale: Sale): Promise<string> {
  const answer = await join(client, fan, sale);
  expect(answer.body).toMatchObject({ status: 'ACTIVE', rank: 0 });
  return answer.body.token;
}

/** Every seat of a date, page by page. */
export async function seatIds(client: Client, token: string, sale: Sale, date = 0): Promise<string[]> {
  const ids: string[] = [];
  let query = '';
  for (;;) {
    const answer = await client.get(`/schedules/${sale.scheduleIds[date] ?? ''}/seats${query}`, token);
    expect(answer.status, answer.text).toBe(200);
    for (const { id } of answer.body.items) ids.push(id);
    if (answer.body.nextCursor === null) return ids;
    query = `?cursor=${answer.body.nextCursor}`;
  }
}

export const hold = (
  client: Client,
  token: string,
  sale: Sale,
  seats: readonly string[],
  key?: string,
): Promise<Answer> =>
  client.post('/reservations', token, { scheduleId: sale.scheduleIds[0], seatIds: seats }, key);

export const pay = (client: Client, token: string, reservationId: string, key?: string): Promise<Answer> =>
  client.post('/payments', token, { reservationId }, key);

export const newKey = (): string => randomUUID();

/** Repeats `ask` until `isWanted`. Fails with the last value after `maxMs`. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isWanted: (value: T) => boolean,
  maxMs = 15_000,
): Promise<T> {
  const endMs = Date.now() + maxMs;
  for (;;) {
    const value = await ask();
    if (isWanted(value)) return value;
    if (Date.now() > endMs)
      throw new Error(`condition not met within ${maxMs} ms; last value: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
