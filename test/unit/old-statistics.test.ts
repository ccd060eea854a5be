import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migratePostgres, parsePostgresUrl, type Statement } from '../../src/platform/sql/index.js';
import { setSettings } from '../../src/platform/sql/postgres/connection.js';
import { postgresDialect } from '../../src/platform/sql/postgres/dialect.js';
import * as reservations from '../../src/reservations/queries.js';
import * as seating from '../../src/seating/queries.js';
import * as waitingRoom from '../../src/waiting-room/queries.js';
import { createTestDatabase, psql } from '../support/postgres/index.js';

/** Numbers are ids, so that rows are easy to name. Those of an earlier sale, if there was one. */
const ENDED = 500;
/** What came since, without being counted. The even ones are inside and have a hold, the odd ones wait for a free seat. */
const LIVE = 10_000;
const INSIDE = 5000;
const WAITING = 5001;
/** As much as a statement may look at that is about one row; others say how much they may. */
const ONE_ROW_MAX = 100;

const PLACES =
  'id, concert_id, user_id, number, status, joined_at, activated_at, expires_at, last_seen_at, ended_at';
const SEATS =
  'id, schedule_id, position, section, row_name, number, label, grade, price, status, reservation_id, held_until';
const RESERVATIONS =
  'id, user_id, concert_id, schedule_id, seats, seat_count, amount, currency, consume_on, status, created_at, expires_at';

const A_SALE = `
  INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
    SELECT n, n, n, n, 'CUSTOMER', '', 1 FROM generate_series(1, ${ENDED + LIVE}) n;
  INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES ('c', '', '', '', 'KRW', 1);
  INSERT INTO schedules (id, concert_id, starts_at) VALUES ('d', 'c', 1);
  INSERT INTO queues (concert_id, last_number, admitted_through, active_seconds, consume_on, hold_seconds,
      max_seats_per_user, paused)
    VALUES ('c', ${ENDED + LIVE}, ${ENDED}, 60, 'PAYMENT', 60, 4, 0);`;
const SOLD_LONG_AGO = `
  INSERT INTO places (${PLACES}) SELECT n, 'c', n, n, 'DONE', 1, 1, 1, 1, 1 FROM generate_series(1, ${ENDED}) n;
  INSERT INTO seats (${SEATS}) SELECT n, 'd', n, 'S', 'R', n, n, 'G', 1, 'SOLD', n, NULL
    FROM generate_series(1, ${ENDED}) n;
  INSERT INTO reservations (${RESERVATIONS}) SELECT n, n, 'c', 'd', '[]', 1, 1, 'KRW', 'PAYMENT', 'CONFIRMED', 1, 1
    FROM generate_series(1, ${ENDED}) n;`;

const live = `generate_series(${ENDED + 1}, ${ENDED + LIVE}) n`;
const A_RUSH = `
  INSERT INTO places (${PLACES}) SELECT n, 'c', n, n, CASE n % 2 WHEN 0 THEN 'ACTIVE' ELSE 'WAITING' END, 2,
    CASE n % 2 WHEN 0 THEN 2 END, CASE n % 2 WHEN 0 THEN 9 END, CASE n % 2 WHEN 0 THEN 2 END, NULL FROM ${live};
  INSERT INTO seats (${SEATS}) SELECT n, 'd', n, 'S', 'R', n, n, 'G', 1, CASE n % 2 WHEN 0 THEN 'HELD' ELSE 'AVAILABLE' END,
    CASE n % 2 WHEN 0 THEN n END, CASE n % 2 WHEN 0 THEN 9 END FROM ${live};
  INSERT INTO reservations (${RESERVATIONS}) SELECT n, n, 'c', 'd', '[]', 1, 1, 'KRW', 'PAYMENT', 'HELD', 2, 9
    FROM ${live} WHERE n % 2 = 0;`;

const SEEN = Array.from({ length: 1000 }, (_, index) => ({ id: String(INSIDE + 2 * index), seen: 5 }));
const JOINERS = Array.from({ length: 60 }, (_, index) => String(LIVE + index));

/** The statements of a rush that find rows by more than their key: parameters as SQL, and the most they may look at. */
const STATEMENTS: readonly (readonly [Pick<Statement<never, unknown>, 'name' | 'text'>, string, number?])[] =
  [
    [
      waitingRoom.insertPlaces,
      `'c', '${JSON.stringify(JOINERS.map((user_id, turn) => ({ id: `new ${user_id}`, user_id, turn })))}', 3, 9`,
      25 * JOINERS.length,
    ],
    [waitingRoom.advanceLastNumber, `'c'`],
    [waitingRoom.findJoiners, `'c', ARRAY['${JOINERS.join("', '")}']`, 10 * JOINERS.length],
    [waitingRoom.admitNext, `'c', ${ENDED}, 10, 3, 9`, 300],
    [waitingRoom.countActive, `'c', 3, 0`, LIVE],
    [waitingRoom.countAdmittedSince, `'c', 1`, LIVE],
    [waitingRoom.expirePlaces, `'c', 3, 0, 100`, LIVE],
    [waitingRoom.updateLastSeen, `'${JSON.stringify(SEEN)}'`, 25 * SEEN.length],
    [waitingRoom.leaveWaiting, `'${WAITING}', 3`],
    [waitingRoom.leaveActive, `'${INSIDE}', 3`],
    [waitingRoom.markPlaceDone, `'${INSIDE}', 3`],
    [waitingRoom.lockPlace, `'${INSIDE}'`],
    [waitingRoom.findLivePlace, `'${INSIDE}', 'c'`],
    [waitingRoom.lockLivePlace, `'${INSIDE}', 'c'`],
    [seating.claimAvailableSeats, `ARRAY['${WAITING}'], 'x', 9`],
    [seating.claimAvailableOrExpired, `ARRAY['${WAITING}'], 'x', 9, 3`],
    [seating.listTakenSeats, `ARRAY['${INSIDE}'], 3`],
    [seating.freeSeats, `ARRAY['${INSIDE}'], ARRAY['${INSIDE}']`],
    [seating.sellSeats, `ARRAY['${INSIDE}'], '${INSIDE}', 3`],
    [reservations.insertReservation, `'x', 'c', 'd', '[]', 1, 1, 'KRW', 'PAYMENT', 3, 9, '${INSIDE}', 4`],
    [reservations.lockReservation, `'${INSIDE}'`],
    [reservations.confirmReservation, `'${INSIDE}', 3`],
    [reservations.cancelReservation, `'${INSIDE}', '${INSIDE}', 3`],
    [reservations.expireReservations, `ARRAY['${INSIDE}'], 9`],
    [reservations.expireReservationsSkipLocked, `ARRAY['${INSIDE}'], 9`],
    [reservations.listExpiredReservations, `9, 10`],
  ];

/** Answers the plan of every statement, by name, as a session of Foyer's makes it now and then. */
async function plansOf(url: string, schema = ''): Promise<Map<string, string>> {
  const explained = STATEMENTS.map(
    ([
      { name, text },
      params,
    ]) => `PREPARE ${name} AS ${text(postgresDialect)}; SELECT '-- ${name}'; SAVEPOINT before;
      EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE ${name}(${params}); ROLLBACK TO before`,
  );
  const steps = [setSettings('SESSION'), schema, 'BEGIN', A_RUSH, ...explained, 'ROLLBACK'];
  const [, ...plans] = (await psql(url, steps.join(';\n'))).split('-- ');
  return new Map(plans.map((plan) => [plan.slice(0, plan.indexOf('\n')), plan]));
}

/** How many pages of tables and indexes, or rows of anything, it looked at. */
function workOf(plan: string): number {
  const [, hit, read = 0] = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(plan) ?? [];
  const rows = [...plan.matchAll(/(?:actual rows=|Rows Removed by [\w ]+: )(\d+)(?: loops=(\d+))?/g)];
  const most = Math.max(...rows.map(([, count, loops = 1]) => Number(count) * Number(loops)));
  return Math.max(most, Number(hit) + Number(read));
}

describe.each([
  { statistics: 'that know of nothing', before: '' },
  { statistics: 'of an earlier sale', before: SOLD_LONG_AGO },
])('a rush with statistics $statistics', ({ before }) => {
  let url: string;
  let drop: () => Promise<void>;
  let plans: Map<string, string>;
  beforeAll(async () => {
    ({ url, drop } = await createTestDatabase());
    const address = parsePostgresUrl(url);
    if (!address) throw new Error('the test database has no address');
    await migratePostgres(address);
    await psql(url, `${A_SALE} ${before} VACUUM ANALYZE;`);
    plans = await plansOf(url);
  });
  afterAll(() => drop());

  it.each(STATEMENTS.map(([{ name }, , workMax = ONE_ROW_MAX]) => ({ name, workMax })))(
    'is not read through by $name',
    ({ name, workMax }) => {
      const plan = plans.get(name) ?? '';
      expect(workOf(plan), plan).toBeGreaterThan(0);
      expect(workOf(plan), plan).toBeLessThanOrEqual(workMax);
    },
  );

  it('would be read through by every hold, were everybody inside in an index by status alone', async () => {
    const schema = `CREATE INDEX simple ON places (concert_id) WHERE status = 'ACTIVE'; ANALYZE places`;
    const plan = (await plansOf(url, schema)).get('insert_reservation') ?? '';
    await psql(url, 'DROP INDEX simple');
    expect(workOf(plan), plan).toBeGreaterThan(ONE_ROW_MAX);
  });
});
