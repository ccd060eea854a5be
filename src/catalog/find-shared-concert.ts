import { waitAtMost } from '../kernel/wait-at-most.js';
import { SECOND_MS } from '../kernel/time.js';
import type { Sql } from '../platform/sql/index.js';
import type { Concert, ConcertCache } from './concert-cache.js';
import { parsePoster, toPoster } from './poster/poster.js';

/** A page is served without the concert's title rather than late. */
const FIND_MAX_MS = SECOND_MS;

/**
 * What a shared link shows of a concert: undefined if there is no such concert, if it is a draft, or if the database does
 * not answer in time. The pages themselves never depend on the database. Returns the same object until the concert is edited.
 */
export function createFindSharedConcert({
  sql,
  concertCache,
}: {
  readonly sql: Pick<Sql, 'waitForChanges'>;
  readonly concertCache: Pick<ConcertCache, 'publishedConcert' | 'schedulesOf'>;
}) {
  /** By the cached concert, which an edit replaces. */
  const found = new WeakMap<Concert, Awaited<ReturnType<typeof describeConcert>>>();

  async function find(concertId: string) {
    // Another process may just have published or edited it.
    await sql.waitForChanges();
    const concert = await concertCache.publishedConcert(concertId);
    const shared = found.get(concert) ?? (await describeConcert(concert));
    found.set(concert, shared);
    return shared;
  }
  async function describeConcert(concert: Concert) {
    const [first] = await concertCache.schedulesOf(concert.id);
    const { id, title, venue, description, timeZone, lastStartsAtMs } = concert;
    const firstStartsAtMs = first?.startsAtMs ?? lastStartsAtMs;
    const stored = parsePoster(concert.poster);
    const poster = stored && toPoster(id, stored);
    return { id, title, venue, description, timeZone, firstStartsAtMs, lastStartsAtMs, poster };
  }
  return async (concertId: string) => {
    let shared: Awaited<ReturnType<typeof find>> | undefined;
    await waitAtMost(
      FIND_MAX_MS,
      find(concertId).then((concert) => {
        shared = concert;
      }),
    );
    return shared;
  };
}
