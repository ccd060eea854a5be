import { type Fan, joinActive, openSale, type Sale, type SaleOptions } from '../sale.js';
import type { Cluster } from './cluster.js';

/** Starts `count` promises without waiting in between. */
export const concurrently = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

export interface SaleWithFans {
  readonly sale: Sale;
  readonly fans: readonly Fan[];
  /** The fans' queue tokens, all ACTIVE. */
  readonly tokens: readonly string[];
  readonly seats: readonly string[];
}

/** Opens a sale that admits everyone, and gives each of `count` new fans an ACTIVE place in it. */
export async function openSaleWithFans(
  cluster: Cluster,
  count: number,
  options: SaleOptions = {},
): Promise<SaleWithFans> {
  return openSaleForFans(cluster, await cluster.createFans(count), options);
}

export async function openSaleForFans(
  cluster: Cluster,
  fans: readonly Fan[],
  options: SaleOptions = {},
): Promise<SaleWithFans> {
  const { client, operator } = cluster;
  const policy = { maxActive: null, ...options.policy };
  const sale = await openSale(client, operator, { ...options, policy });
  const tokens = await Promise.all(fans.map((fan) => joinActive(client, fan, sale)));
  return { sale, fans, tokens, seats: await seatIdsOf(cluster, sale) };
}

/** The seats of the sale in chart order, read from the database: the API shows them only to a fan with an ACTIVE place. */
export async function seatIdsOf(cluster: Cluster, { scheduleIds }: Sale): Promise<string[]> {
  const rows = await cluster.query<{ id: string }>(
    'SELECT id FROM seats WHERE schedule_id = $1 ORDER BY position',
    [scheduleIds[0]],
  );
  return rows.map(({ id }) => id);
}
