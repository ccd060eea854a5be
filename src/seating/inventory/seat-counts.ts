import { assertDefined } from '../../kernel/assert.js';
import { SECOND_MS } from '../../kernel/time.js';
import type { Sql } from '../../platform/sql/index.js';
import { seatsChanged } from '../change-seats.js';
import { countAvailableByGrade, countUnsoldSeats, findUnsoldSeat } from '../queries.js';
import { gradeKey } from './seat-chart.js';
import type { SeatInventories } from './seat-inventories.js';
import type { SeatCounts } from './seat-inventory.js';

interface CountedDate {
  readonly counts: Promise<SeatCounts>;
  /** When the next of the counted holds expires. Unknown until the counts are read. */
  expiresAtMs: number;
}

/** Reading all seats of a date takes a while, so a change by another process shows after this time. */
const GRADE_COUNTS_MAX_AGE_MS = 2 * SECOND_MS;

interface GradeCounts {
  readonly readAtMs: number;
  readonly counts: Promise<ReadonlyMap<string, number>>;
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
  const counted = new Map<string, CountedDate>();
  const soldOut = new Map<string, Promise<boolean>>();
  const byGrade = new Map<string, GradeCounts>();

  sql.subscribe(seatsChanged, ({ scheduleId, change }) => {
    counted.delete(scheduleId);
    // A hold neither sells the last seat nor gives a sold one back.
    if (change.status !== 'HELD') soldOut.delete(scheduleId);
  });
  sql.onFeedGap(() => {
    counted.clear();
    soldOut.clear();
    byGrade.clear();
  });

  function count(scheduleId: string, total: number): CountedDate {
    const nowMs = sql.nowMs();
    const read = sql.reader.get(countUnsoldSeats, [scheduleId, nowMs]);
    const date: CountedDate = {
      expiresAtMs: Infinity,
      counts: read.then((row) => {
        const { unsold, held, nextExpiryMs } = assertDefined(row, 'an aggregate has a row');
        date.expiresAtMs = nextExpiryMs ?? Infinity;
        return { total, available: unsold - held, held, sold: total - unsold };
      }),
    };
    return date;
  }

  return {
    async of({ id, seatsTotal }: { readonly id: string; readonly seatsTotal: number }): Promise<SeatCounts> {
      const nowMs = sql.nowMs();
      const loaded = inventories.peek(id);
      if (loaded) return loaded.counts(nowMs);
      const cached = counted.get(id);
      if (cached && nowMs < cached.expiresAtMs) return cached.counts;
      const date = count(id, seatsTotal);
      cache(counted, id, date, date.counts);
      return date.counts;
    },

    /** Available seats by `gradeKey`: exact if the inventory is loaded, otherwise at most two seconds old. */
    async availableByGrade(scheduleId: string): Promise<ReadonlyMap<string, number>> {
      const nowMs = sql.nowMs();
      const loaded = inventories.peek(scheduleId);
      if (loaded) return loaded.availableByGrade(nowMs);
      const cached = byGrade.get(scheduleId);
      if (cached && nowMs < cached.readAtMs + GRADE_COUNTS_MAX_AGE_MS) return cached.counts;
      const counts = sql.desk
        .all(countAvailableByGrade, [scheduleId, nowMs])
        .then((rows) => new Map(rows.map((row) => [gradeKey(row), row.available])));
      cache(byGrade, scheduleId, { readAtMs: nowMs, counts }, counts);
      return counts;
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
