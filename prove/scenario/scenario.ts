import { Type } from 'typebox';
import { forgeAccess, secondsFromNow } from '../../test/support/forge.js';
import { parse } from '../../test/support/machine/parse.js';
import { OPERATOR } from '../../test/support/server.js';
import type { Deployment } from '../deployment/deployment.js';
import type { Random } from '../random.js';
import type { Policy, SaleKind, SalePlan } from './sale-plans.js';

export type { Policy, SaleKind, SalePlan } from './sale-plans.js';

const DAY_SECONDS = 24 * 3600;
export const PRICE = 1000;
/** Creating the sales takes a moment; the run starts, and its first sales open, this long after the creation began. */
const SETUP_MS = 1500;

export interface DateOnSale {
  readonly id: string;
  readonly startsAtMs: number;
  readonly seatIds: readonly string[];
}

export interface FanAccount {
  readonly userId: string;
  readonly accessToken: string;
}

/** One concert on sale. Policy and closing time are those at its creation; the operator may edit both. */
export interface Sale {
  readonly concertId: string;
  readonly kind: SaleKind;
  readonly policy: Policy;
  readonly dates: readonly DateOnSale[];
  readonly opensAtMs: number | null;
  readonly closesAtMs: number | null;
}

/** The concerts on sale and everyone who takes part. */
export interface Scenario {
  readonly sales: readonly Sale[];
  readonly accounts: readonly FanAccount[];
  readonly operatorToken: string;
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

export async function createScenario(
  deployment: Deployment,
  random: Random,
  { plans, fans }: { readonly plans: readonly SalePlan[]; readonly fans: number },
): Promise<Scenario> {
  const { accessToken } = parse(Session, await call(deployment, '/sessions', OPERATOR), 'a session');
  const startMs = Date.now() + SETUP_MS;
  const created: Sale[] = [];
  for (const plan of plans) created.push(await createSale(deployment, plan, startMs, accessToken));
  const seats = await deployment.tables.rows(
    SeatRow,
    'SELECT id, schedule_id FROM seats ORDER BY schedule_id, position',
  );
  const seatIdsOf = new Map<string, string[]>();
  for (const { id, schedule_id: dateId } of seats) {
    const ids = seatIdsOf.get(dateId);
    if (ids) ids.push(id);
    else seatIdsOf.set(dateId, [id]);
  }
  const sales = created.map((sale) => ({
    ...sale,
    dates: sale.dates.map((date) => ({ ...date, seatIds: seatIdsOf.get(date.id) ?? [] })),
  }));
  return { sales, accounts: await createAccounts(deployment, random, fans), operatorToken: accessToken };
}

/** Without the ids of the seats. */
async function createSale(
  deployment: Deployment,
  { kind, policy, dates, opensInMs, closesInMs }: SalePlan,
  startMs: number,
  token: string,
): Promise<Sale> {
  const atMs = (inMs: number | null): number | null => (inMs === null ? null : startMs + inMs);
  const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  const opensAtMs = atMs(opensInMs);
  const closesAtMs = atMs(closesInMs);
  const concert = {
    title: `Concert under test: ${kind}`,
    venue: 'Main hall',
    waitingRoom: policy,
    salesOpenAt: iso(opensAtMs),
    salesCloseAt: iso(closesAtMs),
    schedules: dates.map(({ hall, startsInMs }) => ({
      startsAt: iso(startMs + startsInMs),
      sections: [{ name: 'A', ...hall, grade: 'R', price: PRICE }],
    })),
  };
  const { id, schedules } = parse(
    Concert,
    await call(deployment, '/operator/concerts', concert, token),
    'a concert',
  );
  const onSale = schedules.map((schedule, index) => ({
    id: schedule.id,
    startsAtMs: startMs + (dates[index]?.startsInMs ?? 0),
    seatIds: [],
  }));
  return { concertId: id, kind, policy, dates: onSale, opensAtMs, closesAtMs };
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
