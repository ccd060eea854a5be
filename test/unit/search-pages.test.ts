import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import Database from 'better-sqlite3';
import { csvOf, readSales, reservationList } from '../../src/operator/sales/sales-lists.js';
import { migrateSqlite, openSqlite, type Sql } from '../../src/platform/sql/index.js';
import { NEWEST, type Position, type RowPage } from '../../src/platform/web/index.js';
import { memoryDirectory } from '../support/memory-directory.js';

/** More than one page of a search looks at. */
const RESERVATIONS = 45_000;
const SCANNED_PER_PAGE = 20_000;

/** One fan holds `A 1-<n>` at time n; another one has the oldest and the newest reservation. */
async function openSale(): Promise<Sql> {
  const file = join(memoryDirectory(), 'foyer.db');
  await migrateSqlite(file);
  const database = new Database(file);
  database.exec(`
    INSERT INTO users (id, email, email_key, name, role, password_hash, created_at) VALUES
      ('u', 'fan@x.example', 'fan@x.example', 'Fan', 'CUSTOMER', '', 1),
      ('rare', 'rare@x.example', 'rare@x.example', 'Rare', 'CUSTOMER', '', 1);
    INSERT INTO concerts (id, title, venue, description, currency, created_at) VALUES ('c', '', '', '', 'KRW', 1);
    INSERT INTO schedules (id, concert_id, starts_at, seats_total, sections) VALUES ('d', 'c', 1, 1, '[]');
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RESERVATIONS})
    INSERT INTO reservations (id, user_id, concert_id, schedule_id, seats, seat_labels, seat_count, amount, currency,
        consume_on, status, created_at, expires_at)
      SELECT 'r' || i, CASE WHEN i IN (1, ${RESERVATIONS}) THEN 'rare' ELSE 'u' END, 'c', 'd', '[]', 'A 1-' || i, 1, 1,
        'KRW', 'PAYMENT', 'EXPIRED', i, i FROM n;`);
  database.close();
  const sql = openSqlite({
    file,
    clock: Date.now,
    onFatal: (error) => {
      throw error;
    },
  });
  onTestFinished(() => sql.close());
  return sql;
}

describe('a search in a large sale', () => {
  it('looks at a limited number of reservations per page and finds all matches on later pages', async () => {
    const sql = await openSale();
    const pages: string[][] = [];
    for (let before: Position | null = NEWEST; before;) {
      const page: RowPage<{ id: string }> = await readSales(
        reservationList,
        { reader: sql.desk, nowMs: 0 },
        { concertId: 'c', q: 'RARE@' },
        before,
        50,
      );
      const { rows, next } = page;
      pages.push(rows.map(({ id }) => id));
      if (next) expect(next[0]).toBe(RESERVATIONS - pages.length * SCANNED_PER_PAGE + 1);
      before = next;
    }
    expect(pages).toEqual([[`r${RESERVATIONS}`], [], ['r1']]);
  });

  it('puts all matches into the CSV', async () => {
    const sql = await openSale();
    const lines: string[] = [];
    for await (const part of csvOf(
      reservationList,
      { reader: sql.desk, nowMs: 0 },
      { concertId: 'c', q: 'rare@' },
    ))
      lines.push(part);
    expect(lines.join('').trimEnd().split('\r\n')).toHaveLength(3);
  });

  it('ends a page at its limit when there are more matches', async () => {
    const sql = await openSale();
    const { rows, next } = await readSales(
      reservationList,
      { reader: sql.desk, nowMs: 0 },
      { concertId: 'c', q: 'a 1-' },
      NEWEST,
      2,
    );
    expect(rows.map(({ id }) => id)).toEqual([`r${RESERVATIONS}`, `r${RESERVATIONS - 1}`]);
    expect(next).toEqual([RESERVATIONS - 1, `r${RESERVATIONS - 1}`]);
  });
});
