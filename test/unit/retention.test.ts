import { describe, expect, it } from 'vitest';
import { purgeAudit } from '../../src/audit/index.js';
import { purgeSamples } from '../../src/operator/index.js';
import { type Sql, statement } from '../../src/platform/sql/index.js';
import { createPurgeReservations } from '../../src/reservations/index.js';
import { STORES } from '../support/open-stores.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let statements = 0;
/** Prepared statements are cached by name, so each text needs its own. */
const nextName = (): string => `test_statement_${(statements += 1)}`;

const run = async (sql: Sql, ...commands: readonly string[]): Promise<void> => {
  for (const command of commands) await sql.transaction((tx) => tx.exec(statement(nextName(), command), []));
};

const read = (sql: Sql, query: string): Promise<{ value: string | number }[]> =>
  sql.reader.all(statement<[], { value: string | number }>(nextName(), query), []);

const values = async (sql: Sql, query: string): Promise<(string | number)[]> =>
  (await read(sql, query)).map(({ value }) => value);

/** Runs a purge until nothing is left, and returns how many times it ran. */
async function runOut(purge: () => Promise<boolean>): Promise<number> {
  let runs = 1;
  while (await purge()) runs += 1;
  return runs;
}

const CONCERT = `INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES ('c', 'T', 'V', '', 'KRW', 1)`;
const SCHEDULE = `INSERT INTO schedules (id, concert_id, starts_at, seats_total, sections) VALUES ('d', 'c', 1, 1, '[]')`;
const USER = `INSERT INTO users (id, email, email_key, name, role, password_hash, created_at) VALUES ('u', 'u', 'u', 'U', 'CUSTOMER', '', 1)`;

const reservation = (id: string, status: string, expiresAtMs: number): string =>
  `INSERT INTO reservations (id, user_id, concert_id, schedule_id, seats, seat_labels, seat_count, amount, currency, consume_on, status,
     created_at, expires_at)
   VALUES ('${id}', 'u', 'c', 'd', '[{"id":"seat-${id}"}]', '', 1, 1, 'KRW', 'PAYMENT', '${status}', 1, ${expiresAtMs})`;

for (const store of STORES) {
  describe(`retention on ${store.name}`, () => {
    it('deletes expired and released reservations that nothing refers to, and counts them', async () => {
      const sql = await store.open();
      const oldMs = sql.nowMs() - 31 * DAY_MS;
      const recentMs = sql.nowMs() - 29 * DAY_MS;
      await run(
        sql,
        CONCERT,
        SCHEDULE,
        USER,
        reservation('expired', 'EXPIRED', oldMs),
        reservation('released', 'CANCELLED', oldMs),
        reservation('refunded', 'CANCELLED', oldMs),
        reservation('confirmed', 'CONFIRMED', oldMs),
        reservation('unclaimed', 'EXPIRED', oldMs),
        reservation('recent', 'EXPIRED', recentMs),
        `INSERT INTO payments (id, number, reservation_id, user_id, concert_id, amount, receipt, paid_at, refunded_at)
           VALUES ('p', 'n', 'refunded', 'u', 'c', 1, '{}', 1, 2)`,
        `INSERT INTO seats (id, schedule_id, position, section, row_name, number, label, grade, price, status, reservation_id, held_until)
           VALUES ('seat-unclaimed', 'd', 0, 'S', 'R', 1, 'L', 'G', 1, 'HELD', 'unclaimed', ${oldMs})`,
      );
      const purge = createPurgeReservations({ sql, retentionMs: 30 * DAY_MS });
      expect(await purge()).toBe(false);
      expect(await values(sql, 'SELECT id AS value FROM reservations ORDER BY id')).toEqual([
        'confirmed',
        'recent',
        'refunded',
        'unclaimed',
      ]);
      const purged = 'SELECT expired * 10 + cancelled AS value FROM purged_reservations';
      expect(await values(sql, purged)).toEqual([11]);
      expect(await purge()).toBe(false);
      expect(await values(sql, purged)).toEqual([11]);
    });

    it('deletes reservations in batches, also behind many that are kept', async () => {
      const sql = await store.open();
      await run(sql, CONCERT, SCHEDULE, USER);
      const insertMany = statement<[rows: readonly { id: string }[], status: string, expiresAtMs: number]>(
        'test_insert_many',
        (
          dialect,
        ) => `INSERT INTO reservations (id, user_id, concert_id, schedule_id, seats, seat_labels, seat_count, amount, currency,
             consume_on, status, created_at, expires_at)
           SELECT n.id, 'u', 'c', 'd', '[]', '', 1, 1, 'KRW', 'PAYMENT', CAST($2 AS TEXT), 1, CAST($3 AS BIGINT)
           FROM ${dialect.rows('$1', { id: 'text' })} AS n`,
      );
      const rows = (prefix: string) => Array.from({ length: 700 }, (_, n) => ({ id: `${prefix}${n}` }));
      await sql.transaction(async (tx) => {
        await tx.exec(insertMany, [rows('refunded'), 'CANCELLED', 1]);
        await tx.exec(insertMany, [rows('expired'), 'EXPIRED', 2]);
      });
      await run(
        sql,
        `INSERT INTO payments (id, number, reservation_id, user_id, concert_id, amount, receipt, paid_at, refunded_at)
           SELECT id, id, id, 'u', 'c', 1, '{}', 1, 2 FROM reservations WHERE status = 'CANCELLED'`,
      );
      const purge = createPurgeReservations({ sql, retentionMs: DAY_MS });
      expect(await runOut(purge)).toBe(3);
      expect(await values(sql, 'SELECT count(*) AS value FROM reservations')).toEqual([700]);
      expect(await values(sql, 'SELECT expired AS value FROM purged_reservations')).toEqual([700]);
    });

    it('deletes old audit entries and keeps the others', async () => {
      const sql = await store.open();
      const insert = (id: string, atMs: number): string =>
        `INSERT INTO audit_entries (id, action, details, created_at) VALUES ('${id}', 'OPERATOR_ADDED', '{}', ${atMs})`;
      const nowMs = sql.nowMs();
      await run(sql, insert('old', nowMs - 11 * DAY_MS), insert('recent', nowMs - 9 * DAY_MS));
      expect(await purgeAudit(sql, 10 * DAY_MS)).toBe(false);
      expect(await values(sql, 'SELECT id AS value FROM audit_entries')).toEqual(['recent']);
    });

    it('condenses samples with their age, and deletes those of a reported sale later', async () => {
      const sql = await store.open();
      const nowMs = sql.nowMs() - (sql.nowMs() % (10 * MINUTE_MS));
      const sample = (concertId: string, atMs: number): string =>
        `INSERT INTO samples (concert_id, taken_at, waiting, active, joined_count, admitted_count, seats_held, seats_sold,
           revenue, peak_waiting, peak_active, wait_counts) VALUES ('${concertId}', ${atMs}, 0, 0, 0, 0, 0, 0, 0, 0, 0, '[]')`;
      const agesMs = [
        40 * DAY_MS,
        3 * DAY_MS,
        3 * DAY_MS - MINUTE_MS,
        DAY_MS,
        DAY_MS - MINUTE_MS,
        DAY_MS - MINUTE_MS - 10_000,
        HOUR_MS - 10_000,
        0,
      ];
      await run(
        sql,
        CONCERT,
        CONCERT.replace(`'c'`, `'reported'`),
        `INSERT INTO sale_reports (concert_id, closed_at, report, written_at) VALUES ('reported', 1, '{}', 1)`,
        ...agesMs.flatMap((ageMs) => [sample('c', nowMs - ageMs), sample('reported', nowMs - ageMs)]),
      );
      await runOut(() => purgeSamples(sql, 30 * DAY_MS));
      const agesOf = async (concertId: string): Promise<number[]> => {
        const query = `SELECT taken_at AS value FROM samples WHERE concert_id = '${concertId}' ORDER BY taken_at`;
        return (await values(sql, query)).map((takenAt) => nowMs - Number(takenAt));
      };
      const [oldest, ...condensed] = [
        40 * DAY_MS,
        3 * DAY_MS,
        DAY_MS,
        DAY_MS - MINUTE_MS,
        HOUR_MS - 10_000,
        0,
      ];
      expect(await agesOf('c')).toEqual([oldest, ...condensed]);
      expect(await agesOf('reported')).toEqual(condensed);
    });

    it('keeps the newest sample of a sale, whose totals a reopened sale continues', async () => {
      const sql = await store.open();
      const oldMs = 10_000;
      await run(
        sql,
        CONCERT,
        `INSERT INTO sale_reports (concert_id, closed_at, report, written_at) VALUES ('c', 1, '{}', 1)`,
        `INSERT INTO samples (concert_id, taken_at, waiting, active, joined_count, admitted_count, seats_held, seats_sold,
           revenue, peak_waiting, peak_active, wait_counts) VALUES ('c', ${oldMs}, 0, 0, 0, 0, 0, 0, 0, 7, 0, '[]')`,
      );
      await runOut(() => purgeSamples(sql, DAY_MS));
      expect(await values(sql, 'SELECT peak_waiting AS value FROM samples')).toEqual([7]);
    });
  });
}
