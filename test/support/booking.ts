import { expect } from 'vitest';
import type { Answer, Client } from './client.js';
import {
  type Fan,
  hold,
  joinActive,
  openSale,
  type Sale,
  type SaleOptions,
  seatIds,
  signUpFan,
} from './sale.js';

/** An admitted fan, and the seats of the sale. */
export interface Booking {
  readonly fan: Fan;
  readonly token: string;
  readonly sale: Sale;
  readonly scheduleId: string;
  readonly seats: readonly string[];
}

interface Bookable {
  readonly client: Client;
  readonly operator: string;
}

export async function startBooking(
  { client, operator }: Bookable,
  options: SaleOptions & { readonly balance?: number } = {},
): Promise<Booking> {
  const sale = await openSale(client, operator, options);
  return enterSale(client, sale, options.balance);
}

/** Signs up another fan who is admitted to the sale. */
export async function enterSale(client: Client, sale: Sale, balance = 0): Promise<Booking> {
  const fan = await signUpFan(client, balance);
  const token = await joinActive(client, fan, sale);
  const seats = await seatIds(client, token, sale);
  return { fan, token, sale, scheduleId: dateOf(sale), seats };
}

export function dateOf({ scheduleIds }: Sale, date = 0): string {
  const id = scheduleIds[date];
  if (id === undefined) throw new Error(`the sale has no date ${date}`);
  return id;
}

/** Holds the seats at these positions, expects success and returns the reservation. */
export async function holdSeats(
  client: Client,
  booking: Booking,
  ...positions: number[]
): Promise<Answer['body']> {
  const answer = await hold(client, booking.token, booking.sale, seatsAt(booking, ...positions));
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

export const seatsAt = ({ seats }: Booking, ...positions: number[]): string[] =>
  positions.map((position) => {
    const seat = seats[position];
    if (seat === undefined) throw new Error(`the sale has no seat ${position}`);
    return seat;
  });

export const patchRoom = (
  client: Client,
  operator: string,
  { concertId }: Sale,
  policy: Readonly<Record<string, unknown>>,
): Promise<Answer> =>
  client.call('PATCH', `/operator/concerts/${concertId}/waiting-room`, { token: operator, body: policy });

export const poll = (client: Client, token: string): Promise<Answer> => client.get('/queue-tokens/me', token);

/** Waits until this time has passed. Whatever expires at it must be expired then, even before a job has run. */
export async function untilPast(time: string): Promise<void> {
  for (;;) {
    const remainingMs = Date.parse(time) - Date.now();
    if (remainingMs < 0) return;
    await new Promise((resolve) => setTimeout(resolve, remainingMs + 1));
  }
}
