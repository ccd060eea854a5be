import { Refusal } from '../kernel/refusal.js';
import { createReadUntilStable, type Sql, topic } from '../platform/sql/index.js';
import {
  gradesOf,
  type GradePrice,
  type GradeSeats,
  seatsByGrade,
  type SectionSummary,
} from '../seating/index.js';
import {
  type ConcertRow,
  findConcert,
  findSchedule,
  listSchedulesOf,
  listSectionsOf,
  type ScheduleRow,
} from './queries.js';

export type Concert = Readonly<ConcertRow>;
export type Schedule = Readonly<ScheduleRow>;

/** A concert's title, venue, description or sale times changed. */
export const concertEdited = topic<Concert>('concert-edited');

/** Concerts and their dates in memory: every booking request needs them, and they hardly ever change. */
export function createConcertCache(sql: Sql) {
  const concerts = new Map<string, Concert>();
  const schedules = new Map<string, Schedule>();
  const schedulesByConcert = new Map<string, readonly Schedule[]>();
  const gradesByConcert = new Map<string, readonly GradePrice[]>();
  const gradesByDate = new Map<string, readonly GradeSeats[]>();
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

  const readCached = async (concertId: string): Promise<Concert> =>
    concerts.get(concertId) ?? readConcert(concertId);

  async function findCachedSchedule(scheduleId: string): Promise<Schedule> {
    const cached = schedules.get(scheduleId);
    if (cached) return cached;
    const row = await sql.reader.get(findSchedule, [scheduleId]);
    if (!row) throw new Refusal('SCHEDULE_NOT_FOUND');
    schedules.set(scheduleId, row);
    return row;
  }

  return {
    concert: readCached,

    /** Refuses a draft: to a fan it does not exist. */
    publishedConcert: async (concertId: string): Promise<Concert> => {
      const concert = await readCached(concertId);
      if (concert.state !== 'PUBLISHED') throw new Refusal('CONCERT_NOT_FOUND');
      return concert;
    },

    schedule: findCachedSchedule,

    /** Refuses a date of a draft. */
    publishedSchedule: async (scheduleId: string): Promise<Schedule> => {
      const schedule = await findCachedSchedule(scheduleId);
      const { state } = await readCached(schedule.concertId);
      if (state !== 'PUBLISHED') throw new Refusal('SCHEDULE_NOT_FOUND');
      return schedule;
    },

    async schedulesOf(concertId: string): Promise<readonly Schedule[]> {
      const cached = schedulesByConcert.get(concertId);
      if (cached) return cached;
      const rows = await sql.reader.all(listSchedulesOf, [concertId]);
      if (rows.length > 0) schedulesByConcert.set(concertId, rows);
      return rows;
    },

    /** The grades and prices of all dates, highest price first. */
    async gradesOf(concertId: string): Promise<readonly GradePrice[]> {
      const cached = gradesByConcert.get(concertId);
      if (cached) return cached;
      const rows = await sql.reader.all(listSectionsOf, [concertId]);
      const grades = gradesOf(rows.flatMap(({ sections }) => parseSections(sections)));
      if (rows.length > 0) gradesByConcert.set(concertId, grades);
      return grades;
    },

    /** The grades and prices of one date with how many seats they have, highest price first. */
    async gradesOfDate({ id, concertId }: Schedule): Promise<readonly GradeSeats[]> {
      if (!gradesByDate.has(id))
        for (const row of await sql.reader.all(listSectionsOf, [concertId]))
          gradesByDate.set(row.id, seatsByGrade(parseSections(row.sections)));
      return gradesByDate.get(id) ?? [];
    },
  };
}

export const parseSections = (json: string): SectionSummary[] => JSON.parse(json) as SectionSummary[];

export type ConcertCache = ReturnType<typeof createConcertCache>;

/** When the sale closes: at `salesCloseAt`, and at the latest when the last date begins. */
export const saleClosesAtMs = ({
  salesCloseAtMs,
  lastStartsAtMs,
}: Pick<Concert, 'salesCloseAtMs' | 'lastStartsAtMs'>): number =>
  Math.min(salesCloseAtMs ?? Infinity, lastStartsAtMs);

export function saleState(
  sale: Pick<Concert, 'salesOpenAtMs' | 'salesCloseAtMs' | 'lastStartsAtMs'>,
  nowMs: number,
): 'NOT_OPEN' | 'OPEN' | 'CLOSED' {
  if (saleClosesAtMs(sale) <= nowMs) return 'CLOSED';
  if (sale.salesOpenAtMs !== null && sale.salesOpenAtMs > nowMs) return 'NOT_OPEN';
  return 'OPEN';
}
