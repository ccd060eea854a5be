import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Foyer, Store } from '../compose.js';
import { Refusal } from '../kernel/refusal.js';
import { HOUR_MS, iso, MINUTE_MS } from '../kernel/time.js';
import { type Sql, statement } from '../platform/sql/index.js';

/** Lines for the terminal: who may sign in, and with what. */
export interface DemoSignIns {
  readonly operator: string;
  readonly fan: string;
}

const DAY_MS = 24 * HOUR_MS;
const DEMO_OPERATOR = 'operator@foyer.example';
const DEMO_FAN = 'fan@foyer.example';
const DEMO_BALANCE = 1_000_000;
const SIGN_INS_FILE = 'demo-sign-ins.json';

const anyConcert = statement<[], { id: string }>('any_concert', 'SELECT id FROM concerts LIMIT 1');

/**
 * Seeds the demo into an empty database. The passwords are made up for each installation, so that a demo left open to
 * a network is not open to everybody; they are kept beside the database to be shown at the next start.
 */
export async function seedDemo(
  foyer: Foyer,
  store: Store,
  operatorEmail: string | undefined,
): Promise<DemoSignIns | undefined> {
  const file = store.path(SIGN_INS_FILE);
  if ((await store.sql.reader.get(anyConcert, [])) === undefined) {
    const operator =
      operatorEmail === undefined ? await addOperator(foyer) : `${operatorEmail} (FOYER_OPERATOR_PASSWORD)`;
    const fan = await addFan(foyer, store.sql);
    for (const concert of demoConcerts(store.sql.nowMs())) {
      await store.sql.transaction((tx) => foyer.createConcert(tx, concert));
    }
    writeFileSync(file, `${JSON.stringify({ operator, fan }, null, 2)}\n`, { mode: 0o600 });
    return { operator, fan };
  }
  return existsSync(file) ? readSignIns(file) : undefined;
}

function readSignIns(file: string): DemoSignIns | undefined {
  const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof kept !== 'object' || kept === null || !('operator' in kept) || !('fan' in kept))
    return undefined;
  return { operator: String(kept.operator), fan: String(kept.fan) };
}

const newPassword = (): string => randomBytes(9).toString('base64url');

async function addOperator({ accounts }: Foyer): Promise<string> {
  const password = newPassword();
  await accounts.ensureOperator({ email: DEMO_OPERATOR, password });
  return `${DEMO_OPERATOR} / ${password}`;
}

async function addFan({ accounts, charge }: Foyer, sql: Sql): Promise<string> {
  const password = newPassword();
  try {
    const { user } = await accounts.signUp({ email: DEMO_FAN, password, name: '데모 팬' });
    await sql.transaction((tx) => charge(tx, user.id, DEMO_BALANCE));
    return `${DEMO_FAN} / ${password}`;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'EMAIL_TAKEN') return `${DEMO_FAN} (signed up before)`;
    throw error;
  }
}

function demoConcerts(nowMs: number): Parameters<Foyer['createConcert']>[1][] {
  const evening = (days: number): string =>
    iso(Math.floor((nowMs + days * DAY_MS) / DAY_MS) * DAY_MS + 10 * HOUR_MS);
  const club = [{ name: 'A', rows: 5, seatsPerRow: 10, grade: 'STANDARD', price: 44_000 }];
  return [
    {
      title: 'Winter Arena 2026 · 겨울 아레나',
      venue: 'Foyer Arena',
      description: 'Twelve thousand seats in four grades. 네 등급, 1만 2천 석.',
      waitingRoom: { maxActive: 500 },
      schedules: [{ startsAt: evening(60), sections: arenaSections() }],
    },
    {
      title: 'Club Night · 클럽 나이트',
      venue: 'Club Foyer',
      description: 'Fifty seats on each of three nights. 사흘 동안, 하루 쉰 석.',
      schedules: [evening(20), evening(21), evening(22)].map((startsAt) => ({ startsAt, sections: club })),
    },
    {
      title: 'Opening Soon · 곧 예매 시작',
      venue: 'Club Foyer',
      description:
        'The sale opens ten minutes after the first start. 처음 시작하고 10분 뒤에 예매가 열립니다.',
      salesOpenAt: iso(nowMs + 10 * MINUTE_MS),
      schedules: [{ startsAt: evening(40), sections: club }],
    },
  ];
}

/** 4 floor sections of 500, 8 lower of 500, 12 upper of 500: 12,000. */
function arenaSections() {
  const block = (name: string, grade: string, price: number) => ({
    name,
    rows: 20,
    seatsPerRow: 25,
    grade,
    price,
  });
  return [
    ...['F1', 'F2', 'F3', 'F4'].map((name) => block(name, 'VIP', 198_000)),
    ...Array.from({ length: 8 }, (_, index) => block(`1${String.fromCharCode(65 + index)}`, 'R', 154_000)),
    ...Array.from({ length: 8 }, (_, index) => block(`2${String.fromCharCode(65 + index)}`, 'S', 121_000)),
    ...Array.from({ length: 4 }, (_, index) => block(`3${String.fromCharCode(65 + index)}`, 'A', 99_000)),
  ];
}
