import type { Sql } from '../platform/sql/index.js';
import type { Seating } from '../seating/index.js';
import type { ConcertCache } from './concert-cache.js';

export interface SoldOutWatchDeps {
  readonly sql: Sql;
  readonly concertCache: ConcertCache;
  readonly seating: Pick<Seating, 'inventories' | 'counts' | 'onSold'>;
  readonly onSoldOut: (concertId: string) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Calls `onSoldOut` when seats were sold and, as far as this process knows, no seat of a date to come is left. Every sale
 * of a seat asks, so the inventory answers if it is loaded; whoever is called decides by the database.
 */
export function watchSoldOut(deps: SoldOutWatchDeps): void {
  const { sql, concertCache, seating, onSoldOut, onError } = deps;

  async function check(scheduleId: string): Promise<void> {
    const { concertId } = await concertCache.schedule(scheduleId);
    const nowMs = sql.nowMs();
    for (const { id, startsAtMs } of await concertCache.schedulesOf(concertId)) {
      if (startsAtMs <= nowMs) continue;
      const loaded = seating.inventories.peek(id)?.counts(nowMs);
      if (loaded ? loaded.sold < loaded.total : !(await seating.counts.isSoldOut(id))) return;
    }
    await onSoldOut(concertId);
  }

  seating.onSold((scheduleId) => {
    check(scheduleId).catch(onError);
  });
}
