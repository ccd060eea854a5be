import { expect, onTestFinished } from 'vitest';
import { dateOf, patchRoom, poll, untilPast } from './booking.js';
import type { Answer, Client } from './client.js';
import { type EventStream, openEvents } from './events.js';
import { hold, join, openSale, pay, type Sale, seatIds, signUpFans } from './sale.js';

/** The steps of a fan through a sale, used by the scenarios. */

interface Running {
  readonly client: Client;
  readonly operator: string;
}

/** Opens a sale with this policy and lets `count` fans join one after another, each with this balance. */
export async function startLine({ client, operator }: Running, count: number, policy: object, balance = 0) {
  const fans = await signUpFans(client, count, balance);
  const sale = await openSale(client, operator, { policy: { ...policy } });
  const tokens: string[] = [];
  for (const fan of fans) {
    const answer = await join(client, fan, sale);
    expect(answer.status, answer.text).toBe(201);
    tokens.push(answer.body.token);
  }
  const [first = '', second = ''] = tokens;
  return { client, operator, sale, fans, tokens, first, second };
}

export const leave = (client: Client, token: string): Promise<Answer> =>
  client.delete('/queue-tokens/me', token);

export const charge = (client: Client, token: string | undefined, amount: unknown): Promise<Answer> =>
  client.post('/wallet/charges', token, { amount });

export async function balanceOf(client: Client, token: string): Promise<number> {
  const answer = await client.get('/wallet', token);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.balance;
}

export async function statsOf(
  client: Client,
  operator: string,
  { concertId }: Sale,
): Promise<Record<string, number>> {
  const answer = await client.get(`/operator/concerts/${concertId}/stats`, operator);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Reads the policy by patching it with its current value. */
export async function policyOf(client: Client, operator: string, sale: Sale): Promise<unknown> {
  const answer = await patchRoom(client, operator, sale, { paused: false });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

interface SeatShown {
  readonly id: string;
  readonly label: string;
  readonly number: unknown;
  readonly price: number;
  readonly status: string;
}

export async function seatsOf(client: Client, token: string, sale: Sale): Promise<SeatShown[]> {
  const answer = await client.get(`/schedules/${dateOf(sale)}/seats`, token);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.items;
}

export const seatStates = async (client: Client, token: string, sale: Sale): Promise<string[]> =>
  (await seatsOf(client, token, sale)).map(({ status }) => status);

/** Holds seats, expects success and returns the reservation. */
export async function claim(client: Client, token: string, sale: Sale, seats: readonly string[]) {
  const answer = await hold(client, token, sale, seats);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as { id: string; status: string; createdAt: string; expiresAt: string };
}

/** Waits until this place has expired. From that instant on it must be EXPIRED, even before a job has run. */
export async function untilExpired(client: Client, token: string): Promise<void> {
  await untilPast((await poll(client, token)).body.expiresAt);
  expect((await poll(client, token)).body).toMatchObject({ status: 'EXPIRED', rank: 0 });
}

/** Waits until this hold has expired. From that instant on it must be EXPIRED, even before a job has run. */
export async function untilHoldExpired(client: Client, token: string, reservationId: string): Promise<void> {
  const read = async () => (await client.get(`/reservations/${reservationId}`, token)).body;
  await untilPast((await read()).expiresAt);
  expect(await read()).toMatchObject({ status: 'EXPIRED' });
}

export const msBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from);

type Step = (token?: string) => Promise<Answer>;

/** All calls that need an ACTIVE place, by name. */
export const bookingSteps = (
  client: Client,
  sale: Sale,
  target: { readonly seatId: string; readonly reservationId: string },
): Record<'dates' | 'seats' | 'reserving' | 'paying', Step> => ({
  dates: (token) => client.get(`/concerts/${sale.concertId}/schedules`, token),
  seats: (token) => client.get(`/schedules/${dateOf(sale)}/seats`, token),
  reserving: (token) =>
    client.post('/reservations', token, { scheduleId: dateOf(sale), seatIds: [target.seatId] }),
  paying: (token) => client.post('/payments', token, { reservationId: target.reservationId }),
});

/** The booking steps of a fan who holds the first seat and tries to reserve the second. */
export async function stepsWithHold(client: Client, token: string, sale: Sale) {
  const [held = '', free = ''] = await seatIds(client, token, sale);
  const { id: reservationId } = await claim(client, token, sale, [held]);
  return bookingSteps(client, sale, { seatId: free, reservationId });
}

export const walletSteps = (client: Client): Record<'balance' | 'history' | 'charging', Step> => ({
  balance: (token) => client.get('/wallet', token),
  history: (token) => client.get('/wallet/entries', token),
  charging: (token) => charge(client, token, 1000),
});

type Denial = 'MISSING' | 'INVALID' | 'NOT_ACTIVE' | 'EXPIRED' | 'USED' | 'LEFT' | 'CLOSED' | 'WRONG_CONCERT';

/** Expects each of these steps to be denied for this reason. */
export async function expectEachDenied(
  steps: Readonly<Record<string, Step>>,
  token: string | undefined,
  reason: Denial,
): Promise<void> {
  const expected = {
    status: reason === 'MISSING' || reason === 'INVALID' ? 401 : 403,
    code: 'ACCESS_DENIED',
    reason,
  };
  const answers: Record<string, object> = {};
  for (const [name, step] of Object.entries(steps)) {
    const { status, body } = await step(token);
    answers[name] = { status, code: body?.code, reason: body?.reason };
  }
  expect(answers).toEqual(Object.fromEntries(Object.keys(steps).map((name) => [name, expected])));
}

/** Pays, expects success and returns the receipt. */
export async function payFor(client: Client, token: string, reservationId: string) {
  const answer = await pay(client, token, reservationId);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as { id: string; amount: number; balanceAfter: number };
}

/** Opens the event stream of a place and closes it after the test. */
export async function listen(url: string, token: string): Promise<EventStream> {
  const stream = await openEvents(url, '/queue-tokens/me/events', token);
  onTestFinished(() => {
    stream.close();
  });
  expect(stream.status).toBe(200);
  return stream;
}
