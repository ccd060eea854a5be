import type { Tx } from '../platform/sql/index.js';
import { type Concert, saleClosesAtMs } from './concert-cache.js';
import { findSaleEnd } from './queries.js';

/**
 * When the sale closes by what is stored now. An edit of the concert waits until this transaction ends, and this one waits
 * for an edit, whose end it then returns; the concert in memory may be older. Take it before any other lock.
 */
export async function lockSaleEnd(tx: Tx, concert: Concert): Promise<number> {
  const stored = await tx.get(findSaleEnd, [concert.id]);
  return saleClosesAtMs({ ...concert, ...stored });
}
