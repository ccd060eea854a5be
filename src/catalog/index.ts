import type { Sql } from '../platform/sql/index.js';
import type { StreamHub } from '../platform/sse/index.js';
import { copyConcert } from './copy-concert.js';
import { editConcert } from './edit-concert.js';
import { createConcertCache } from './concert-cache.js';
import { type CatalogRouteDeps, catalogRoutes } from './routes.js';
import { createSeatInventories } from '../seating/seat-inventories.js';
import { createSeatMapRoutes } from '../seating/seat-map-routes.js';
import { createSeatStreams } from '../seating/seat-streams.js';

export { addConcert, type AddedConcert, countSeats, type NewConcert, type NewDate } from './add-concert.js';
export { concertEdited, seatsChanged } from './topics.js';
export { toConcert } from './concert.js';
export { type ConcertEdit, requireOrder } from './edit-concert.js';
export { importPlan } from '../seating/import-seat-map.js';
export { type Concert, type ConcertCache, saleState, type Schedule } from './concert-cache.js';
export { CONCERT_COLUMNS, type ConcertRow, UNSOLD } from './queries.js';
export type { SeatRun } from '../seating/seat-runs.js';
export type { SeatInventory, SeatOnChart } from '../seating/seat-inventory.js';
export type { SeatInventories } from '../seating/seat-inventories.js';

export function createCatalog({ sql, hub }: { readonly sql: Sql; readonly hub: StreamHub }) {
  const concertCache = createConcertCache(sql);
  const inventories = createSeatInventories(sql);
  const streams = createSeatStreams({ sql, hub, inventories });
  const seatMapRoutes = createSeatMapRoutes({ sql, concertCache, inventories });
  return {
    concertCache,
    inventories,
    streams,
    seatMapRoutes,
    copyConcert,
    editConcert,
    routes: (deps: Pick<CatalogRouteDeps, 'identify' | 'requireActive' | 'policyOf'>) =>
      catalogRoutes({ sql, concertCache, inventories, streams, seatMapRoutes, ...deps }),
  };
}

export type Catalog = ReturnType<typeof createCatalog>;
