import { assertDefined } from '../../kernel/assert.js';
import { MINUTE_MS } from '../../kernel/time.js';
import { type Sql, type SqlParam, statement } from '../sql/index.js';
import { type Bucket, emptyMsOf, type RateLimiter, tokenMsOf } from './limiter.js';

/** Tokens asked for by one statement. */
const BATCH_MAX = 500;
const FORGET_MAX = 5000;

interface Ask extends Record<string, string | number> {
  id: string;
  token_ms: number;
  empty_ms: number;
}

const ASK_COLUMNS = { id: 'text', token_ms: 'double precision', empty_ms: 'double precision' } as const;

/** Takes a token of each bucket that has one, and answers which. In order of id, so that two batches never lock up. */
const takeTokens = statement<[nowMs: number, asks: readonly Ask[] & SqlParam], { id: string }>(
  'take_tokens',
  (dialect) => `INSERT INTO rate_buckets AS b (id, full_at, empty_ms)
     SELECT r.id, CAST($1 AS DOUBLE PRECISION) + r.token_ms, r.empty_ms
     FROM ${dialect.rows('$2', ASK_COLUMNS)} AS r ORDER BY r.id
   ON CONFLICT (id) DO UPDATE
     SET full_at = EXCLUDED.full_at + greatest(b.full_at - CAST($1 AS DOUBLE PRECISION), 0)
     WHERE greatest(b.full_at - CAST($1 AS DOUBLE PRECISION), 0) + EXCLUDED.full_at
       <= CAST($1 AS DOUBLE PRECISION) + EXCLUDED.empty_ms
   RETURNING id`,
);

const findBuckets = statement<[ids: readonly string[]], { id: string; fullAtMs: number }>(
  'find_buckets',
  (dialect) => `SELECT id, full_at AS "fullAtMs" FROM rate_buckets WHERE id ${dialect.anyOf('$1')}`,
);

const deleteFullBuckets = statement<[nowMs: number, limit: number]>(
  'delete_full_buckets',
  (dialect) =>
    `DELETE FROM rate_buckets WHERE id ${dialect.inQuery('SELECT id FROM rate_buckets WHERE full_at < $1 LIMIT $2')}`,
);

interface Pending {
  readonly ask: Ask;
  readonly resolve: (waitMs: number) => void;
  readonly reject: (error: unknown) => void;
}

/** One set of buckets for all processes. What is asked for at the same time is asked of the database together. */
export function createSharedRateLimiter(sql: Sql): RateLimiter & { purge(): Promise<void> } {
  let pending: Pending[] = [];
  let isAsking = false;

  async function askAll(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (pending.length > 0) await askSome();
    isAsking = false;
  }

  /** A statement takes one token of a bucket; who wants another of the same is in the next one. */
  async function askSome(): Promise<void> {
    const batch = new Map<string, Pending>();
    const rest: Pending[] = [];
    for (const one of pending) {
      if (batch.size < BATCH_MAX && !batch.has(one.ask.id)) batch.set(one.ask.id, one);
      else rest.push(one);
    }
    pending = rest;
    try {
      const waits = await take([...batch.values()].map(({ ask }) => ask));
      for (const [id, { resolve }] of batch) resolve(waits.get(id) ?? 0);
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  /** How long each of those who got no token has to wait. */
  async function take(asks: readonly Ask[]): Promise<Map<string, number>> {
    return sql.transaction(async (tx) => {
      const { nowMs } = tx;
      const taken = new Set((await tx.all(takeTokens, [nowMs, asks])).map(({ id }) => id));
      const refused = asks.filter(({ id }) => !taken.has(id));
      if (refused.length === 0) return new Map<string, number>();
      const found = await tx.all(findBuckets, [refused.map(({ id }) => id)]);
      const fullAt = new Map(found.map(({ id, fullAtMs }) => [id, fullAtMs]));
      return new Map(
        refused.map(({ id, token_ms, empty_ms }) => {
          const fullAtMs = assertDefined(fullAt.get(id), 'a bucket that refused is there');
          return [id, Math.max(1, Math.ceil(fullAtMs + token_ms - empty_ms - nowMs))];
        }),
      );
    });
  }

  return {
    take(bucket: Bucket, key: string) {
      const ask = {
        id: `${bucket.name}/${key}`,
        token_ms: tokenMsOf(bucket),
        empty_ms: emptyMsOf(bucket),
      };
      return new Promise<number>((resolve, reject) => {
        pending.push({ ask, resolve, reject });
        if (isAsking) return;
        isAsking = true;
        void askAll();
      });
    },

    /** A full bucket says nothing. */
    async purge() {
      await sql.transaction((tx) => tx.exec(deleteFullBuckets, [tx.nowMs - MINUTE_MS, FORGET_MAX]));
    },
  };
}
