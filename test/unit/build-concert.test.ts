import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createCatalog, type NewConcert, planConcert, writeBuild } from '../../src/catalog/index.js';
import { MINUTE_MS } from '../../src/kernel/time.js';
import { migrateSqlite, openSqlite, type Sql, statement } from '../../src/platform/sql/index.js';
import { memoryDirectory } from '../support/memory-directory.js';
import { weakenGuards } from '../support/sabotage/guard.js';

vi.mock('../../src/kernel/guard.js', () => import('../support/sabotage/guard.js'));

const SEATS = 2500;
const CONCERT: NewConcert = {
  title: 'T',
  venue: 'V',
  description: '',
  currency: 'KRW',
  timeZone: 'Asia/Seoul',
  runningMinutes: null,
  minAge: null,
  refundRules: '[]',
  state: 'PUBLISHED',
  salesOpenAtMs: null,
  salesCloseAtMs: null,
  schedules: [{ startsAtMs: 1, sections: [{ name: 'A', rows: 25, seatsPerRow: 100, grade: 'R', price: 1 }] }],
};

const countRows = statement<[], { concerts: number; schedules: number; seats: number }>(
  'count_rows',
  `SELECT (SELECT count(*) FROM concerts) AS concerts, (SELECT count(*) FROM schedules) AS schedules,
     (SELECT count(*) FROM seats) AS seats`,
);

async function openStore(): Promise<{ readonly sql: Sql; readonly advance: (ms: number) => void }> {
  const file = join(memoryDirectory(), 'foyer.db');
  await migrateSqlite(file);
  let nowMs = 1_000_000;
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

beforeEach(() => {
  weakenGuards({});
});

describe('building a concert', () => {
  it('writes the seats in several transactions and shows the concert after the last one', async () => {
    const { sql } = await openStore();
    const { concertCache } = createCatalog({ sql });
    const build = planConcert(CONCERT);
    const { id, schedules } = build.added;
    let transactions = 0;
    const counting: Sql = Object.assign(Object.create(null) as object, {
      nowMs: () => sql.nowMs(),
      transaction: (work: Parameters<Sql['transaction']>[0]) => {
        transactions += 1;
        return sql.transaction(work);
      },
    }) as Sql;
    await writeBuild(counting, build);
    expect(transactions, 'one for the dates, one for every thousand seats').toBe(4);
    expect(await sql.reader.get(countRows, [])).toEqual({ concerts: 1, schedules: 1, seats: SEATS });
    await expect(concertCache.concert(id)).rejects.toMatchObject({ code: 'CONCERT_NOT_FOUND' });
    await expect(concertCache.schedule(schedules[0]?.id ?? '')).rejects.toMatchObject({
      code: 'SCHEDULE_NOT_FOUND',
    });
    await sql.transaction((tx) => build.complete(tx));
    expect(await concertCache.publishedConcert(id)).toMatchObject({ id, state: 'PUBLISHED' });
    expect(await concertCache.publishedSchedule(schedules[0]?.id ?? '')).toMatchObject({ seatsTotal: SEATS });
  });

  it('leaves nothing behind after a crash, once it is old enough', async () => {
    const { sql, advance } = await openStore();
    const catalog = createCatalog({ sql });
    await writeBuild(sql, planConcert(CONCERT));
    advance(9 * MINUTE_MS);
    await catalog.purgeBuilds();
    expect(await sql.reader.get(countRows, []), 'it may still be running').toMatchObject({ seats: SEATS });
    advance(2 * MINUTE_MS);
    await catalog.purgeBuilds();
    expect(await sql.reader.get(countRows, [])).toEqual({ concerts: 0, schedules: 0, seats: 0 });
  });

  it('purges no concert that was completed', async () => {
    const { sql, advance } = await openStore();
    const build = planConcert({ ...CONCERT, state: 'DRAFT' });
    await writeBuild(sql, build);
    await sql.transaction((tx) => build.complete(tx));
    advance(60 * MINUTE_MS);
    await createCatalog({ sql }).purgeBuilds();
    expect(await sql.reader.get(countRows, [])).toEqual({ concerts: 1, schedules: 1, seats: SEATS });
  });

  describe('that has been purged meanwhile', () => {
    async function completeAfterPurge(): Promise<void> {
      const { sql, advance } = await openStore();
      const build = planConcert(CONCERT);
      await writeBuild(sql, build);
      advance(11 * MINUTE_MS);
      await createCatalog({ sql }).purgeBuilds();
      await sql.transaction((tx) => build.complete(tx));
    }

    it('is refused', async () => {
      await expect(completeAfterPurge()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });

    it('is reported as added when the build-complete guard is removed', async () => {
      weakenGuards({ 'build-complete': () => false });
      await expect(completeAfterPurge()).resolves.toBeUndefined();
    });
  });
});
