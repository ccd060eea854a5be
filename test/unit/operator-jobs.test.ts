import { describe, expect, it } from 'vitest';
import { createCatalog } from '../../src/catalog/index.js';
import { createOperator } from '../../src/operator/index.js';
import { createJwt } from '../../src/platform/jwt/index.js';
import { createStreamHub } from '../../src/platform/sse/index.js';
import { type Reader, type Sql, statement } from '../../src/platform/sql/index.js';
import { createSeating } from '../../src/seating/index.js';
import { createWaitingRoom, type Occupancy } from '../../src/waiting-room/index.js';
import { STORES } from '../support/open-stores.js';

const MINUTE_MS = 60_000;

const listReports = statement<[], { concertId: string }>(
  'list_test_reports',
  `SELECT concert_id AS "concertId" FROM sale_reports ORDER BY closed_at`,
);
const listSampled = statement<[], { concertId: string }>(
  'list_test_samples',
  `SELECT DISTINCT concert_id AS "concertId" FROM samples`,
);
const insertFan = statement<[id: string]>(
  'insert_test_fan',
  `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
   VALUES ($1, $1, $1, 'N', 'CUSTOMER', 'H', 1)`,
);
const insertHold = statement<[userId: string, concertId: string, scheduleId: string, expiresAtMs: number]>(
  'insert_test_hold',
  `INSERT INTO reservations (id, user_id, concert_id, schedule_id, seats, seat_labels, seat_count, amount, currency,
     consume_on, status, created_at, expires_at)
   VALUES ($1, $1, $2, $3, '[]', '', 1, 1, 'KRW', 'RESERVATION', 'HELD', 1, $4)`,
);

interface Faults {
  /** Concerts and dates whose figures cannot be read. */
  readonly failing: Set<string>;
  /** Concerts with an ACTIVE fan. */
  readonly active: Set<string>;
}

for (const store of STORES) {
  describe(`the operator's jobs on ${store.name}`, () => {
    async function open() {
      const sql = await store.open();
      const counted: string[] = [];
      const hub = createStreamHub({ maxStreams: 1 });
      const catalog = createCatalog({ sql });
      const faults: Faults = { failing: new Set(), active: new Set() };
      const { counts, ...seating } = createSeating({ sql, hub });
      const countsOf: typeof counts.of = (date) =>
        faults.failing.has(date.id) ? Promise.reject(new Error('this date fails')) : counts.of(date);
      const real = createWaitingRoom({
        sql,
        jwt: createJwt('a-secret-for-tests-only'),
        hub,
        concertCache: catalog.concertCache,
        requireUser: () => Promise.resolve(),
        endedRetentionMs: 2 * 3600 * 1000,
        isRevoked: () => false,
        isErased: () => false,
        events: { admitted: () => undefined, ended: () => undefined },
        onPlaceEnded: () => undefined,
        onError: (error) => {
          throw error;
        },
      });
      const activeIn = (concertId: string): number => Number(faults.active.has(concertId));
      const waitingRoom: typeof real = {
        ...real,
        occupancy: () =>
          real.occupancy().map((each): Occupancy => ({ ...each, active: activeIn(each.concertId) })),
        async statsOf(concertId) {
          if (faults.failing.has(concertId)) throw new Error('this sale fails');
          return { ...(await real.statsOf(concertId)), active: activeIn(concertId) };
        },
      };
      const failures: string[] = [];
      const clock = { aheadMs: 0 };
      const operator = createOperator({
        sql: observed(sql, counted, clock),
        currency: 'KRW',
        timeZone: 'Asia/Seoul',
        catalog,
        seating: { ...seating, counts: { ...counts, of: countsOf } },
        waitingRoom,
        refund: () => Promise.reject(new Error('not used')),
        onError: (_error, concertId) => void failures.push(concertId),
      });

      /** A sale with one seat. */
      async function addSale(closesInMs: number) {
        const salesCloseAt = new Date(sql.nowMs() + closesInMs).toISOString();
        const startsAt = new Date(sql.nowMs() + 24 * 60 * MINUTE_MS).toISOString();
        const sections = [{ name: 'A', rows: 1, seatsPerRow: 1, grade: 'R', price: 1 }];
        const { id, schedules } = await sql.transaction((tx) =>
          operator.createConcert(tx, {
            title: 'T',
            venue: 'V',
            salesCloseAt,
            schedules: [{ startsAt, sections }],
          }),
        );
        return { concertId: id, scheduleId: schedules[0]?.id ?? '' };
      }
      const addClosedSale = (agoMs: number) => addSale(-agoMs);
      const reported = async (): Promise<string[]> =>
        (await sql.reader.all(listReports, [])).map(({ concertId }) => concertId);
      return { sql, operator, faults, failures, counted, clock, addSale, addClosedSale, reported };
    }

    it('reports a sale once no fan is active and nothing is held, and asks so before it counts seats', async () => {
      const { sql, operator, faults, counted, addClosedSale, reported } = await open();
      const [active, held, settled] = [
        await addClosedSale(3000),
        await addClosedSale(2000),
        await addClosedSale(1000),
      ];
      faults.active.add(active.concertId);
      await sql.transaction(async (tx) => {
        await tx.exec(insertFan, ['fan']);
        await tx.exec(insertHold, ['fan', held.concertId, held.scheduleId, tx.nowMs + MINUTE_MS]);
      });
      await operator.reports.write();
      expect(await reported()).toEqual([settled.concertId]);
      expect(counted).toEqual([settled.scheduleId]);
      faults.active.clear();
      await operator.reports.write();
      expect(await reported()).toEqual([active.concertId, settled.concertId]);
    });

    it('reports a sale after an hour although a fan is still active', async () => {
      const { operator, faults, addClosedSale, reported } = await open();
      const { concertId } = await addClosedSale(61 * MINUTE_MS);
      faults.active.add(concertId);
      await operator.reports.write();
      expect(await reported()).toEqual([concertId]);
    });

    it('reports a sale although more than one run can write are unsettled or fail', async () => {
      const { operator, faults, failures, addClosedSale, reported } = await open();
      for (let count = 0; count < 210; count += 1) {
        const { concertId } = await addClosedSale(MINUTE_MS);
        (count % 10 === 0 ? faults.failing : faults.active).add(concertId);
      }
      const { concertId } = await addClosedSale(1000);
      await operator.reports.write();
      expect(await reported()).toEqual([concertId]);
      expect(new Set(failures)).toEqual(faults.failing);
    });

    it('samples every sale except one that cannot be counted', async () => {
      const { sql, operator, faults, failures, clock, addSale } = await open();
      const sales = [await addSale(MINUTE_MS), await addSale(MINUTE_MS), await addSale(MINUTE_MS)];
      const [first, failing, last] = sales.map(({ concertId }) => concertId);
      faults.failing.add(sales[1]?.scheduleId ?? '');
      clock.aheadMs = 10_000;
      await operator.history.sample();
      const sampled = await sql.reader.all(listSampled, []);
      expect(new Set(sampled.map(({ concertId }) => concertId))).toEqual(new Set([first, last]));
      expect(failures).toEqual([failing]);
    });
  });
}

/** Records the dates whose seats are counted for a report. Its clock can be ahead of the database's. */
function observed(sql: Sql, counted: string[], clock: { readonly aheadMs: number }): Sql {
  const desk: Reader = {
    get: (query, params) => sql.desk.get(query, params),
    all: (query, params) => {
      const [scheduleId] = params;
      if (query.name === 'count_seats_by_grade' && typeof scheduleId === 'string') counted.push(scheduleId);
      return sql.desk.all(query, params);
    },
  };
  return new Proxy(sql, {
    get(target, member) {
      if (member === 'desk') return desk;
      if (member === 'nowMs') return () => sql.nowMs() + clock.aheadMs;
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
