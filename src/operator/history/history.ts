import { Type } from 'typebox';
import { type Catalog, saleState } from '../../catalog/index.js';
import { HOUR_MS, iso, SECOND_MS } from '../../kernel/time.js';
import type { Reader, Sql } from '../../platform/sql/index.js';
import { Amount, closed, Count, Timestamp } from '../../platform/web/index.js';
import type { Occupancy, WaitingRoom } from '../../waiting-room/index.js';
import type { CountSeats } from '../concerts/count-seats.js';
import {
  insertSamples,
  listSampledConcerts,
  listSamples,
  type NewSample,
  type SampleRow,
} from './queries.js';
import { NO_TOTALS, readTotalsForSample } from './sale-totals.js';

export const SAMPLE_EVERY_SECONDS = 10;
const PERIOD_MS = SAMPLE_EVERY_SECONDS * SECOND_MS;
const SHOWN_MS = HOUR_MS;
/** Bounds the work of one period. Concerts with the most people come first, then the newest. */
const SAMPLED_CONCERTS_MAX = 100;

export const HistorySchema = closed({
  everySeconds: Count,
  items: Type.Array(
    closed({
      at: Timestamp,
      waiting: Count,
      active: Count,
      admitted: Count,
      joined: Count,
      seatsHeld: Count,
      seatsSold: Count,
      revenue: Amount,
    }),
  ),
});

export interface History {
  /** Call it several times per period: it takes one sample of each sale after a period has ended. */
  sample(): Promise<void>;
}

export function createHistory(deps: {
  readonly sql: Sql;
  readonly catalog: Pick<Catalog, 'concertCache'>;
  readonly waitingRoom: Pick<WaitingRoom, 'occupancy'>;
  readonly countSeats: CountSeats;
  readonly onError: (error: unknown, concertId: string) => void;
}): History {
  const { sql, catalog, waitingRoom, countSeats, onError } = deps;
  const periodAt = (nowMs: number): number => nowMs - (nowMs % PERIOD_MS);
  /** The period in which this process starts is left to processes that were running for all of it. */
  let lastPeriodMs = periodAt(sql.nowMs());

  /** A closed sale is sampled until the last fan who was admitted is done. */
  async function isSampled({ concertId, waiting, active }: Occupancy): Promise<boolean> {
    if (waiting + active > 0) return true;
    const concert = await catalog.concertCache.concert(concertId);
    return concert.state === 'PUBLISHED' && saleState(concert, sql.nowMs()) === 'OPEN';
  }

  async function concertsToSample(): Promise<Occupancy[]> {
    const busiest = waitingRoom
      .occupancy()
      .sort((a, b) => b.waiting + b.active - (a.waiting + a.active) || (a.concertId < b.concertId ? 1 : -1));
    const sampled: Occupancy[] = [];
    for (const occupancy of busiest) {
      if (sampled.length === SAMPLED_CONCERTS_MAX) break;
      if (await isSampled(occupancy)) sampled.push(occupancy);
    }
    return sampled;
  }

  /** A sale that cannot be counted loses its own sample only. */
  async function countOrReport(concertId: string): Promise<Awaited<ReturnType<CountSeats>> | undefined> {
    try {
      return await countSeats(concertId);
    } catch (error) {
      onError(error, concertId);
      return undefined;
    }
  }

  return {
    async sample() {
      const takenAtMs = periodAt(sql.nowMs());
      if (takenAtMs <= lastPeriodMs) return;
      lastPeriodMs = takenAtMs;
      await sql.waitForChanges();
      const rows = await sql.reader.all(listSampledConcerts, [takenAtMs]);
      const alreadySampled = new Set(rows.map(({ concertId }) => concertId));
      const due = (await concertsToSample()).filter(({ concertId }) => !alreadySampled.has(concertId));
      const dueIds = due.map(({ concertId }) => concertId);
      const totals = await readTotalsForSample(sql.reader, dueIds, takenAtMs);
      const samples: NewSample[] = [];
      for (const { concertId, waiting, active } of due) {
        const seats = await countOrReport(concertId);
        if (!seats) continue;
        const { peakWaiting, peakActive, waitCounts } = totals.get(concertId) ?? NO_TOTALS;
        samples.push({
          concert_id: concertId,
          waiting,
          active,
          held: seats.seatsHeld,
          sold: seats.seatsSold,
          peak_waiting: Math.max(waiting, peakWaiting),
          peak_active: Math.max(active, peakActive),
          wait_counts: JSON.stringify(waitCounts),
        });
      }
      if (samples.length === 0) return;
      await sql.transaction((tx) => tx.exec(insertSamples, [takenAtMs, samples]));
    },
  };
}

/** The last hour, oldest first. */
export async function readHistory(reader: Reader, concertId: string, nowMs: number) {
  const sinceMs = nowMs - SHOWN_MS;
  const rows = await reader.all(listSamples, [concertId, sinceMs]);
  return rows
    .map((row, index) => toItem(row, rows[index - 1] ?? NO_SAMPLE))
    .filter(({ takenAtMs }) => takenAtMs > sinceMs)
    .map(({ takenAtMs, ...item }) => ({ at: iso(takenAtMs), ...item }));
}

const NO_SAMPLE = { joinedCount: 0, admittedCount: 0 };

/** The rows hold running totals; the counts of a period are the difference to the previous sample. */
function toItem(
  { joinedCount, admittedCount, ...row }: SampleRow,
  before: Pick<SampleRow, 'joinedCount' | 'admittedCount'>,
) {
  return { ...row, admitted: admittedCount - before.admittedCount, joined: joinedCount - before.joinedCount };
}
