import { forgeAccess } from '../forge.js';
import type { LoadFan } from '../acknowledged-writes.js';
import { psql } from '../postgres/index.js';

/** Inserts fans with empty wallets directly into the tables, because a hundred sign-ups would spend their time on hashing. */
export async function insertFans(databaseUrl: string, count: number): Promise<LoadFan[]> {
  const ids = await psql(
    databaseUrl,
    `WITH fans AS (
       INSERT INTO users (id, email, email_key, name, role, password_hash, created_at)
       SELECT id, id || '@fans.example', id || '@fans.example', '팬', 'CUSTOMER', 'none', 0
       FROM (SELECT CAST(gen_random_uuid() AS TEXT) AS id FROM generate_series(1, ${count})) x RETURNING id),
     wallets AS (INSERT INTO wallets (user_id, balance, entry_count) SELECT id, 0, 0 FROM fans)
     SELECT id FROM fans`,
  );
  return ids.split('\n').map((userId) => ({
    userId,
    accessToken: forgeAccess(userId),
    place: undefined,
    hold: undefined,
    charges: 0,
  }));
}
