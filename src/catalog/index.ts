import type { Sql } from '../platform/sql/index.js';
import type { StreamHub } from '../platform/sse/index.js';
import { copyConcert } from './copy-concert.js';
import { editConcert } from './edit-concert.js';
import { createProgramme } from './programme.js';
import { type CatalogRouteDeps, catalogRoutes } from './routes.js';
import { createSeatBoards } from './seat-boards.js';
import { createSeatMapRoutes } from './seat-map-routes.js';
import { createSeatStreams } from './seat-streams.js';

export { addConcert, type AddedConcert, countSeats, type NewConcert, type NewDate } from './add-concert.js';
export { concertEdited, seatsChanged } from './changes.js';
export { toConcert } from './concert.js';
export { type ConcertEdit, requireOrder } from './edit-concert.js';
export { importPlan } from './import-plan.js';
export { type Concert, type Programme, saleState, type Schedule } from './programme.js';
export { CONCERT_COLUMNS, type ConcertRow, UNSOLD } from './queries.js';
export type { Bank } from './seat-banks.js';
export type { SeatBoard, SeatOnChart } from './seat-board.js';
export type { SeatBoards } from './seat-boards.js';

export function createCatalog({ sql, hub }: { readonly sql: Sql; readonly hub: StreamHub }) {
  const programme = createProgramme(sql);
  const boards = createSeatBoards(sql);
  const streams = createSeatStreams({ sql, hub, boards });
  const seatMapRoutes = createSeatMapRoutes({ sql, programme, boards });
  return {
    programme,
    boards,
    streams,
    seatMapRoutes,
    copyConcert,
    editConcert,
    routes: (deps: Pick<CatalogRouteDeps, 'identify' | 'requireActive' | 'policyOf'>) =>
      catalogRoutes({ sql, programme, boards, streams, seatMapRoutes, ...deps }),
  };
}

export type Catalog = ReturnType<typeof createCatalog>;
