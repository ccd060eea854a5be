import Database from 'better-sqlite3';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrateSqlite, openSqlite, type Sql } from '../../src/platform/sql/index.js';
import {
  claimSeats,
  createSeatCounts,
  createSeatInventories,
  freeSeats,
  refundSeats,
  type ReservationSeats,
  sellSeats,
} from '../../src/seating/index.js';
import { memoryDirectory } from '../support/memory-directory.js';

const SEATS_PER_DATE = 10;
const DATES = ['d1', 'd2', 'd3', 'd4', 'd5'];
const START_MS = 1_000_000;

interface Hall {
  readonly sql: Sql;
  readonly advance: (ms: number) => void;
}

/** Five dates of ten seats; the seats of `d1` are `d1-0` to `d1-9`. */
async function openHall(): Promise<Hall> {
  const file = join(memoryDirectory(), 'foyer.db');
  await migrateSqlite(file);
  const database = new Database(file);
  database.exec(
    `INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES ('c', '', '', '', 'KRW', 1)`,
  );
  for (const date of DATES) {
    database
      .prepare(
        `INSERT INTO schedules (id, concert_id, starts_at, seats_total, sections) VALUES (?, 'c', 1, ?, '[]')`,
      )
      .run(date, SEATS_PER_DATE);
    for (let position = 0; position < SEATS_PER_DATE; position += 1)
      database
        .prepare(
          `INSERT INTO seats (id, schedule_id, position, section, row_name, number, label, grade, price, status)
           VALUES (?, ?, ?, 'A', '1', ?, ?, 'R', 1, 'AVAILABLE')`,
        )
        .run(`${date}-${position}`, date, position, position, `A 1-${position}`);
  }
  database.close();
  let nowMs = START_MS;
  const sql = openSqlite({
    file,
    clock: () => nowMs,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(() => sql.close());
  return { sql, advance: (ms) => void (nowMs += ms) };
}

const HOLD_MS = 60_000;

const hold = (sql: Sql, scheduleId: string, ...positions: number[]): Promise<void> =>
  sql.transaction((tx) => {
    const seatIds = positions.map((position) => `${scheduleId}-${position}`);
    const claim = { scheduleId, seatIds, reservationId: 'r', expiresAtMs: tx.nowMs + HOLD_MS };
    claimSeats(tx, [claim]);
    return Promise.resolve();
  });

const sell = (sql: Sql, seats: ReservationSeats): Promise<void> =>
  sql.transaction((tx) => {
    sellSeats(tx, [seats]);
    return Promise.resolve();
  });

/** A `Sql` whose reads return what they have read only after `release`. */
function withDelayedReads(sql: Sql): { readonly sql: Sql; readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const delayed: Sql = {
    isClustered: sql.isClustered,
    desk: sql.desk,
    reader: {
      async all(query, params) {
        const rows = await sql.reader.all(query, params);
        await released;
        return rows;
      },
      get: (query, params) => sql.reader.get(query, params),
    },
    nowMs: () => sql.nowMs(),
    transaction: (work, options) => sql.transaction(work, options),
    subscribe: (topic, onChange) => {
      sql.subscribe(topic, onChange);
    },
    onFeedGap: (reload) => {
      sql.onFeedGap(reload);
    },
    waitForChanges: () => sql.waitForChanges(),
    purgeChangeFeed: () => sql.purgeChangeFeed(),
    close: () => sql.close(),
  };
  return { sql: delayed, release };
}

describe('seat inventories', () => {
  it('keep no more seats in memory than the limit, however many dates are used', async () => {
    const { sql } = await openHall();
    const inventories = createSeatInventories(sql, 3 * SEATS_PER_DATE);
    for (const date of [...DATES, ...DATES]) {
      await inventories.of(date);
      expect(inventories.size().seats).toBeLessThanOrEqual(3 * SEATS_PER_DATE);
    }
    expect(inventories.size()).toEqual({ inventories: 3, seats: 30 });
  });

  it('evict the least recently used date first', async () => {
    const { sql } = await openHall();
    const inventories = createSeatInventories(sql, 2 * SEATS_PER_DATE);
    for (const date of ['d1', 'd2', 'd1', 'd3']) await inventories.of(date);
    expect(DATES.filter((date) => inventories.peek(date))).toEqual(['d1', 'd3']);
  });

  it('load a date that is larger than the limit', async () => {
    const { sql } = await openHall();
    const inventories = createSeatInventories(sql, 1);
    for (const date of ['d1', 'd2']) expect((await inventories.of(date)).size).toBe(SEATS_PER_DATE);
    expect(inventories.size()).toEqual({ inventories: 1, seats: SEATS_PER_DATE });
  });

  it('know changes that were made while the date was evicted', async () => {
    const { sql } = await openHall();
    const inventories = createSeatInventories(sql, SEATS_PER_DATE);
    await inventories.of('d1');
    await inventories.of('d2');
    await hold(sql, 'd1', 0, 1);
    expect((await inventories.of('d1')).counts(sql.nowMs())).toMatchObject({ available: 8, held: 2 });
  });

  it('know changes that are committed after the reload has read the seats and before it is done', async () => {
    const { sql } = await openHall();
    const delayed = withDelayedReads(sql);
    const inventories = createSeatInventories(delayed.sql, SEATS_PER_DATE);
    const reload = inventories.of('d1');
    await hold(sql, 'd1', 3);
    expect(inventories.peek('d1'), 'the reload is not done').toBeUndefined();
    delayed.release();
    expect((await reload).seatAt(3).status).toBe('HELD');
    await hold(sql, 'd1', 4);
    expect((await inventories.of('d1')).seatAt(4).status).toBe('HELD');
  });

  it('give an evicted inventory no more changes', async () => {
    const { sql } = await openHall();
    const inventories = createSeatInventories(sql, SEATS_PER_DATE);
    const evicted = await inventories.of('d1');
    await inventories.of('d2');
    await hold(sql, 'd1', 0);
    expect(evicted.counts(sql.nowMs()).held).toBe(0);
  });
});

describe('seat counts', () => {
  const date = { id: 'd1', seatsTotal: SEATS_PER_DATE };

  it('are exact after every change, without loading the seats', async () => {
    const { sql, advance } = await openHall();
    const inventories = createSeatInventories(sql);
    const counts = createSeatCounts(sql, inventories);
    const seats = { scheduleId: 'd1', seatIds: ['d1-0', 'd1-1'], reservationId: 'r' };
    expect(await counts.of(date)).toEqual({ total: 10, available: 10, held: 0, sold: 0 });
    await hold(sql, 'd1', 0, 1);
    expect(await counts.of(date)).toEqual({ total: 10, available: 8, held: 2, sold: 0 });
    await sell(sql, seats);
    expect(await counts.of(date)).toEqual({ total: 10, available: 8, held: 0, sold: 2 });
    await sql.transaction((tx) => refundSeats(tx, seats));
    expect(await counts.of(date)).toEqual({ total: 10, available: 10, held: 0, sold: 0 });
    await hold(sql, 'd1', 2);
    await sql.transaction((tx) => freeSeats(tx, ['d1-2'], ['r']));
    expect(await counts.of(date)).toEqual({ total: 10, available: 10, held: 0, sold: 0 });
    await hold(sql, 'd1', 3);
    expect((await counts.of(date)).held).toBe(1);
    advance(HOLD_MS);
    expect(await counts.of(date), 'the hold has expired').toMatchObject({ available: 10, held: 0 });
    expect(inventories.size()).toEqual({ inventories: 0, seats: 0 });
  });

  it('agree with the inventory when it is loaded', async () => {
    const { sql } = await openHall();
    const inventories = createSeatInventories(sql);
    const counts = createSeatCounts(sql, inventories);
    await hold(sql, 'd1', 0);
    const counted = await counts.of(date);
    await inventories.of('d1');
    expect(await counts.of(date)).toEqual(counted);
  });

  it('report a date as sold out exactly while every seat is sold', async () => {
    const { sql } = await openHall();
    const counts = createSeatCounts(sql, createSeatInventories(sql));
    const positions = Array.from({ length: SEATS_PER_DATE }, (_, position) => position);
    const seats = {
      scheduleId: 'd1',
      seatIds: positions.map((position) => `d1-${position}`),
      reservationId: 'r',
    };
    expect(await counts.isSoldOut('d1')).toBe(false);
    await hold(sql, 'd1', ...positions);
    expect(await counts.isSoldOut('d1')).toBe(false);
    await sell(sql, seats);
    expect(await counts.isSoldOut('d1')).toBe(true);
    await sql.transaction((tx) => refundSeats(tx, { ...seats, seatIds: ['d1-0'] }));
    expect(await counts.isSoldOut('d1')).toBe(false);
  });
});
