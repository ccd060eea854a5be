import { expect } from 'vitest';
import type { Client } from '../client.js';
import { readToken } from '../forge.js';
import type { AcknowledgedWrites, KnownHold, KnownPlace } from '../acknowledged-writes.js';
import type { Sale } from '../sale.js';
import type { Cluster } from './cluster.js';
import { expectConsistentTables, queryRows } from './tables.js';

interface StoppedSale {
  readonly cluster: Cluster;
  /** For queries of the test itself. */
  readonly databaseUrl: string;
  readonly sale: Sale;
  readonly books: AcknowledgedWrites;
}

/**
 * After the load has stopped: the tables are consistent, they contain what was acknowledged and nothing else, and every
 * process shows what they contain.
 */
export async function expectFinalState(stopped: StoppedSale): Promise<void> {
  const { cluster, databaseUrl, sale, books } = stopped;
  await expectConsistentTables(databaseUrl);
  await expectAcknowledged(databaseUrl, sale, books);
  for (const client of cluster.clients) await expectQueue(stopped, client);
  for (const client of cluster.clients) await expectSeats(stopped, client);
  await expectReplays(cluster, books);
  await expectConsistentTables(databaseUrl);
}

const byKey = (rows: readonly (readonly unknown[])[]): unknown[] =>
  [...rows].sort((a, b) => String(a[0]).localeCompare(String(b[0])));

/** Every acknowledged effect is stored exactly once, and nothing else is stored. */
async function expectAcknowledged(
  databaseUrl: string,
  { concertId }: Sale,
  books: AcknowledgedWrites,
): Promise<void> {
  const places = await queryRows<{ id: string; number: number; user_id: string; status: string }>(
    databaseUrl,
    `SELECT id, number, user_id, status FROM places WHERE concert_id = '${concertId}'`,
  );
  const live = (status: string): string => (['WAITING', 'ACTIVE'].includes(status) ? 'live' : status);
  expect(byKey(places.map((row) => [row.id, row.number, row.user_id, live(row.status)]))).toEqual(
    byKey([...books.places.values()].map(placeRow)),
  );
  const holds = await queryRows<{ id: string; user_id: string; status: string; expires_at: number }>(
    databaseUrl,
    `SELECT id, user_id, status, expires_at FROM reservations WHERE concert_id = '${concertId}'`,
  );
  expect(byKey(holds.map((row) => [row.id, row.user_id, row.status, row.expires_at]))).toEqual(
    byKey([...books.holds.values()].map(holdRow)),
  );
  const payments = await queryRows<{ id: string; reservation_id: string; receipt: string }>(
    databaseUrl,
    `SELECT id, reservation_id, receipt FROM payments WHERE concert_id = '${concertId}'`,
  );
  expect(
    byKey(
      payments.map((row) => [row.id, row.reservation_id, { ...JSON.parse(row.receipt), refundedAt: null }]),
    ),
  ).toEqual(
    byKey(
      [...books.payments.values()].map((known) => [known.id, known.reservationId, JSON.parse(known.text)]),
    ),
  );
  await expectCharges(databaseUrl, books);
}

const placeRow = ({ token, number, fan, end }: KnownPlace): unknown[] => [
  readToken(token).claims['jti'],
  number,
  fan.userId,
  end ?? 'live',
];

const holdRow = ({ body, fan, end }: KnownHold): unknown[] => [
  body.id,
  fan.userId,
  end ?? 'HELD',
  Date.parse(body.expiresAt),
];

async function expectCharges(databaseUrl: string, books: AcknowledgedWrites): Promise<void> {
  const known = [...books.charges.values()];
  const users = [...new Set(known.map(({ fan }) => `'${fan.userId}'`))].join(', ');
  const rows = await queryRows<{ id: string; user_id: string; amount: number; balance_after: number }>(
    databaseUrl,
    `SELECT id, user_id, amount, balance_after FROM wallet_entries WHERE type = 'CHARGE' AND user_id IN (${users})`,
  );
  expect(byKey(rows.map((row) => [row.id, row.user_id, row.amount, row.balance_after]))).toEqual(
    byKey(known.map(({ fan, amount, entry }) => [entry.id, fan.userId, amount, entry.balanceAfter])),
  );
}

/** This process shows every fan the status and rank that the tables say; no rank has grown. */
async function expectQueue({ databaseUrl, sale, books }: StoppedSale, client: Client): Promise<void> {
  const live = [...books.places.values()].filter(({ end }) => end === undefined);
  // A poll admits fans into free slots; after that the queue no longer changes.
  if (live[0]) await client.get('/queue-tokens/me', live[0].token);
  const waiting = await queryRows<{ number: number }>(
    databaseUrl,
    `SELECT number FROM places WHERE concert_id = '${sale.concertId}' AND status = 'WAITING' ORDER BY number`,
  );
  const rankOf = new Map(waiting.map(({ number }, index) => [number, index + 1]));
  const seen = await mapWithLimit(live, async ({ token, number }) => {
    const { status, body } = await client.get('/queue-tokens/me', token);
    return [number, status, body.status, body.rank];
  });
  const expected = live.map(({ number }) => {
    const rank = rankOf.get(number) ?? 0;
    return [number, 200, rank === 0 ? 'ACTIVE' : 'WAITING', rank];
  });
  expect(seen).toEqual(expected);
  const grown = live.filter(({ number, rank }) => (rankOf.get(number) ?? 0) > rank);
  expect(grown).toEqual([]);
}

/** This process shows every seat with the status in its row. */
async function expectSeats({ databaseUrl, sale, books }: StoppedSale, client: Client): Promise<void> {
  const active = [...books.places.values()].filter(({ end, rank }) => end === undefined && rank === 0);
  const scheduleId = sale.scheduleIds[0] ?? '';
  const { status, body } = await client.get(`/schedules/${scheduleId}/seats`, active[0]?.token);
  expect(status).toBe(200);
  const rows = await queryRows<{ id: string; status: string }>(
    databaseUrl,
    `SELECT id, status FROM seats WHERE schedule_id = '${scheduleId}' ORDER BY position`,
  );
  expect(body.items.map((seat: { id: string; status: string }) => [seat.id, seat.status])).toEqual(
    rows.map((seat) => [seat.id, seat.status]),
  );
}

/** Any process returns the original response when a payment is repeated with its key. */
async function expectReplays({ client }: Cluster, books: AcknowledgedWrites): Promise<void> {
  await mapWithLimit([...books.payments.values()].slice(-30), async ({ token, key, reservationId, text }) => {
    const replay = await client.post('/payments', token, { reservationId }, key);
    expect([replay.status, replay.text]).toEqual([201, text]);
    return replay;
  });
}

/** Limits the concurrency: hundreds of simultaneous requests would test sockets instead. */
async function mapWithLimit<T, Result>(
  items: readonly T[],
  work: (item: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]!);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}
