import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as catalog from '../../src/catalog/queries.js';
import * as idempotency from '../../src/http/idempotency/queries.js';
import * as payments from '../../src/payments/queries.js';
import {
  type BatchStatement,
  migratePostgres,
  parsePostgresUrl,
  type Statement,
} from '../../src/platform/sql/index.js';
import { setSettings } from '../../src/platform/sql/postgres/connection.js';
import { batchTextOf, postgresDialect } from '../../src/platform/sql/postgres/dialect.js';
import * as reservations from '../../src/reservations/queries.js';
import * as seating from '../../src/seating/queries.js';
import { listPurgeableQueues } from '../../src/waiting-room/admission/purge-queries.js';
import * as closing from '../../src/waiting-room/closing/queries.js';
import * as waitingRoom from '../../src/waiting-room/queries.js';
import * as wallet from '../../src/wallet/queries.js';
import { createTestDatabase, psql } from '../support/postgres/index.js';

// Row ids are numbers: 1 to EARLIER belong to an earlier sale, the next LIVE to the current sale.
const EARLIER = 500;
/** Rows written after the last ANALYZE. Even ids: ACTIVE with a hold. Odd ids: WAITING, and an AVAILABLE seat. */
const LIVE = 10_000;
const ACTIVE_ID = 5000;
const WAITING_ID = 5001;
/** Work limit for a statement about one row; the other statements name their own limit. */
const ONE_ROW_MAX = 100;

const PLACES =
  'id, concert_id, user_id, number, status, joined_at, activated_at, expires_at, last_seen_at, ended_at';
const SEATS =
  'id, schedule_id, position, section, row_name, number, label, grade, price, status, reservation_id, held_until';
const RESERVATIONS =
  'id, user_id, concert_id, schedule_id, seats, seat_count, amount, currency, consume_on, status, created_at, expires_at, seat_labels';

const SALE_SQL = `
  INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
    SELECT n, n, n, n, 'CUSTOMER', '', 1 FROM generate_series(1, ${EARLIER + LIVE}) n;
  INSERT INTO wallets (user_id, balance, entry_count) SELECT id, 0, 0 FROM users;
  INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES ('c', '', '', '', 'KRW', 1);
  INSERT INTO schedules (id, concert_id, starts_at, seats_total, sections) VALUES ('d', 'c', 1, ${EARLIER + LIVE}, '[]');
  INSERT INTO queues (concert_id, last_number, admitted_through, active_seconds, consume_on, hold_seconds,
      max_seats_per_user, paused, close_when_sold_out, closes_at)
    VALUES ('c', ${EARLIER + LIVE}, ${EARLIER}, 60, 'PAYMENT', 60, 4, 0, 1, 9);`;
const EARLIER_SALE_SQL = `
  INSERT INTO places (${PLACES}) SELECT n, 'c', n, n, 'DONE', 1, 1, 1, 1, 1 FROM generate_series(1, ${EARLIER}) n;
  INSERT INTO seats (${SEATS}) SELECT n, 'd', n, 'S', 'R', n, n, 'G', 1, 'SOLD', n, NULL
    FROM generate_series(1, ${EARLIER}) n;
  INSERT INTO reservations (${RESERVATIONS}) SELECT n, n, 'c', 'd', '[]', 1, 1, 'KRW', 'PAYMENT', 'CONFIRMED', 1, 1, ''
    FROM generate_series(1, ${EARLIER}) n;`;

const liveIds = `generate_series(${EARLIER + 1}, ${EARLIER + LIVE}) n`;
const RUSH_SQL = `
  INSERT INTO places (${PLACES}) SELECT n, 'c', n, n, CASE n % 2 WHEN 0 THEN 'ACTIVE' ELSE 'WAITING' END, 2,
    CASE n % 2 WHEN 0 THEN 2 END, CASE n % 2 WHEN 0 THEN 9 END, CASE n % 2 WHEN 0 THEN 2 END, NULL FROM ${liveIds};
  INSERT INTO seats (${SEATS}) SELECT n, 'd', n, 'S', 'R', n, n, 'G', 1, CASE n % 2 WHEN 0 THEN 'HELD' ELSE 'AVAILABLE' END,
    CASE n % 2 WHEN 0 THEN n END, CASE n % 2 WHEN 0 THEN 9 END FROM ${liveIds};
  INSERT INTO reservations (${RESERVATIONS}) SELECT n, n, 'c', 'd', '[]', 1, 1, 'KRW', 'PAYMENT', 'HELD', 2, 9, ''
    FROM ${liveIds} WHERE n % 2 = 0;`;

const LAST_SEEN = Array.from({ length: 1000 }, (_, index) => ({
  id: String(ACTIVE_ID + 2 * index),
  seen: 5,
}));
const JOINERS = Array.from({ length: 60 }, (_, index) => String(LIVE + index));

/** As many rows as a batch has, by ids of ACTIVE places, held seats and reservations. */
const BATCH_IDS = Array.from({ length: 64 }, (_, index) => `'${ACTIVE_ID + 2 * index}'`);
const BATCH = `ARRAY[${BATCH_IDS.join(', ')}]`;
const BATCH_WORK_MAX = 25 * BATCH_IDS.length;
const NEW_IDS = `ARRAY[${BATCH_IDS.map((_, index) => `'new ${index}'`).join(', ')}]`;
const repeated = (value: string): string => `ARRAY[${BATCH_IDS.map(() => value).join(', ')}]`;
const batch = <Columns extends BatchStatement['columns']>(command: BatchStatement<Columns>) => ({
  name: command.name,
  text: () => batchTextOf(command),
});

/** The statements of a rush with their parameters as SQL and their work limit, by default `ONE_ROW_MAX`. */
const STATEMENTS: readonly (readonly [Pick<Statement<never, unknown>, 'name' | 'text'>, string, number?])[] =
  [
    [
      waitingRoom.insertPlaces,
      `'c', '${JSON.stringify(JOINERS.map((user_id, turn) => ({ id: `new ${user_id}`, user_id, turn })))}', 3`,
      25 * JOINERS.length,
    ],
    [waitingRoom.advanceLastNumber, `'c'`],
    [waitingRoom.findJoiners, `'c', ARRAY['${JOINERS.join("', '")}']`, 10 * JOINERS.length],
    [waitingRoom.admitNext, `'c', ${EARLIER}, 10, 3, 9`, 300],
    [waitingRoom.countActive, `'c', 3, 0, -1`, LIVE],
    [waitingRoom.countAdmittedSince, `'c', 1`, LIVE],
    [waitingRoom.expirePlaces, `'c', 3, 0, -1, 100`, LIVE],
    [waitingRoom.updateLastSeen, `'${JSON.stringify(LAST_SEEN)}'`, 25 * LAST_SEEN.length],
    [waitingRoom.leaveWaiting, `'${WAITING_ID}', 3`],
    [waitingRoom.leaveActive, `'${ACTIVE_ID}', 3`],
    [batch(waitingRoom.markPlacesDone), `${BATCH}, ${repeated('3')}`, BATCH_WORK_MAX],
    [waitingRoom.lockPlaces, BATCH, BATCH_WORK_MAX],
    [waitingRoom.findLivePlace, `'${ACTIVE_ID}', 'c'`],
    [waitingRoom.lockLivePlaces, `${BATCH}, ARRAY['c']`, BATCH_WORK_MAX],
    [listPurgeableQueues, `2`],
    [closing.findSoldOut, `'c', 0`],
    [closing.listNewlySoldOut, `0`],
    [closing.markClosed, `'c', ${EARLIER}, ${EARLIER + 100}, 3`, 1000],
    [closing.markClosedOf, `'c', ARRAY['${JOINERS.join("', '")}'], 3`, 10 * JOINERS.length],
    // Counts what it reads: half of the unsold seats are held.
    [seating.countUnsoldSeats, `'d', 3`, 2 * LIVE],
    [seating.findSeat, `'${ACTIVE_ID}'`],
    [seating.findUnsoldSeat, `'d'`],
    [seating.lockSeats, BATCH, BATCH_WORK_MAX],
    [batch(seating.claimSeats), `${BATCH}, ${BATCH}, ${repeated('20')}, ${repeated('9')}`, BATCH_WORK_MAX],
    [batch(seating.sellSeats), `${BATCH}, ${BATCH}, ${repeated('3')}`, BATCH_WORK_MAX],
    [batch(seating.releaseSeats), `${BATCH}, ${BATCH}`, BATCH_WORK_MAX],
    [seating.freeSeats, `ARRAY['${ACTIVE_ID}'], ARRAY['${ACTIVE_ID}']`],
    [catalog.lockSaleEnds, `ARRAY['c']`],
    [reservations.listSeatCounts, `${BATCH}, ARRAY['d']`, BATCH_WORK_MAX],
    [reservations.lockReservations, BATCH, BATCH_WORK_MAX],
    [batch(reservations.confirmReservations), `${BATCH}, ${repeated('3')}`, BATCH_WORK_MAX],
    [batch(reservations.cancelReservations), `${BATCH}, ${repeated('3')}`, BATCH_WORK_MAX],
    [
      batch(reservations.insertReservations),
      `${NEW_IDS}, ${BATCH}, ${repeated(`'c'`)}, ${repeated(`'d'`)}, ${repeated(`'[]'`)}, ${repeated(`''`)}, ${repeated('1')},
       ${repeated('1')}, ${repeated(`'KRW'`)}, ${repeated(`'PAYMENT'`)}, ${repeated('3')}, ${repeated('9')}`,
      BATCH_WORK_MAX,
    ],
    [reservations.expireReservations, `ARRAY['${ACTIVE_ID}'], 9`],
    [reservations.expireReservationsSkipLocked, `ARRAY['${ACTIVE_ID}'], 9`],
    [reservations.listExpiredReservations, `9, 10`],
    [wallet.lockWallets, BATCH, BATCH_WORK_MAX],
    [batch(wallet.changeWallets), `${BATCH}, ${repeated('1')}, ${repeated('1')}`, BATCH_WORK_MAX],
    [
      batch(wallet.insertEntries),
      `${BATCH}, ${repeated('1')}, ${BATCH}, ${repeated(`'CHARGE'`)}, ${repeated('1')}, ${repeated('1')}, ${repeated('NULL')},
       ${repeated('3')}`,
      BATCH_WORK_MAX,
    ],
    [
      batch(payments.insertPayments),
      `${NEW_IDS}, ${NEW_IDS}, ${BATCH}, ${BATCH}, ${repeated(`'c'`)}, ${repeated('1')}, ${repeated(`'{}'`)}, ${repeated('3')}`,
      BATCH_WORK_MAX,
    ],
    [
      batch(idempotency.storeResponses),
      `${BATCH}, ${repeated(`'key'`)}, ${repeated(`'hash'`)}, ${repeated('201')}, ${repeated(`'{}'`)}, ${repeated('3')}`,
      BATCH_WORK_MAX,
    ],
  ];

/** Returns the executed plan of every statement by its name, with the session settings of Foyer. */
async function plansOf(url: string, schemaChange = ''): Promise<Map<string, string>> {
  const explained = STATEMENTS.map(
    ([
      { name, text },
      params,
    ]) => `PREPARE ${name} AS ${text(postgresDialect)}; SELECT '-- ${name}'; SAVEPOINT before;
      EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE ${name}(${params}); ROLLBACK TO before`,
  );
  const steps = [setSettings('SESSION'), schemaChange, 'BEGIN', RUSH_SQL, ...explained, 'ROLLBACK'];
  const [, ...plans] = (await psql(url, steps.join(';\n'))).split('-- ');
  return new Map(plans.map((plan) => [plan.slice(0, plan.indexOf('\n')), plan]));
}

/** The number of pages, or of rows in any plan node, that the statement processed; the larger of the two. */
function workOf(plan: string): number {
  const [, hit, read = 0] = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(plan) ?? [];
  const rows = [...plan.matchAll(/(?:actual rows=|Rows Removed by [\w ]+: )(\d+)(?: loops=(\d+))?/g)];
  const rowsMax = Math.max(...rows.map(([, count, loops = 1]) => Number(count) * Number(loops)));
  return Math.max(rowsMax, Number(hit) + Number(read));
}

describe.each([
  { statistics: 'of empty tables', before: '' },
  { statistics: 'of an earlier sale', before: EARLIER_SALE_SQL },
])('query plans during a rush, with statistics $statistics', ({ before }) => {
  let url: string;
  let drop: () => Promise<void>;
  let plans: Map<string, string>;
  beforeAll(async () => {
    ({ url, drop } = await createTestDatabase());
    const address = parsePostgresUrl(url);
    if (!address) throw new Error('invalid URL of the test database');
    await migratePostgres(address);
    await psql(url, `${SALE_SQL} ${before} VACUUM ANALYZE;`);
    plans = await plansOf(url);
  });
  afterAll(() => drop());

  it.each(STATEMENTS.map(([{ name }, , workMax = ONE_ROW_MAX]) => ({ name, workMax })))(
    'keep the work of $name within its limit',
    ({ name, workMax }) => {
      const plan = plans.get(name) ?? '';
      expect(workOf(plan), plan).toBeGreaterThan(0);
      expect(workOf(plan), plan).toBeLessThanOrEqual(workMax);
    },
  );

  it('make a payment scan all ACTIVE places if they are indexed by status alone', async () => {
    const schemaChange = `CREATE INDEX by_status ON places (concert_id) WHERE status = 'ACTIVE'; ANALYZE places`;
    const plan = (await plansOf(url, schemaChange)).get(waitingRoom.markPlacesDone.name) ?? '';
    await psql(url, 'DROP INDEX by_status');
    expect(workOf(plan), plan).toBeGreaterThan(BATCH_WORK_MAX);
  });
});
