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

interface ConcertGrades {
  readonly all: readonly GradePrice[];
  readonly byDate: ReadonlyMap<string, readonly GradeSeats[]>;
}

/** Concerts and their dates in memory: every booking request needs them, and they hardly ever change. */
export function createConcertCache(sql: Sql) {
  const concerts = new Map<string, Concert>();
  const schedules = new Map<string, Schedule>();
  const schedulesByConcert = new Map<string, readonly Schedule[]>();
  const gradesByConcert = new Map<string, Promise<ConcertGrades>>();
  const readUntilStable = createReadUntilStable(sql);
  sql.subscribe(concertEdited, (concert) => concerts.set(concert.id, concert));
  sql.onFeedGap(() => {
    concerts.clear();
  });

  async function readConcert(concertId: string): Promise<Concert> {
    const concert = await readUntilStable(() => sql.reader.get(findConcert, [concertId]));
    if (!concert) throw new Refusal('CONCERT_NOT_FOUND');
    // An edit that was published during the read is newer than the row.
    const edited = concerts.get(concertId);
    if (edited) return edited;
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

  /** Concurrent callers share one read. */
  function cachedGrades(concertId: string): Promise<ConcertGrades> {
    const cached = gradesByConcert.get(concertId);
    if (cached) return cached;
    const grades = readGrades(concertId);
    gradesByConcert.set(concertId, grades);
    const forget = (): void => void gradesByConcert.delete(concertId);
    // Without dates there is no such concert yet.
    grades.then(({ byDate }) => {
      if (byDate.size === 0) forget();
    }, forget);
    return grades;
  }

  async function readGrades(concertId: string): Promise<ConcertGrades> {
    const rows = await sql.reader.all(listSectionsOf, [concertId]);
    const dates = rows.map(({ id, sections }) => [id, parseSections(sections)] as const);
    return {
      all: gradesOf(dates.flatMap(([, sections]) => sections)),
      byDate: new Map(dates.map(([id, sections]) => [id, seatsByGrade(sections)])),
    };
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
    gradesOf: async (concertId: string): Promise<readonly GradePrice[]> =>
      (await cachedGrades(concertId)).all,

    /** The grades and prices of one date with how many seats they have, highest price first. */
    gradesOfDate: async ({ id, concertId }: Schedule): Promise<readonly GradeSeats[]> =>
      (await cachedGrades(concertId)).byDate.get(id) ?? [],
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
