import { type Catalog, saleState } from '../catalog/index.js';
import { HOUR_MS, iso, SECOND_MS } from '../kernel/time.js';
import type { Reader, Sql } from '../platform/sql/index.js';
import type { Occupancy, WaitingRoom } from '../waiting-room/index.js';
import type { CountSeats } from './count-seats.js';
import {
  forgetSamples,
  insertSamples,
  listSampled,
  listSamples,
  type NewSample,
  type SampleRow,
} from './history-queries.js';

export const SAMPLE_EVERY_SECONDS = 10;
const PERIOD_MS = SAMPLE_EVERY_SECONDS * SECOND_MS;
const SHOWN_MS = HOUR_MS;
const KEPT_MS = 2 * HOUR_MS;
/** The fullest sales first, then the newest: however many concerts there are, a round stays short. */
const SAMPLED_MAX = 100;

export interface History {
  /** To be called several times a period: takes one sample of each sale when a period has ended. */
  sample(): Promise<void>;
  /** Forgets what is older than anybody is shown. */
  purge(): Promise<void>;
}

export function createHistory(deps: {
  readonly sql: Sql;
  readonly catalog: Pick<Catalog, 'concertCache'>;
  readonly waitingRoom: Pick<WaitingRoom, 'occupancy'>;
  readonly countSeats: CountSeats;
}): History {
  const { sql, catalog, waitingRoom, countSeats } = deps;
  const periodAt = (nowMs: number): number => nowMs - (nowMs % PERIOD_MS);
  /** A process that starts amid a period leaves it to those that have seen all of it. */
  let lastPeriodMs = periodAt(sql.nowMs());

  async function isWatched({ concertId, waiting, active }: Occupancy): Promise<boolean> {
    if (waiting + active > 0) return true;
    return saleState(await catalog.concertCache.concert(concertId), sql.nowMs()) === 'OPEN';
  }

  async function watched(): Promise<Occupancy[]> {
    const busiest = waitingRoom
      .occupancy()
      .sort((a, b) => b.waiting + b.active - (a.waiting + a.active) || (a.concertId < b.concertId ? 1 : -1));
    const occupancy: Occupancy[] = [];
    for (const crowd of busiest) {
      if (occupancy.length === SAMPLED_MAX) break;
      if (await isWatched(crowd)) occupancy.push(crowd);
    }
    return occupancy;
  }

  return {
    async sample() {
      const takenAtMs = periodAt(sql.nowMs());
      if (takenAtMs <= lastPeriodMs) return;
      lastPeriodMs = takenAtMs;
      await sql.waitForChanges();
      const taken = await sql.reader.all(listSampled, [takenAtMs]);
      const done = new Set(taken.map(({ concertId }) => concertId));
      const samples: NewSample[] = [];
      for (const { concertId, waiting, active } of await watched()) {
        if (done.has(concertId)) continue;
        const { seatsHeld, seatsSold } = await countSeats(concertId);
        samples.push({ concert_id: concertId, waiting, active, held: seatsHeld, sold: seatsSold });
      }
      if (samples.length === 0) return;
      await sql.transaction((tx) => tx.exec(insertSamples, [takenAtMs, samples]));
    },

    async purge() {
      await sql.transaction((tx) => tx.exec(forgetSamples, [tx.nowMs - KEPT_MS]));
    },
  };
}

/** The last hour, oldest first. */
export async function readHistory(reader: Reader, concertId: string, nowMs: number) {
  const sinceMs = nowMs - SHOWN_MS;
  const rows = await reader.all(listSamples, [concertId, sinceMs]);
  return rows
    .map((row, index) => toItem(row, rows[index - 1] ?? NOTHING_YET))
    .filter(({ takenAtMs }) => takenAtMs > sinceMs)
    .map(({ takenAtMs, ...item }) => ({ at: iso(takenAtMs), ...item }));
}

const NOTHING_YET = { joinedCount: 0, admittedCount: 0 };

/** How many came in a period is the difference to the sample before it. */
function toItem(
  { joinedCount, admittedCount, ...row }: SampleRow,
  before: Pick<SampleRow, 'joinedCount' | 'admittedCount'>,
) {
  return {
    ...row,
    admitted: admittedCount - before.admittedCount,
    joined: joinedCount - before.joinedCount,
  };
}
