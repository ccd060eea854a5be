import type { Sql } from '../platform/sql/index.js';
import type { StreamHub } from '../platform/sse/index.js';
import { seatsChanged } from './change-seats.js';
import { createSeatCounts } from './inventory/seat-counts.js';
import { createSeatInventories } from './inventory/seat-inventories.js';
import { seatMapRoutes, type SeatMapRouteDeps } from './seat-map-routes.js';
import { createSeatStreams } from './seat-streams.js';
import { type SeatRouteDeps, seatRoutes } from './routes.js';

/**
 * The seats of a date: their chart, their state and which of them are best. Every SQL statement on `seats` is in
 * `queries.ts`, and every change of a seat's state in `change-seats.ts`.
 *
 * States: AVAILABLE → HELD (claim) → SOLD (sell) → AVAILABLE (refund); HELD → AVAILABLE (free); an expired HELD → HELD by
 * another reservation (claim).
 *
 * Invariants:
 * - A seat that is HELD or SOLD belongs to exactly one reservation. The lock of its row decides every race for it, and the
 *   statement that changes it repeats the condition.
 * - A hold ends at `held_until`, whether or not a job has freed the seat by then: others may claim it from that instant.
 * - Every committed change is published, and each process applies it to its inventory. The inventory answers reads and
 *   proposes the best seats; it never decides who gets a seat. A process keeps a limited number of seats in memory; whoever
 *   needs only numbers asks `counts`, which loads no inventory.
 *
 * This module knows nothing about concerts, queues or payments: its callers decide who may see and claim seats.
 */
export function createSeating({ sql, hub }: { readonly sql: Sql; readonly hub: StreamHub }) {
  const inventories = createSeatInventories(sql);
  const streams = createSeatStreams({ sql, hub });
  return {
    inventories,
    counts: createSeatCounts(sql, inventories),
    streams,
    /** Calls `notify` after seats of a date were sold, in this or another process. */
    onSold: (notify: (scheduleId: string) => void) => {
      sql.subscribe(seatsChanged, ({ scheduleId, change }) => {
        if (change.status === 'SOLD') notify(scheduleId);
      });
    },
    routes: (deps: Pick<SeatRouteDeps, 'requireAccess' | 'currencyOf'>) =>
      seatRoutes({ sql, inventories, streams, ...deps }),
    mapRoutes: (deps: Omit<SeatMapRouteDeps, 'sql' | 'inventories'>) =>
      seatMapRoutes({ sql, inventories, ...deps }),
  };
}

export type Seating = ReturnType<typeof createSeating>;

export {
  claimSeats,
  findTakenSeats,
  freeSeats,
  holdsSeats,
  type LockedSeats,
  lockSeats,
  refundSeats,
  releaseSeats,
  type ReservationSeats,
  type SeatClaim,
  sellSeats,
  shortenSeatHolds,
  takeSeats,
} from './change-seats.js';
export { SeatChooser } from './best-seats/seat-chooser.js';
export { gradeKey, gradesOf, type GradePrice } from './inventory/seat-chart.js';
export { createSeatCounts, type SeatCounting } from './inventory/seat-counts.js';
export { createSeatInventories, type SeatInventories } from './inventory/seat-inventories.js';
export type { SeatOnChart } from './inventory/seat-inventory.js';
export { addSeats, copySeatsOf, countSeats, type SeatLayout, type WriteSeats } from './map/add-seats.js';
export { importPlan } from './map/import-plan.js';
export { PlanSchema, PricesSchema, SectionSchema } from './map/layout-schemas.js';
export {
  type GradeSeats,
  seatsByGrade,
  type SectionSummary,
  summarizeSections,
  totalOf,
} from './map/section-summaries.js';
export {
  CONCERT_SEATS_UNSOLD,
  concertSoldOutAt,
  deleteSeatsOfAbandonedBuilds,
  findSeat,
  soldOutAfter,
} from './queries.js';
export { GradeSchema } from './schemas.js';
