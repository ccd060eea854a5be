import type { Sql } from '../../platform/sql/index.js';
import { seatsChanged } from '../change-seats.js';
import { countUnsoldSeats, findUnsoldSeat } from '../queries.js';
import { gradeKey } from './seat-chart.js';
import type { SeatInventories } from './seat-inventories.js';
import type { SeatCounts } from './seat-inventory.js';

interface CountedSeats {
  readonly counts: SeatCounts;
  readonly availableByGrade: ReadonlyMap<string, number>;
}

interface CountedDate {
  readonly seats: Promise<CountedSeats>;
  /** When the next of the counted holds expires. Unknown until the counts are read. */
  expiresAtMs: number;
}

/** One date. */
interface DateSeats {
  readonly id: string;
  readonly seatsTotal: number;
}

/** Dates whose counts are cached. One takes a few hundred bytes. */
const COUNTED_DATES_MAX = 10_000;

/**
 * How many seats of a date are available, held and sold. Counts come from the inventory if it is loaded, otherwise from
 * the database: whoever only wants a number must not load a hundred thousand seats.
 *
 * A count from the database is cached until a seat of the date changes or one of its holds expires, so it is as exact as
 * the inventory.
 */
export function createSeatCounts(sql: Sql, inventories: SeatInventories) {
  const byDate = new Map<string, CountedDate>();
  const soldOut = new Map<string, Promise<boolean>>();

  sql.subscribe(seatsChanged, ({ scheduleId, change }) => {
    byDate.delete(scheduleId);
    // A hold neither sells the last seat nor gives a sold one back.
    if (change.status !== 'HELD') soldOut.delete(scheduleId);
  });
  sql.onFeedGap(() => {
    byDate.clear();
    soldOut.clear();
  });

  function count({ id, seatsTotal: total }: DateSeats): CountedDate {
    const read = sql.reader.all(countUnsoldSeats, [id, sql.nowMs()]);
    const date: CountedDate = {
      expiresAtMs: Infinity,
      seats: read.then((grades) => {
        date.expiresAtMs = Math.min(...grades.map(({ nextExpiryMs }) => nextExpiryMs ?? Infinity));
        const unsold = grades.reduce((sum, grade) => sum + grade.unsold, 0);
        const held = grades.reduce((sum, grade) => sum + grade.held, 0);
        return {
          counts: { total, available: unsold - held, held, sold: total - unsold },
          availableByGrade: new Map(grades.map((grade) => [gradeKey(grade), grade.unsold - grade.held])),
        };
      }),
    };
    return date;
  }

  /** From the database. */
  function counted(date: DateSeats, nowMs: number): Promise<CountedSeats> {
    const cached = byDate.get(date.id);
    if (cached && nowMs < cached.expiresAtMs) return cached.seats;
    const next = count(date);
    cache(byDate, date.id, next, next.seats);
    return next.seats;
  }

  return {
    async of(date: DateSeats): Promise<SeatCounts> {
      const nowMs = sql.nowMs();
      const loaded = inventories.peek(date.id);
      return loaded ? loaded.counts(nowMs) : (await counted(date, nowMs)).counts;
    },

    /** Available seats by `gradeKey`. */
    async availableByGrade(date: DateSeats): Promise<ReadonlyMap<string, number>> {
      const nowMs = sql.nowMs();
      const loaded = inventories.peek(date.id);
      return loaded ? loaded.availableByGrade(nowMs) : (await counted(date, nowMs)).availableByGrade;
    },

    /** Whether every seat of the date is SOLD. */
    async isSoldOut(scheduleId: string): Promise<boolean> {
      const cached = soldOut.get(scheduleId);
      if (cached) return cached;
      const answer = sql.reader.get(findUnsoldSeat, [scheduleId]).then((seat) => seat === undefined);
      cache(soldOut, scheduleId, answer, answer);
      return answer;
    },
  };
}

/** Drops the oldest entry when the cache is full, and an entry whose read fails. */
function cache<Entry>(
  entries: Map<string, Entry>,
  scheduleId: string,
  entry: Entry,
  read: Promise<unknown>,
): void {
  const [oldest] = entries.keys();
  if (entries.size >= COUNTED_DATES_MAX && oldest !== undefined) entries.delete(oldest);
  entries.set(scheduleId, entry);
  read.catch(() => {
    if (entries.get(scheduleId) === entry) entries.delete(scheduleId);
  });
}

export type SeatCounting = ReturnType<typeof createSeatCounts>;
