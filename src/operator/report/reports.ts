/**
 * The report of a sale: preliminary while it runs, and kept for good once it has ended. A job in any process writes it once
 * per end of the sale; the row's key decides. It waits until nobody is active and nothing is held any more, so that its
 * figures are final. A sale that is reopened gets another report at its next end.
 */
import { type Catalog, saleClosesAtMs } from '../../catalog/index.js';
import { HOUR_MS } from '../../kernel/time.js';
import type { Sql } from '../../platform/sql/index.js';
import type { WaitingRoom } from '../../waiting-room/index.js';
import { computeReport } from './compute-report.js';
import { findReport, listUnreportedSales, upsertReport } from './queries.js';
import type { SaleReport } from './report-schema.js';

/** Bounds the work of one run. */
const REPORTS_PER_RUN_MAX = 20;
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
  readonly waitingRoom: Pick<WaitingRoom, 'statsOf'>;
}): Reports {
  const { sql, catalog, waitingRoom } = deps;
  const { concertCache } = catalog;
  const compute = (concertId: string, isFinal: boolean) =>
    computeReport({ reader: sql.desk, concertCache, waitingRoom }, concertId, sql.nowMs(), isFinal);

  const isUnsettled = ({ queue, sales }: SaleReport): boolean =>
    queue.waiting + queue.active + sales.holdsLive > 0;

  async function writeReport(concertId: string, closedAtMs: number): Promise<void> {
    const report = await compute(concertId, true);
    const isOverdue = sql.nowMs() >= closedAtMs + WAIT_FOR_ACTIVE_MAX_MS;
    if (isUnsettled(report) && !isOverdue) return;
    await sql.transaction((tx) =>
      tx.exec(upsertReport, [concertId, closedAtMs, JSON.stringify(report), tx.nowMs]),
    );
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
      const due = await sql.reader.all(listUnreportedSales, [sql.nowMs(), REPORTS_PER_RUN_MAX]);
      for (const { concertId, closedAtMs } of due) await writeReport(concertId, closedAtMs);
    },
  };
}
