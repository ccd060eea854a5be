import { expect } from 'vitest';
import { dateOf, patchRoom, untilPast } from './booking.js';
import type { Answer, Client } from './client.js';
import { type Fan, hold, join, newKey, openSale, pay, type Sale, seatIds, signUpFan } from './sale.js';

const BALANCE = 100_000;

/** A date with an imported seating plan: its seat positions differ from any layout that Foyer computes. */
const IMPORTED_DATE = {
  startsAt: '2099-11-15T09:00:00.000Z',
  plan: {
    categories: [{ name: 'R' }],
    zones: [
      {
        name: 'Z',
        rows: [
          {
            row_number: '1',
            seats: ['1', '2A', '3'].map((seat_number, index) => ({
              seat_number,
              position: { x: -40 + index * 30, y: index * 7 },
              category: 'R',
            })),
          },
        ],
      },
    ],
  },
  prices: { R: 5000 },
};

/** The response to a request with an idempotency key, and a function that sends the same request again. */
interface KeyedRequest {
  readonly answer: Answer;
  resend(client: Client): Promise<Answer>;
}

export interface SampleSales {
  readonly fans: readonly Fan[];
  /** Queue tokens by the role of their fan: `first` is the first in the queue, and so on. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly sales: readonly Sale[];
  readonly keyedRequests: readonly KeyedRequest[];
  /** A hold that is neither paid nor expired. */
  readonly liveHoldId: string;
}

/** Creates concerts with places, holds, payments and refunds in every status; afterwards no fan is admitted. */
export async function createSampleSales(client: Client, operator: string): Promise<SampleSales> {
  const fans: Fan[] = [];
  const tokens: Record<string, string> = {};
  const keyedRequests: KeyedRequest[] = [];

  async function joinAs(name: string, sale: Sale, balance = BALANCE): Promise<string> {
    const fan = await signUpFan(client, balance);
    fans.push(fan);
    const { status, text, body } = await join(client, fan, sale);
    expect(status, text).toBe(201);
    tokens[name] = body.token;
    return body.token;
  }
  async function sendKeyed(status: number, send: (to: Client) => Promise<Answer>): Promise<Answer> {
    const answer = await send(client);
    expect(answer.status, answer.text).toBe(status);
    keyedRequests.push({ answer, resend: send });
    return answer;
  }
  async function holdKeyed(token: string, sale: Sale, ...seats: string[]): Promise<Answer['body']> {
    const key = newKey();
    return (await sendKeyed(201, (to) => hold(to, token, sale, seats, key))).body;
  }
  async function payKeyed(token: string, reservationId: string, status: number): Promise<void> {
    const key = newKey();
    await sendKeyed(status, (to) => pay(to, token, reservationId, key));
  }

  const arena = await openSale(client, operator, { dates: 2, policy: { maxActive: 3 } });
  const holder = await joinAs('holder', arena);
  const seats = await seatIds(client, holder, arena);
  const seat = (position: number): string => seats[position] ?? '';
  const { id: liveHoldId } = await holdKeyed(holder, arena, seat(0), seat(1));
  const buyer = await joinAs('buyer', arena);
  await payKeyed(buyer, (await holdKeyed(buyer, arena, seat(2))).id, 201);
  const canceller = await joinAs('canceller', arena);
  const cancelled = await holdKeyed(canceller, arena, seat(3));
  expect((await client.delete(`/reservations/${cancelled.id}`, canceller)).status).toBe(204);
  const leaver = await joinAs('leaver', arena);
  expect((await client.delete('/queue-tokens/me', leaver)).status).toBe(204);
  const poor = await joinAs('poor', arena, 0);
  await payKeyed(poor, (await holdKeyed(poor, arena, seat(4))).id, 402);
  await joinAs('first', arena);
  const impatient = await joinAs('impatient', arena);
  await joinAs('second', arena);
  await joinAs('third', arena);
  expect((await client.delete('/queue-tokens/me', impatient)).status).toBe(204);
  await patchRoom(client, operator, arena, { paused: true });

  const club = await openSale(client, operator, { policy: { maxActive: null, holdSeconds: 1 } });
  const late = await joinAs('late', club);
  const [first = '', last = ''] = await seatIds(client, late, club);
  const unpaid = await holdKeyed(late, club, first);
  await patchRoom(client, operator, club, { activeSeconds: 1 });
  const idle = await joinAs('idle', club);
  const { body: idlePlace } = await client.get('/queue-tokens/me', idle);
  await patchRoom(client, operator, club, { activeSeconds: 900, holdSeconds: 60, maxSeatsPerUser: 2 });
  await untilPast(unpaid.expiresAt);
  await untilPast(idlePlace.expiresAt);
  await payKeyed(late, (await holdKeyed(late, club, last)).id, 201);
  const [refunded] = (await client.get('/payments', late)).body.items as { id: string }[];
  const refundKey = newKey();
  await sendKeyed(201, (to) =>
    to.post(`/operator/payments/${refunded?.id ?? ''}/refund`, operator, undefined, refundKey),
  );
  await joinAs('guest', club, 0);
  const hall = await openSale(client, operator, { concert: { schedules: [IMPORTED_DATE] } });
  const chargeKey = newKey();
  await sendKeyed(201, (to) => to.post('/wallet/charges', fans[0]?.accessToken, { amount: 777 }, chargeKey));
  return { fans, tokens, sales: [arena, club, hall], keyedRequests, liveHoldId };
}

/** Fields that depend on the time of the request or are random. */
const VOLATILE_FIELDS = new Set([
  'pollAfterMs',
  'estimatedWaitSeconds',
  'admittedLastMinute',
  'joinedLastMinute',
  'requestId',
]);

const withoutVolatileFields = (body: unknown): unknown =>
  body === undefined
    ? undefined
    : JSON.parse(
        JSON.stringify(body, (name, value: unknown) => (VOLATILE_FIELDS.has(name) ? undefined : value)),
      );

/** Reads everything that fans and the operator can see of the sample sales. */
export async function readEverything(
  client: Client,
  operator: string,
  { fans, tokens, sales }: SampleSales,
): Promise<Readonly<Record<string, unknown>>> {
  const responses: Record<string, unknown> = {};
  async function read(
    who: string,
    path: string,
    token?: string,
    accept = 'application/json',
  ): Promise<Answer> {
    const answer = await client.call('GET', path, { token, headers: { accept } });
    responses[`${who} ${accept} ${path}`] = [
      answer.status,
      withoutVolatileFields(answer.body) ?? answer.text,
    ];
    return answer;
  }

  await read('anonymous', '/concerts?limit=100');
  for (const [name, token] of Object.entries(tokens)) await read(name, '/queue-tokens/me', token);
  for (const { email, accessToken } of fans) {
    for (const path of ['/users/me', '/wallet', '/wallet/entries']) await read(email, path, accessToken);
    for (const list of ['/reservations', '/payments']) {
      const { body } = await read(email, list, accessToken);
      for (const { id } of body.items) await read(email, `${list}/${id}`, accessToken);
    }
  }
  for (const [index, sale] of sales.entries()) {
    const activeToken = tokens[index === 0 ? 'canceller' : 'guest'];
    await read('fan', `/concerts/${sale.concertId}/schedules`, activeToken);
    for (const date of sale.scheduleIds.keys())
      await read('fan', `/schedules/${dateOf(sale, date)}/seats`, activeToken);
    for (const date of sale.scheduleIds.keys())
      await read('operator', `/operator/schedules/${dateOf(sale, date)}/chart`, operator);
    const base = `/operator/concerts/${sale.concertId}`;
    for (const path of ['', '/waiting-room', '/stats', '/reservations', '/payments'])
      await read('operator', `${base}${path}`, operator);
    const { body } = await client.get(`${base}/audit?limit=200`, operator);
    // Without the downloads below, which are recorded each time.
    responses[`${base}/audit`] = body.items.filter(
      ({ action }: { action: string }) => action !== 'SALES_EXPORTED',
    );
    for (const path of ['reservations', 'payments'])
      await read('operator', `${base}/${path}`, operator, 'text/csv');
  }
  return responses;
}
