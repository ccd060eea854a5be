import type { Sql } from '../platform/sql/index.js';
import { createConcertCache } from './concert-cache.js';
import { createFindSharedConcert } from './find-shared-concert.js';
import { purgeBuilds } from './purge-builds.js';
import { type CatalogRouteDeps, catalogRoutes } from './routes.js';
import { type SoldOutWatchDeps, watchSoldOut } from './watch-sold-out.js';

export {
  type AddedConcert,
  buildInOneTransaction,
  type ConcertBuild,
  type NewConcert,
  type NewDate,
  planConcert,
  writeBuild,
} from './build-concert.js';
export {
  type Concert,
  type ConcertCache,
  type Schedule,
  concertEdited,
  parseSections,
  saleClosesAtMs,
  saleState,
} from './concert-cache.js';
export { planCopy } from './copy-concert.js';
export { checkSaleOrder, type ConcertChange, type ConcertEdit, editConcert } from './edit-concert.js';
export { lockSaleEnds } from './lock-sale-ends.js';
export { type Notice, noticeFromJson, noticeToJson, NullableNotice } from './notice.js';
export { publishConcert } from './publish-concert.js';
export {
  CONCERT_COLUMNS,
  CONCERT_COMPLETE,
  CONCERT_SEATS_TOTAL,
  type ConcertRow,
  listSectionsOf,
} from './queries.js';
export { checkRefundRules, FACTS, serializeRefundRules } from './facts.js';
export { changePoster, type NewPoster, readPoster } from './poster/change-poster.js';
export { PosterSchema } from './poster/poster.js';
export { POSTER_MAX_BYTES } from './poster/read-image.js';
export { TimeZone, toConcert } from './schemas.js';
// The waiting room asks the catalog whether a sale is sold out; it knows no seats.
export { soldOutAfter as saleSoldOutAt } from '../seating/index.js';

/**
 * Concerts and their dates (schedules): add, copy, edit and list them. A concert's sale is NOT_OPEN, OPEN or CLOSED; this
 * is derived from its sale times and the clock, never stored. "Sold out" is derived from the seats in the same way.
 *
 * A new concert is invisible while its seats are written (BUILDING). Then it is a DRAFT, for operators only, or PUBLISHED;
 * it never becomes a draft again.
 *
 * A concert may have a poster. Its content is checked when it is uploaded, and has a new address whenever it changes.
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
    findSharedConcert: createFindSharedConcert({ sql, concertCache }),
    /** Deletes what an interrupted creation has left. */
    purgeBuilds: () => purgeBuilds(sql),
    watchSoldOut: (deps: Omit<SoldOutWatchDeps, 'sql' | 'concertCache'>) => {
      watchSoldOut({ sql, concertCache, ...deps });
    },
    routes: (deps: Omit<CatalogRouteDeps, 'sql' | 'concertCache' | 'currencyOf'>) =>
      catalogRoutes({ sql, concertCache, currencyOf, ...deps }),
  };
}

export type Catalog = ReturnType<typeof createCatalog>;
