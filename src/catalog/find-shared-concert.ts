import { waitAtMost } from '../kernel/wait-at-most.js';
import { SECOND_MS } from '../kernel/time.js';
import type { Sql } from '../platform/sql/index.js';
import type { ConcertCache } from './concert-cache.js';
import { parsePoster, toPoster } from './poster/poster.js';

/** A page is served without the concert's title rather than late. */
const FIND_MAX_MS = SECOND_MS;

/**
 * What a shared link shows of a concert: undefined if there is no such concert, if it is a draft, or if the database does
 * not answer in time. The pages themselves never depend on the database.
 */
export function createFindSharedConcert({
  sql,
  concertCache,
}: {
  readonly sql: Pick<Sql, 'waitForChanges'>;
  readonly concertCache: Pick<ConcertCache, 'publishedConcert' | 'schedulesOf'>;
}) {
  async function find(concertId: string) {
    // Another process may just have published or edited it.
    await sql.waitForChanges();
    const concert = await concertCache.publishedConcert(concertId);
    const [first] = await concertCache.schedulesOf(concertId);
    const { id, title, venue, description, timeZone, lastStartsAtMs } = concert;
    const firstStartsAtMs = first?.startsAtMs ?? lastStartsAtMs;
    const stored = parsePoster(concert.poster);
    const poster = stored && toPoster(id, stored);
    return { id, title, venue, description, timeZone, firstStartsAtMs, lastStartsAtMs, poster };
  }
  return async (concertId: string) => {
    let found: Awaited<ReturnType<typeof find>> | undefined;
    await waitAtMost(
      FIND_MAX_MS,
      find(concertId).then((concert) => {
        found = concert;
      }),
    );
    return found;
  };
}
