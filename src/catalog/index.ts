import type { Sql } from '../platform/sql/index.js';
import { createConcertCache } from './concert-cache.js';
import { type CatalogRouteDeps, catalogRoutes } from './routes.js';

export { addConcert, type AddedConcert, type NewConcert, type NewDate } from './add-concert.js';
export { type Concert, type ConcertCache, concertEdited, saleState } from './concert-cache.js';
export { copyConcert } from './copy-concert.js';
export { type ConcertEdit, editConcert, requireSaleOrder } from './edit-concert.js';
export { CONCERT_COLUMNS, type ConcertRow } from './queries.js';
export { toConcert } from './schemas.js';

/**
 * Concerts and their dates (schedules): add, copy, edit and list them. A concert's sale is NOT_OPEN, OPEN or CLOSED; this
 * is derived from its sale times and the clock, never stored. "Sold out" is derived from the seats in the same way.
 *
 * Every process caches the concerts it has read; an edit is published, which updates every cache. A date never changes.
 * This module reads and adds seats through seating, and never changes a seat's state.
 */
export function createCatalog({ sql }: { readonly sql: Sql }) {
  const concertCache = createConcertCache(sql);
  const currencyOf = async (scheduleId: string): Promise<string> => {
    const { concertId } = await concertCache.schedule(scheduleId);
    return (await concertCache.concert(concertId)).currency;
  };
  return {
    concertCache,
    currencyOf,
    routes: (deps: Pick<CatalogRouteDeps, 'seating' | 'identify' | 'requireActive' | 'policyOf'>) =>
      catalogRoutes({ sql, concertCache, currencyOf, ...deps }),
  };
}

export type Catalog = ReturnType<typeof createCatalog>;
