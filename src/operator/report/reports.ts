/**
 * The report of a sale: preliminary while it runs, and kept for good once it has ended. A job in any process writes it once
 * per end of the sale; the row's key decides. It waits until nobody is active and nothing is held any more, so that its
 * figures are final. A sale that is reopened gets another report at its next end.
 *
 * A sale that still waits, or whose report fails, does not delay the reports of others.
 */
import { type Catalog, saleClosesAtMs } from '../../catalog/index.js';
import { HOUR_MS } from '../../kernel/time.js';
import type { Sql } from '../../platform/sql/index.js';
import type { WaitingRoom } from '../../waiting-room/index.js';
import { computeReport } from './compute-report.js';
import { findReport, listConcertsWithHolds, listUnreportedSales, upsertReport } from './queries.js';
import type { SaleReport } from './report-schema.js';

/** Bounds the work of one run. */
const REPORTS_PER_RUN_MAX = 20;
const SALES_PER_PAGE = 200;
/** From then on fans who are still active, for instance in a very long hold, no longer delay the report. */
const WAIT_FOR_ACTIVE_MAX_MS = HOUR_MS;

export interface Reports {
  read(concertId: string): Promise<SaleReport>;
  /** Job: writes the reports of sales that have ended. */
  write(): Promise<void>;
}

export function createReports(deps: {
  readonly sql: Sql;
  readonly catalog: Pick<Catalog, 'concertCache'>;
  readonly waitingRoom: Pick<WaitingRoom, 'statsOf' | 'occupancy'>;
  readonly onError: (error: unknown, concertId: string) => void;
}): Reports {
  const { sql, catalog, waitingRoom, onError } = deps;
  const { concertCache } = catalog;
  const compute = (concertId: string, isFinal: boolean) =>
    computeReport({ reader: sql.desk, concertCache, waitingRoom }, concertId, sql.nowMs(), isFinal);

  /** Concerts with fans in the queue, from memory, or with unpaid holds, in one read. */
  async function findUnsettled(nowMs: number): Promise<ReadonlySet<string>> {
    const holds = await sql.reader.all(listConcertsWithHolds, [nowMs]);
    const occupied = waitingRoom.occupancy().filter(({ waiting, active }) => waiting + active > 0);
    return new Set([...holds, ...occupied].map(({ concertId }) => concertId));
  }

  /** Ended sales without a report, oldest first. Reads the next page only when it is asked for more. */
  async function* unreportedSales(nowMs: number) {
    for (let after: readonly [number, string] = [-1, '']; ;) {
      const page = await sql.reader.all(listUnreportedSales, [nowMs, ...after, SALES_PER_PAGE]);
      yield* page;
      const last = page.at(-1);
      if (page.length < SALES_PER_PAGE || last === undefined) return;
      after = [last.closedAtMs, last.concertId];
    }
  }

  /** Returns whether it succeeded. */
  async function writeReport(concertId: string, closedAtMs: number): Promise<boolean> {
    try {
      const report = JSON.stringify(await compute(concertId, true));
      await sql.transaction((tx) => tx.exec(upsertReport, [concertId, closedAtMs, report, tx.nowMs]));
      return true;
    } catch (error) {
      onError(error, concertId);
      return false;
    }
  }

  return {
    async read(concertId) {
      const closesAtMs = saleClosesAtMs(await concertCache.concert(concertId));
      const row = await sql.reader.get(findReport, [concertId]);
      // Written by `writeReport`.
      if (row?.closedAtMs === closesAtMs) return JSON.parse(row.report) as SaleReport;
      return compute(concertId, false);
    },

    async write() {
      await sql.waitForChanges();
      const nowMs = sql.nowMs();
      const unsettled = await findUnsettled(nowMs);
      let written = 0;
      for await (const { concertId, closedAtMs } of unreportedSales(nowMs)) {
        const isOverdue = nowMs >= closedAtMs + WAIT_FOR_ACTIVE_MAX_MS;
        if (unsettled.has(concertId) && !isOverdue) continue;
        if (await writeReport(concertId, closedAtMs)) written += 1;
        if (written === REPORTS_PER_RUN_MAX) return;
      }
    },
  };
}
