import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Client, createClient } from '../support/client.js';
import { forgeAccess } from '../support/forge.js';
import {
  Books,
  type KnownHold,
  type KnownPayment,
  type KnownPlace,
  type LoadFan,
} from '../support/kill-books.js';
import { runLoad, settleDoubts } from '../support/kill-load.js';
import { foyer } from '../support/programs.js';
import { type StartedServer, startServer, tempDirectory } from '../support/server.js';

const ROUNDS = 5;
const LOAD_MS = 2000;
const USERS = 240;
const SEATS = 6000;
const CONCURRENCY = 48;

let directory: string;
let remove: () => Promise<void>;
let concertId: string;
const books = new Books();

beforeAll(async () => {
  ({ path: directory, remove } = await tempDirectory());
  const seeded = await foyer(
    directory,
    'seed',
    '--users',
    String(USERS),
    '--balance',
    '0',
    '--seats',
    String(SEATS),
  );
  concertId = /concert (\S+)/.exec(seeded.stdout)?.[1] ?? '';
  const policy = ['maxActive=120', 'maxSeatsPerUser=100', 'idleSeconds=null', 'holdSeconds=3600'];
  expect(await foyer(directory, 'policy', 'set', concertId, ...policy)).toMatchObject({ code: 0 });
});

afterAll(() => remove());

/** What the files say, read by a connection that the server knows nothing of. */
function inDatabase<T>(sql: string): T[] {
  const database = new Database(join(directory, 'foyer.db'), { readonly: true });
  try {
    return database.prepare<[], T>(sql).all();
  } finally {
    database.close();
  }
}

const idsOf = (sql: string): string[] => inDatabase<{ id: string }>(sql).map(({ id }) => id);

/** In portions: thousands of requests at once would be about sockets and not about the books. */
async function forEach<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

const checked = new Set<string>();
let isLastLook = false;

/** What has not been looked at since it was acknowledged, or all of it when it is the last time. */
function due<T extends { readonly end?: string | undefined }>(entries: ReadonlyMap<string, T>): T[] {
  const isDue = ([id, { end }]: [string, T]): boolean => isLastLook || !checked.has(`${id} ${end ?? ''}`);
  const found = [...entries].filter(isDue);
  for (const [id, { end }] of found) checked.add(`${id} ${end ?? ''}`);
  return found.map(([, entry]) => entry);
}

async function checkPlaces(client: Client): Promise<void> {
  const numbers = inDatabase<{ number: number }>(
    `SELECT number FROM places WHERE concert_id = '${concertId}' AND status = 'WAITING' ORDER BY number`,
  );
  const rankOf = new Map(numbers.map(({ number }, index) => [number, index + 1]));
  const live = [...books.places.values()].filter(({ end }) => end === undefined);
  const places = new Set([...live, ...due(books.places)]);
  await forEach(places, async (place) => {
    const { status, body } = await client.get('/queue-tokens/me', place.token);
    const standing = status === 200 ? body.status : body.reason;
    expect(allowedStandings(place)).toContain(standing);
    if (standing !== 'WAITING') return;
    expect(body.rank).toBe(rankOf.get(place.number));
    expect(body.rank).toBeLessThanOrEqual(place.rank);
    place.rank = body.rank;
  });
}

function allowedStandings({ token, end }: KnownPlace): string[] {
  if (end) return [end];
  return books.endInDoubt.has(token) ? ['WAITING', 'ACTIVE', 'LEFT', 'DONE'] : ['WAITING', 'ACTIVE'];
}

/** Whoever is in the line and asks to join is given the very place they have. */
async function checkJoiningAgain(client: Client): Promise<void> {
  const live = [...books.places.values()].filter(({ token, end }) => !end && !books.endInDoubt.has(token));
  expect(new Set(live.map(({ fan }) => fan)).size).toBe(live.length);
  await forEach(live, async ({ fan, token }) => {
    const { status, body } = await client.post(`/concerts/${concertId}/queue-tokens`, fan.accessToken);
    expect([status, body.token]).toEqual([200, token]);
  });
}

function allowedHolds({ body, end }: KnownHold): string[] {
  if (end) return [end];
  return books.endInDoubt.has(body.id) ? ['HELD', 'CANCELLED', 'CONFIRMED'] : ['HELD'];
}

async function checkHolds(client: Client): Promise<void> {
  await forEach(due(books.holds), async (hold) => {
    const { status, body } = await client.get(`/reservations/${hold.body.id}`, hold.fan.accessToken);
    expect(status).toBe(200);
    expect(body).toEqual({ ...hold.body, status: body.status });
    expect(allowedHolds(hold)).toContain(body.status);
  });
}

async function checkReceipts(client: Client): Promise<void> {
  await forEach(due<KnownPayment>(books.payments), async ({ fan, id, key, token, reservationId, text }) => {
    expect((await client.get(`/payments/${id}`, fan.accessToken)).text).toBe(text);
    const replay = await client.post('/payments', token, { reservationId }, key);
    expect([replay.status, replay.text]).toEqual([201, text]);
  });
}

/** Every acknowledged charge is an entry as it was answered, every amount is there once, and the balance is their sum. */
async function checkWallets(client: Client, fans: readonly LoadFan[]): Promise<void> {
  await forEach(fans, async (fan) => {
    const entries: { id: string; type: string; amount: number; balanceAfter: number }[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await client.get(`/wallet/entries?limit=200${after}`, fan.accessToken);
      entries.push(...body.items);
      cursor = body.nextCursor;
    }
    const wallet = await client.get('/wallet', fan.accessToken);
    expect(wallet.body.balance).toBe(entries.reduce((sum, { amount }) => sum + amount, 0));
    expect(wallet.body.balance).toBe(entries[0]?.balanceAfter ?? 0);
    const known = [...books.charges.values()].filter((charge) => charge.fan === fan);
    const charges = entries.filter(({ type }) => type === 'CHARGE');
    expect(charges.map(({ amount }) => amount).sort()).toEqual(known.map(({ amount }) => amount).sort());
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    for (const { entry } of known) expect(byId.get(entry.id)).toEqual(entry);
  });
}

/** What no single answer can show: the tables agree with each other. */
function checkTables(): void {
  const none = {
    'broken files': `SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
    'broken references': 'SELECT * FROM pragma_foreign_key_check',
    'two live places of one user': `SELECT user_id FROM places WHERE status IN ('WAITING', 'ACTIVE')
       GROUP BY user_id, concert_id HAVING count(*) > 1`,
    'gaps in the line': `SELECT 1 FROM rooms WHERE last_number <> (SELECT count(*) FROM places
       WHERE places.concert_id = rooms.concert_id)`,
    'waiting in front of the admitted': `SELECT number FROM places JOIN rooms USING (concert_id)
       WHERE status = 'WAITING' AND number <= admitted_through`,
    'seats sold twice': `SELECT s.value ->> 'id' AS seat FROM reservations r, json_each(r.seats) s
       WHERE r.status = 'CONFIRMED' GROUP BY seat HAVING count(*) > 1`,
    'seats sold without a confirmed reservation, or to another': `SELECT seats.id FROM seats
       LEFT JOIN reservations r ON r.id = reservation_id AND r.status = 'CONFIRMED'
       WHERE seats.status = 'SOLD' AND r.id IS NULL`,
    'confirmed reservations without their seats': `SELECT r.id FROM reservations r WHERE r.status = 'CONFIRMED'
       AND seat_count <> (SELECT count(*) FROM seats WHERE reservation_id = r.id AND seats.status = 'SOLD')`,
    'confirmed without a payment': `SELECT r.id FROM reservations r LEFT JOIN payments p ON p.reservation_id = r.id
       WHERE (r.status = 'CONFIRMED') <> (p.id IS NOT NULL)`,
    'payments without their debit': `SELECT p.id FROM payments p LEFT JOIN wallet_entries e
       ON e.reference = p.id AND e.type = 'PAYMENT' AND e.amount = -p.amount AND e.user_id = p.user_id
       WHERE e.id IS NULL`,
    'debits without their payment': `SELECT e.id FROM wallet_entries e LEFT JOIN payments p ON p.id = e.reference
       WHERE e.type = 'PAYMENT' AND p.id IS NULL`,
    'balances that are not the sum': `SELECT user_id FROM wallets w WHERE balance <>
       (SELECT coalesce(sum(amount), 0) FROM wallet_entries e WHERE e.user_id = w.user_id)`,
    'gaps in a ledger': `SELECT user_id FROM wallets w WHERE entry_count <>
       (SELECT count(*) FROM wallet_entries e WHERE e.user_id = w.user_id)`,
  };
  const found = Object.entries(none).map(([what, sql]) => [what, inDatabase(sql)]);
  expect(found).toEqual(Object.keys(none).map((what) => [what, []]));
}

async function start(): Promise<StartedServer> {
  const server = await startServer({ FOYER_DATA_DIR: directory });
  onTestFinished(() => server.kill());
  return server;
}

async function checkEverything(server: StartedServer, fans: readonly LoadFan[]): Promise<void> {
  const client = createClient(server.url);
  // Lets in whoever a free slot is waiting for; from then on the line stands still.
  const [first] = books.places.values();
  if (first) await client.get('/queue-tokens/me', first.token);
  checkTables();
  await checkPlaces(client);
  await checkJoiningAgain(client);
  await checkHolds(client);
  await settleDoubts(client, books);
  await checkReceipts(client);
  await checkWallets(client, fans);
  checkTables();
}

describe('a server that is killed in the middle of a sale, again and again', () => {
  it('has everything it ever acknowledged when it is back', { timeout: 120_000 }, async () => {
    const fans = idsOf(`SELECT id FROM users WHERE role = 'CUSTOMER'`).map((userId): LoadFan => ({
      userId,
      accessToken: forgeAccess(userId),
      place: undefined,
      hold: undefined,
      charges: 0,
    }));
    const seatIds = idsOf('SELECT id FROM seats');
    const [scheduleId = ''] = idsOf('SELECT id FROM schedules');
    for (let round = 1; round <= ROUNDS; round += 1) {
      const server = await start();
      await checkEverything(server, fans);
      for (const fan of fans) Object.assign(fan, { place: undefined, hold: undefined });
      const client = createClient(server.url);
      const load = runLoad({ client, fans, books, concertId, scheduleId, seatIds, concurrency: CONCURRENCY });
      await new Promise((resolve) => setTimeout(resolve, LOAD_MS * (0.75 + Math.random() / 2)));
      await server.kill();
      await load;
    }
    isLastLook = true;
    const last = await start();
    await checkEverything(last, fans);
    expect(await last.stop()).toBe(0);
    for (const count of Object.values(books.counts())) expect(count).toBeGreaterThan(0);
  });
});
