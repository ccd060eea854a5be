import { Type } from 'typebox';
import { forgeAccess, secondsFromNow } from '../test/support/forge.js';
import { parse } from '../test/support/machine/parse.js';
import { OPERATOR } from '../test/support/server.js';
import type { Deployment } from './deployment/deployment.js';
import type { Random } from './random.js';

const DAY_SECONDS = 24 * 3600;
const STARTS_IN_MS = 30 * DAY_SECONDS * 1000;
/** Small enough to sell out within the first minute. */
const SMALL_HALL = { rows: 4, seatsPerRow: 10 };
const SEATS_PER_ROW = 100;
/** More seats than the workload can buy in a minute. */
const ROWS_PER_MINUTE = 10;
const ROWS_MIN = 5;
/** A fan may have at most `maxSeatsPerUser` seats of one date, so a longer sale needs more dates. */
const MINUTES_PER_DATE = 5;
export const PRICE = 1000;

export const POLICY = {
  maxActive: 40,
  /** Short, so that places expire while fans are buying. */
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

export interface FanAccount {
  readonly userId: string;
  readonly accessToken: string;
}

/** The concert on sale and the accounts of the fans. */
export interface Sale {
  readonly concertId: string;
  /** The first one is small and sells out. */
  readonly dates: readonly DateOnSale[];
  readonly accounts: readonly FanAccount[];
}

const Session = Type.Object({ accessToken: Type.String() });
const Concert = Type.Object({ id: Type.String(), schedules: Type.Array(Type.Object({ id: Type.String() })) });
const SeatRow = Type.Object({ id: Type.String(), schedule_id: Type.String() });

/** Calls the first process, before any fault is injected. */
async function call(deployment: Deployment, path: string, body: object, token?: string): Promise<unknown> {
  const port = deployment.processes[0]?.httpProxy.port ?? 0;
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} failed: ${response.status} ${await response.text()}`);
  return response.json();
}

export async function createSale(
  deployment: Deployment,
  random: Random,
  { fans, minutes }: { readonly fans: number; readonly minutes: number },
): Promise<Sale> {
  const { accessToken } = parse(Session, await call(deployment, '/sessions', OPERATOR), 'a session');
  const bigDates = 1 + Math.ceil(minutes / MINUTES_PER_DATE);
  const rows = Math.max(ROWS_MIN, Math.ceil((ROWS_PER_MINUTE * minutes) / bigDates));
  const bigHall = { rows, seatsPerRow: SEATS_PER_ROW };
  const halls = [SMALL_HALL, ...Array.from({ length: bigDates }, () => bigHall)];
  const concert = {
    title: 'Concert under test',
    venue: 'Main hall',
    waitingRoom: POLICY,
    schedules: halls.map((hall, day) => ({
      startsAt: new Date(Date.now() + STARTS_IN_MS + day * DAY_SECONDS * 1000).toISOString(),
      sections: [{ name: 'A', ...hall, grade: 'R', price: PRICE }],
    })),
  };
  const created = parse(
    Concert,
    await call(deployment, '/operator/concerts', concert, accessToken),
    'a concert',
  );
  const seats = await deployment.tables.rows(
    SeatRow,
    'SELECT id, schedule_id FROM seats ORDER BY schedule_id, position',
  );
  const dates = created.schedules.map(({ id }) => ({
    id,
    seatIds: seats.filter((seat) => seat.schedule_id === id).map((seat) => seat.id),
  }));
  return { concertId: created.id, dates, accounts: await createAccounts(deployment, random, fans) };
}

/** Inserts the accounts directly: hundreds of sign-ups would mostly measure password hashing. */
async function createAccounts(deployment: Deployment, random: Random, count: number): Promise<FanAccount[]> {
  const ids = Array.from({ length: count }, () => random.id());
  const users = ids.map(
    (id) => `('${id}', '${id}@x.example', '${id}@x.example', '팬', 'CUSTOMER', 'none', 0)`,
  );
  const wallets = ids.map((id) => `('${id}', 0, 0)`);
  await deployment.tables.run(
    `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at) VALUES ${users.join(', ')};
     INSERT INTO wallets (user_id, balance, entry_count) VALUES ${wallets.join(', ')};`,
  );
  const claims = { exp: secondsFromNow(DAY_SECONDS) };
  return ids.map((userId) => ({ userId, accessToken: forgeAccess(userId, { claims }) }));
}
