import { HOUR_MS } from '../../kernel/time.js';
import { type Sql, statement } from '../sql/index.js';

const DAY_MS = 24 * HOUR_MS;
const RETENTION_MS = 90 * DAY_MS;
/** A network that is used every day is written once a day. */
const REFRESH_MS = DAY_MS;
const PURGE_BATCH_MAX = 1000;

const findNetwork = statement<[id: string, sinceMs: number], { id: string }>(
  'find_known_network',
  'SELECT id FROM known_networks WHERE id = $1 AND used_at > $2',
);

const rememberNetwork = statement<[id: string, nowMs: number]>(
  'remember_network',
  `INSERT INTO known_networks AS known (id, used_at) VALUES ($1, $2)
   ON CONFLICT (id) DO UPDATE SET used_at = EXCLUDED.used_at WHERE known.used_at < EXCLUDED.used_at - ${REFRESH_MS}`,
);

const deleteNetworks = statement<[beforeMs: number, limit: number]>(
  'delete_known_networks',
  (dialect) =>
    `DELETE FROM known_networks WHERE id ${dialect.inQuery('SELECT id FROM known_networks WHERE used_at < $1 LIMIT $2')}`,
);

/** Remembers for 90 days from which networks accounts have signed in. An id is a digest of the account and the network. */
export interface KnownNetworks {
  has(id: string): Promise<boolean>;
  remember(id: string): Promise<void>;
  /** Deletes a batch of old ones and returns whether more are left. */
  purge(): Promise<boolean>;
}

export const createKnownNetworks = (sql: Sql): KnownNetworks => ({
  async has(id) {
    return (await sql.reader.get(findNetwork, [id, sql.nowMs() - RETENTION_MS])) !== undefined;
  },

  async remember(id) {
    await sql.transaction((tx) => tx.exec(rememberNetwork, [id, tx.nowMs]));
  },

  async purge() {
    const deleted = await sql.transaction((tx) =>
      tx.exec(deleteNetworks, [tx.nowMs - RETENTION_MS, PURGE_BATCH_MAX]),
    );
    return deleted === PURGE_BATCH_MAX;
  },
});
