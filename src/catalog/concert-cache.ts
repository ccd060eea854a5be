import { Refusal } from '../kernel/refusal.js';
import { createReadUntilStable, type Sql, topic } from '../platform/sql/index.js';
import { type ConcertRow, findConcert, findSchedule, listSchedulesOf, type ScheduleRow } from './queries.js';

export type Concert = Readonly<ConcertRow>;
export type Schedule = Readonly<ScheduleRow>;

/** A concert's title, venue, description or sale times changed. */
export const concertEdited = topic<Concert>('concert-edited');

/** Concerts and their dates in memory: every booking request needs them, and they hardly ever change. */
export function createConcertCache(sql: Sql) {
  const concerts = new Map<string, Concert>();
  const schedules = new Map<string, Schedule>();
  const schedulesByConcert = new Map<string, readonly Schedule[]>();
  const readUntilStable = createReadUntilStable(sql);
  sql.subscribe(concertEdited, (concert) => concerts.set(concert.id, concert));
  sql.onFeedGap(() => {
    concerts.clear();
  });

  async function readConcert(concertId: string): Promise<Concert> {
    const row = await readUntilStable(() => sql.reader.get(findConcert, [concertId]));
    if (!row) throw new Refusal('CONCERT_NOT_FOUND');
    // An edit that was published during the read is newer than the row.
    const edited = concerts.get(concertId);
    if (edited) return edited;
    const { soldOut: _, ...concert } = row;
    concerts.set(concertId, concert);
    return concert;
  }

  return {
    concert: async (concertId: string): Promise<Concert> => concerts.get(concertId) ?? readConcert(concertId),

    async schedule(scheduleId: string): Promise<Schedule> {
      const cached = schedules.get(scheduleId);
      if (cached) return cached;
      const row = await sql.reader.get(findSchedule, [scheduleId]);
      if (!row) throw new Refusal('SCHEDULE_NOT_FOUND');
      schedules.set(scheduleId, row);
      return row;
    },

    async schedulesOf(concertId: string): Promise<readonly Schedule[]> {
      const cached = schedulesByConcert.get(concertId);
      if (cached) return cached;
      const rows = await sql.reader.all(listSchedulesOf, [concertId]);
      if (rows.length > 0) schedulesByConcert.set(concertId, rows);
      return rows;
    },
  };
}

export type ConcertCache = ReturnType<typeof createConcertCache>;

export function saleState(
  sale: Pick<Concert, 'salesOpenAtMs' | 'salesCloseAtMs'>,
  nowMs: number,
): 'NOT_OPEN' | 'OPEN' | 'CLOSED' {
  if (sale.salesCloseAtMs !== null && sale.salesCloseAtMs <= nowMs) return 'CLOSED';
  if (sale.salesOpenAtMs !== null && sale.salesOpenAtMs > nowMs) return 'NOT_OPEN';
  return 'OPEN';
}
