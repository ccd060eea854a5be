import { type Catalog, saleClosesAtMs } from '../../catalog/index.js';
import { assertDefined } from '../../kernel/assert.js';
import { DAY_MS, HOUR_MS, iso, isoOrNull, MINUTE_MS, SECOND_MS } from '../../kernel/time.js';
import type { Reader } from '../../platform/sql/index.js';
import type { WaitingRoom } from '../../waiting-room/index.js';
import { readTotalsOf } from '../history/sale-totals.js';
import { totalOf, waitQuantileSeconds } from '../history/wait-counts.js';
import {
  countHolds,
  countSeatsByGrade,
  findQueueTotals,
  findSampleRange,
  listSamplesByStep,
  sumPayments,
} from './queries.js';
import type { SaleReport } from './report-schema.js';

/** Enough for a chart, and a report of about 60 KB. */
const HISTORY_ITEMS_MAX = 600;
/** Steps of the history: the finest that needs no more than the allowed items. */
const HISTORY_STEPS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 7 * DAY_MS];

export interface ReportDeps {
  /** For aggregates over a whole sale. */
  readonly reader: Reader;
  readonly concertCache: Catalog['concertCache'];
  readonly waitingRoom: Pick<WaitingRoom, 'statsOf'>;
}

/** The figures of a sale as of now; `isFinal` says that they are those of its end. */
export async function computeReport(
  deps: ReportDeps,
  concertId: string,
  nowMs: number,
  isFinal: boolean,
): Promise<SaleReport> {
  const concert = await deps.concertCache.concert(concertId);
  const dates = await readDates(deps, concertId);
  const { queue, waits } = await readQueue(deps, concertId, nowMs);
  return {
    concertId,
    title: concert.title,
    venue: concert.venue,
    currency: concert.currency,
    isFinal,
    asOf: iso(nowMs),
    opensAt: isoOrNull(concert.salesOpenAtMs),
    closesAt: iso(saleClosesAtMs(concert)),
    queue,
    waits,
    sales: {
      seatsTotal: sumOf(dates, ({ seatsTotal }) => seatsTotal),
      seatsSold: sumOf(dates, ({ seatsSold }) => seatsSold),
      ...(await readSales(deps.reader, concertId, nowMs)),
    },
    dates,
    history: await readHistory(deps.reader, concertId),
  };
}

const sumOf = <T>(items: readonly T[], valueOf: (item: T) => number): number =>
  items.reduce((sum, item) => sum + valueOf(item), 0);

/** One date at a time, so that a large concert does not keep the database busy in one long query. */
async function readDates({ reader, concertCache }: ReportDeps, concertId: string) {
  const dates: SaleReport['dates'] = [];
  for (const { id, startsAtMs } of await concertCache.schedulesOf(concertId)) {
    const grades = await reader.all(countSeatsByGrade, [id]);
    dates.push({
      scheduleId: id,
      startsAt: iso(startsAtMs),
      seatsTotal: sumOf(grades, ({ seatsTotal }) => seatsTotal),
      seatsSold: sumOf(grades, ({ seatsSold }) => seatsSold),
      revenue: sumOf(grades, ({ revenue }) => revenue),
      grades,
    });
  }
  return dates;
}

async function readQueue({ reader, waitingRoom }: ReportDeps, concertId: string, nowMs: number) {
  const { waiting, active, done, expired, left, closed } = await waitingRoom.statsOf(concertId);
  const { joined, admitted } = assertDefined(await reader.get(findQueueTotals, [concertId]), 'a queue');
  const { peakWaiting, peakActive, waitCounts } = await readTotalsOf(reader, concertId, nowMs);
  return {
    queue: {
      joined,
      admitted,
      waiting,
      active,
      done,
      expired,
      left,
      closed,
      peakWaiting: Math.max(peakWaiting, waiting),
      peakActive: Math.max(peakActive, active),
    },
    waits: {
      admitted: totalOf(waitCounts),
      medianSeconds: waitQuantileSeconds(waitCounts, 0.5),
      p90Seconds: waitQuantileSeconds(waitCounts, 0.9),
      p99Seconds: waitQuantileSeconds(waitCounts, 0.99),
    },
  };
}

async function readSales(reader: Reader, concertId: string, nowMs: number) {
  const { firstPaidAtMs, lastPaidAtMs, ...money } = assertDefined(
    await reader.get(sumPayments, [concertId]),
    'a sum of payments',
  );
  const holds = assertDefined(await reader.get(countHolds, [concertId, nowMs]), 'a count of holds');
  return {
    ...money,
    holdsLive: holds.held,
    holdsExpired: holds.expired,
    holdsReleased: holds.released,
    firstPaidAt: isoOrNull(firstPaidAtMs),
    lastPaidAt: isoOrNull(lastPaidAtMs),
  };
}

async function readHistory(reader: Reader, concertId: string): Promise<SaleReport['history']> {
  const range = await reader.get(findSampleRange, [concertId]);
  const spanMs = (range?.lastMs ?? 0) - (range?.firstMs ?? 0);
  const stepMs = HISTORY_STEPS_MS.find((step) => spanMs / step < HISTORY_ITEMS_MAX) ?? 7 * DAY_MS;
  const rows = await reader.all(listSamplesByStep, [concertId, stepMs, HISTORY_ITEMS_MAX]);
  const items = rows.map(({ takenAtMs, joinedCount, admittedCount, ...row }, index) => {
    // The rows hold running totals.
    const before = rows[index - 1] ?? { joinedCount: 0, admittedCount: 0 };
    return {
      at: iso(takenAtMs),
      ...row,
      joined: joinedCount - before.joinedCount,
      admitted: admittedCount - before.admittedCount,
    };
  });
  return { everySeconds: stepMs / SECOND_MS, items };
}
