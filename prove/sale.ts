import { Type } from 'typebox';
import { forgeAccess, secondsFromNow } from '../test/support/forge.js';
import { parse } from '../test/support/machine/parse.js';
import { OPERATOR } from '../test/support/server.js';
import type { Random } from './random.js';
import type { World } from './world/world.js';

const DAY_SECONDS = 24 * 3600;
const SOON_MS = 30 * DAY_SECONDS * 1000;
/** Sold out within the first minute. */
const SMALL_HALL = { rows: 4, seatsPerRow: 10 };
const SEATS_PER_ROW = 100;
/** More than can be sold in a minute here. */
const ROWS_PER_MINUTE = 10;
const ROWS_MIN = 5;
/** Nobody may have more than a hundred seats of one date: a long sale needs more of them. */
const MINUTES_PER_DATE = 5;
export const PRICE = 1000;

export const POLICY = {
  maxActive: 40,
  /** Short, so that people run out while they are inside. */
  activeSeconds: 15,
  idleSeconds: null,
  consumeOn: 'PAYMENT',
  holdSeconds: 3,
  maxSeatsPerUser: 100,
} as const;

export interface DateOnSale {
  readonly id: string;
  readonly seatIds: readonly string[];
}

export interface Person {
  readonly userId: string;
  readonly accessToken: string;
}

/** What is sold, and to whom. */
export interface Sale {
  readonly concertId: string;
  /** The first is small: it sells out. */
  readonly dates: readonly DateOnSale[];
  readonly people: readonly Person[];
}

const Session = Type.Object({ accessToken: Type.String() });
const Concert = Type.Object({ id: Type.String(), schedules: Type.Array(Type.Object({ id: Type.String() })) });
const SeatRow = Type.Object({ id: Type.String(), schedule_id: Type.String() });

/** Calls one process, which nothing disturbs yet. */
async function call(world: World, path: string, body: object, token?: string): Promise<unknown> {
  const port = world.processes[0]?.front.port ?? 0;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${path} was answered ${answer.status} ${await answer.text()}`);
  return answer.json();
}

export async function openSale(
  world: World,
  random: Random,
  { fans, minutes }: { readonly fans: number; readonly minutes: number },
): Promise<Sale> {
  const { accessToken } = parse(Session, await call(world, '/sessions', OPERATOR), 'a session');
  const bigDates = 1 + Math.ceil(minutes / MINUTES_PER_DATE);
  const rows = Math.max(ROWS_MIN, Math.ceil((ROWS_PER_MINUTE * minutes) / bigDates));
  const bigHall = { rows, seatsPerRow: SEATS_PER_ROW };
  const halls = [SMALL_HALL, ...Array.from({ length: bigDates }, () => bigHall)];
  const concert = {
    title: 'A concert that must not go wrong',
    venue: 'The hall',
    waitingRoom: POLICY,
    schedules: halls.map((hall, day) => ({
      startsAt: new Date(Date.now() + SOON_MS + day * DAY_SECONDS * 1000).toISOString(),
      sections: [{ name: 'A', ...hall, grade: 'R', price: PRICE }],
    })),
  };
  const added = parse(Concert, await call(world, '/operator/concerts', concert, accessToken), 'a concert');
  const seats = await world.tables.rows(
    SeatRow,
    'SELECT id, schedule_id FROM seats ORDER BY schedule_id, position',
  );
  const dates = added.schedules.map(({ id }) => ({
    id,
    seatIds: seats.filter((seat) => seat.schedule_id === id).map((seat) => seat.id),
  }));
  return { concertId: added.id, dates, people: await addPeople(world, random, fans) };
}

/** Written straight into the tables: hundreds of sign-ups would be about hashing. */
async function addPeople(world: World, random: Random, count: number): Promise<Person[]> {
  const ids = Array.from({ length: count }, () => random.id());
  const users = ids.map(
    (id) => `('${id}', '${id}@x.example', '${id}@x.example', '팬', 'CUSTOMER', 'none', 0)`,
  );
  const wallets = ids.map((id) => `('${id}', 0, 0)`);
  await world.tables.run(
    `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at) VALUES ${users.join(', ')};
     INSERT INTO wallets (user_id, balance, entry_count) VALUES ${wallets.join(', ')};`,
  );
  const claims = { exp: secondsFromNow(DAY_SECONDS) };
  return ids.map((userId) => ({ userId, accessToken: forgeAccess(userId, { claims }) }));
}
