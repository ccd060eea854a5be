import type { Tx } from '../platform/sql/index.js';
import type { Concert } from './concert-cache.js';
import * as queries from './queries.js';

/**
 * The concerts with the ends of their sales as they are stored now; in memory they may be older. An edit of a concert waits
 * until this transaction ends, and this one waits for an edit. Take these locks before all others.
 */
export async function lockSaleEnds(
  tx: Tx,
  concerts: readonly Concert[],
): Promise<ReadonlyMap<string, Concert>> {
  const byId = new Map(concerts.map((concert) => [concert.id, concert]));
  for (const { id, salesCloseAtMs } of await tx.all(queries.lockSaleEnds, [[...byId.keys()]])) {
    const concert = byId.get(id);
    if (concert) byId.set(id, { ...concert, salesCloseAtMs });
  }
  return byId;
}
