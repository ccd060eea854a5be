import { expect } from 'vitest';
import { dateOf, patchRoom, untilPast } from './booking.js';
import type { Answer, Client } from './client.js';
import { type Fan, hold, join, newKey, openSale, pay, type Sale, seatIds, signUpFan } from './sale.js';

const BALANCE = 100_000;

/** Seats that stand where no layout of Foyer's own would put them. */
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

/** An answer that was given under an Idempotency-Key, and how to ask for it again. */
interface Kept {
  readonly answer: Answer;
  again(client: Client): Promise<Answer>;
}

export interface LivedInSale {
  readonly fans: readonly Fan[];
  /** By whom they are held: `first` waits at the head of the line, and so on. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly sales: readonly Sale[];
  readonly kept: readonly Kept[];
  /** Held, and not paid yet. */
  readonly liveHoldId: string;
}

/** Concerts with a bit of everything that can happen at one; at the end nobody moves any more. */
export async function liveInSale(client: Client, operator: string): Promise<LivedInSale> {
  const fans: Fan[] = [];
  const tokens: Record<string, string> = {};
  const kept: Kept[] = [];

  async function comes(name: string, sale: Sale, balance = BALANCE): Promise<string> {
    const fan = await signUpFan(client, balance);
    fans.push(fan);
    const { status, text, body } = await join(client, fan, sale);
    expect(status, text).toBe(201);
    tokens[name] = body.token;
    return body.token;
  }
  async function once(status: number, ask: (on: Client) => Promise<Answer>): Promise<Answer> {
    const answer = await ask(client);
    expect(answer.status, answer.text).toBe(status);
    kept.push({ answer, again: ask });
    return answer;
  }
  async function holds(token: string, sale: Sale, ...seats: string[]): Promise<Answer['body']> {
    const key = newKey();
    return (await once(201, (on) => hold(on, token, sale, seats, key))).body;
  }
  async function pays(token: string, reservationId: string, status: number): Promise<void> {
    const key = newKey();
    await once(status, (on) => pay(on, token, reservationId, key));
  }

  const arena = await openSale(client, operator, { dates: 2, policy: { maxActive: 3 } });
  const holder = await comes('holder', arena);
  const seats = await seatIds(client, holder, arena);
  const seat = (position: number): string => seats[position] ?? '';
  const { id: liveHoldId } = await holds(holder, arena, seat(0), seat(1));
  const buyer = await comes('buyer', arena);
  await pays(buyer, (await holds(buyer, arena, seat(2))).id, 201);
  const canceller = await comes('canceller', arena);
  const cancelled = await holds(canceller, arena, seat(3));
  expect((await client.delete(`/reservations/${cancelled.id}`, canceller)).status).toBe(204);
  const leaver = await comes('leaver', arena);
  expect((await client.delete('/queue-tokens/me', leaver)).status).toBe(204);
  const poor = await comes('poor', arena, 0);
  await pays(poor, (await holds(poor, arena, seat(4))).id, 402);
  await comes('first', arena);
  const impatient = await comes('impatient', arena);
  await comes('second', arena);
  await comes('third', arena);
  expect((await client.delete('/queue-tokens/me', impatient)).status).toBe(204);
  await patchRoom(client, operator, arena, { paused: true });

  const club = await openSale(client, operator, { policy: { maxActive: null, holdSeconds: 1 } });
  const late = await comes('late', club);
  const [first = '', last = ''] = await seatIds(client, late, club);
  const forgotten = await holds(late, club, first);
  await patchRoom(client, operator, club, { activeSeconds: 1 });
  const asleep = await comes('asleep', club);
  const { body: napping } = await client.get('/queue-tokens/me', asleep);
  await patchRoom(client, operator, club, { activeSeconds: 900, holdSeconds: 60, maxSeatsPerUser: 2 });
  await untilPast(forgotten.expiresAt);
  await untilPast(napping.expiresAt);
  await pays(late, (await holds(late, club, last)).id, 201);
  const [regretted] = (await client.get('/payments', late)).body.items as { id: string }[];
  const undo = newKey();
  await once(201, (on) =>
    on.post(`/operator/payments/${regretted?.id ?? ''}/refund`, operator, undefined, undo),
  );
  await comes('guest', club, 0);
  const hall = await openSale(client, operator, { concert: { schedules: [IMPORTED_DATE] } });
  const charge = newKey();
  await once(201, (on) => on.post('/wallet/charges', fans[0]?.accessToken, { amount: 777 }, charge));
  return { fans, tokens, sales: [arena, club, hall], kept, liveHoldId };
}

/** Counted from now, or drawn by lot. */
const PASSING = new Set([
  'pollAfterMs',
  'estimatedWaitSeconds',
  'admittedLastMinute',
  'joinedLastMinute',
  'requestId',
]);

const lasting = (body: unknown): unknown =>
  body === undefined
    ? undefined
    : JSON.parse(JSON.stringify(body, (name, value: unknown) => (PASSING.has(name) ? undefined : value)));

/** Everything that fans and the operator can see of it. */
export async function lookAround(
  client: Client,
  operator: string,
  { fans, tokens, sales }: LivedInSale,
): Promise<Readonly<Record<string, unknown>>> {
  const seen: Record<string, unknown> = {};
  async function look(
    who: string,
    path: string,
    token?: string,
    accept = 'application/json',
  ): Promise<Answer> {
    const answer = await client.call('GET', path, { token, headers: { accept } });
    seen[`${who} ${accept} ${path}`] = [answer.status, lasting(answer.body) ?? answer.text];
    return answer;
  }

  await look('anybody', '/concerts?limit=100');
  for (const [name, token] of Object.entries(tokens)) await look(name, '/queue-tokens/me', token);
  for (const { email, accessToken } of fans) {
    for (const path of ['/users/me', '/wallet', '/wallet/entries']) await look(email, path, accessToken);
    for (const list of ['/reservations', '/payments']) {
      const { body } = await look(email, list, accessToken);
      for (const { id } of body.items) await look(email, `${list}/${id}`, accessToken);
    }
  }
  for (const [index, sale] of sales.entries()) {
    const inside = tokens[index === 0 ? 'canceller' : 'guest'];
    await look('inside', `/concerts/${sale.concertId}/schedules`, inside);
    for (const date of sale.scheduleIds.keys())
      await look('inside', `/schedules/${dateOf(sale, date)}/seats`, inside);
    for (const date of sale.scheduleIds.keys())
      await look('operator', `/operator/schedules/${dateOf(sale, date)}/chart`, operator);
    const base = `/operator/concerts/${sale.concertId}`;
    for (const path of ['', '/waiting-room', '/stats', '/reservations', '/payments', '/audit'])
      await look('operator', `${base}${path}`, operator);
    for (const path of ['reservations', 'payments'])
      await look('operator', `${base}/${path}`, operator, 'text/csv');
  }
  return seen;
}
