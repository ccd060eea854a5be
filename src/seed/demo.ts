import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Foyer } from '../compose.js';
import type { Store } from '../open-store.js';
import { emailKeyOf } from '../kernel/credentials.js';
import { Refusal } from '../kernel/refusal.js';
import { UserError } from '../kernel/user-error.js';
import { HOUR_MS, iso, MINUTE_MS } from '../kernel/time.js';
import { type Sql, statement } from '../platform/sql/index.js';

/** `address / password` of the demo accounts, to be printed. */
export interface DemoSignIns {
  readonly operator: string;
  readonly fan: string;
}

const DAY_MS = 24 * HOUR_MS;
const DEMO_OPERATOR = 'operator@foyer.example';
const DEMO_FAN = 'fan@foyer.example';
const DEMO_BALANCE = 1_000_000;
const PASSWORD_CHARS = 12;
/** In the data directory, for scripts. */
const SIGN_INS_FILE = 'demo-sign-ins.json';

const lockUser = statement<[emailKey: string], { id: string }>(
  'lock_user',
  (dialect) => `SELECT id FROM users WHERE email_key = $1${dialect.forUpdate}`,
);
const findUserByEmail = statement<[emailKey: string], { id: string }>(
  'find_user_by_email',
  'SELECT id FROM users WHERE email_key = $1',
);
const anyConcert = statement<[], { id: string }>('any_concert', 'SELECT id FROM concerts LIMIT 1');

/**
 * Creates the demo in an empty database; does nothing if it exists. Returns undefined if the database has other concerts.
 * The passwords are derived from the secret of the installation: they differ between installations, so a demo on a network
 * is not open to everyone, and every process can print them at every start.
 */
export async function seedDemo(
  foyer: Foyer,
  { sql, secret, path }: Pick<Store, 'sql' | 'secret' | 'path'>,
  operatorEmail: string | undefined,
): Promise<DemoSignIns | undefined> {
  if (operatorEmail !== undefined && emailKeyOf(operatorEmail) === emailKeyOf(DEMO_FAN))
    throw new UserError(
      `${DEMO_FAN} is the address of the demo fan: set FOYER_OPERATOR_EMAIL to another one.`,
    );
  const hasConcerts = (await sql.reader.get(anyConcert, [])) !== undefined;
  if (hasConcerts && !(await sql.reader.get(findUserByEmail, [emailKeyOf(DEMO_FAN)]))) return undefined;
  const passwordOf = (email: string): string =>
    createHmac('sha256', secret).update(`demo ${email}`).digest('base64url').slice(0, PASSWORD_CHARS);
  if (operatorEmail === undefined) {
    await foyer.accounts.ensureOperator({ email: DEMO_OPERATOR, password: passwordOf(DEMO_OPERATOR) });
  }
  await addFan(foyer, sql, passwordOf(DEMO_FAN));
  const concerts = demoConcerts(sql.nowMs());
  await sql.transaction(async (tx) => {
    // If several processes start concurrently, one seeds; the others wait for this lock and then find the concerts.
    await tx.lock(lockUser, [emailKeyOf(DEMO_FAN)]);
    if ((await tx.get(anyConcert, [])) !== undefined) return;
    for (const concert of concerts) await foyer.createConcert(tx, concert);
  });
  const operator =
    operatorEmail === undefined
      ? `${DEMO_OPERATOR} / ${passwordOf(DEMO_OPERATOR)}`
      : `${operatorEmail} (FOYER_OPERATOR_PASSWORD)`;
  const signIns = { operator, fan: `${DEMO_FAN} / ${passwordOf(DEMO_FAN)}` };
  if (path) writeFileSync(path(SIGN_INS_FILE), `${JSON.stringify(signIns, null, 2)}\n`, { mode: 0o600 });
  return signIns;
}

async function addFan({ accounts, charge }: Foyer, sql: Sql, password: string): Promise<void> {
  try {
    const { user } = await accounts.signUp({ email: DEMO_FAN, password, name: '데모 팬' });
    await sql.transaction((tx) => charge(tx, user.id, DEMO_BALANCE));
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'EMAIL_TAKEN')) throw error;
  }
}

/** As Korean ticketing sites usually have them. */
const REFUND_RULES = [
  { daysBefore: 10, feePercent: 0 },
  { daysBefore: 7, feePercent: 10 },
  { daysBefore: 3, feePercent: 20 },
  { daysBefore: 1, feePercent: 30 },
  { daysBefore: 0, feePercent: 100 },
];

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
      runningMinutes: 150,
      minAge: 8,
      refundRules: REFUND_RULES,
      schedules: [{ startsAt: evening(60), sections: arenaSections() }],
    },
    {
      title: 'Club Night · 클럽 나이트',
      venue: 'Club Foyer',
      description: 'Fifty seats on each of three nights. 사흘 동안 하루 50석.',
      runningMinutes: 90,
      minAge: 19,
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

/** 24 sections of 500 seats: 4 on the floor, 8 lower, 12 upper. */
function arenaSections() {
  const section = (name: string, grade: string, price: number) => ({
    name,
    rows: 20,
    seatsPerRow: 25,
    grade,
    price,
  });
  return [
    ...['F1', 'F2', 'F3', 'F4'].map((name) => section(name, 'VIP', 198_000)),
    ...Array.from({ length: 8 }, (_, index) => section(`1${String.fromCharCode(65 + index)}`, 'R', 154_000)),
    ...Array.from({ length: 8 }, (_, index) => section(`2${String.fromCharCode(65 + index)}`, 'S', 121_000)),
    ...Array.from({ length: 4 }, (_, index) => section(`3${String.fromCharCode(65 + index)}`, 'A', 99_000)),
  ];
}
