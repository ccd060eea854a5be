import { Refusal } from '../kernel/refusal.js';
import type { Sql } from '../platform/sql/index.js';
import { concertEdited } from './topics.js';
import { createReadUntilStable } from '../platform/sql/read-until-stable.js';
import { type ConcertRow, findConcert, findSchedule, listSchedulesOf, type ScheduleRow } from './queries.js';

export type Concert = Readonly<ConcertRow>;
export type Schedule = Readonly<ScheduleRow>;

/**
 * The concerts and dates this process has met, kept in memory: they are asked for by every booking call and hardly ever
 * change. Seats and their state live on the seat boards.
 */
export interface ConcertCache {
  concert(concertId: string): Promise<Concert>;
  schedule(scheduleId: string): Promise<Schedule>;
  schedulesOf(concertId: string): Promise<readonly Schedule[]>;
}

export function createConcertCache(sql: Sql): ConcertCache {
  const concerts = new Map<string, Concert>();
  const schedules = new Map<string, Schedule>();
  const dates = new Map<string, readonly Schedule[]>();
  sql.subscribe(concertEdited, (concert) => concerts.set(concert.id, concert));
  const steadily = createReadUntilStable(sql);
  sql.onFeedGap(() => {
    concerts.clear();
    return Promise.resolve();
  });

  async function readConcert(concertId: string): Promise<Concert> {
    const row = await steadily(() => sql.reader.get(findConcert, [concertId]));
    if (!row) throw new Refusal('CONCERT_NOT_FOUND');
    // What was told meanwhile is newer.
    const told = concerts.get(concertId);
    if (told) return told;
    const { soldOut: _, ...concert } = row;
    concerts.set(concertId, concert);
    return concert;
  }

  return {
    concert: (concertId) => {
      const known = concerts.get(concertId);
      return known ? Promise.resolve(known) : readConcert(concertId);
    },

    async schedule(scheduleId) {
      const known = schedules.get(scheduleId);
      if (known) return known;
      const row = await sql.reader.get(findSchedule, [scheduleId]);
      if (!row) throw new Refusal('SCHEDULE_NOT_FOUND');
      schedules.set(scheduleId, row);
      return row;
    },

    async schedulesOf(concertId) {
      const known = dates.get(concertId);
      if (known) return known;
      const rows = await sql.reader.all(listSchedulesOf, [concertId]);
      if (rows.length > 0) dates.set(concertId, rows);
      return rows;
    },
  };
}

/** The sale's state at an instant: before it opens, while it is on, after it closed. */
export function saleState(
  sale: Pick<Concert, 'salesOpenAtMs' | 'salesCloseAtMs'>,
  nowMs: number,
): 'NOT_OPEN' | 'OPEN' | 'CLOSED' {
  if (sale.salesCloseAtMs !== null && sale.salesCloseAtMs <= nowMs) return 'CLOSED';
  if (sale.salesOpenAtMs !== null && sale.salesOpenAtMs > nowMs) return 'NOT_OPEN';
  return 'OPEN';
}
