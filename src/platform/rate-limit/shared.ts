import { assertDefined } from '../../kernel/assert.js';
import { MINUTE_MS } from '../../kernel/time.js';
import { type Sql, type SqlParam, statement } from '../sql/index.js';
import { type Bucket, emptyMsOf, type RateLimiter, tokenMsOf } from './limiter.js';
import { BucketMemory } from './memory.js';

const BATCH_MAX = 500;
/** About 15 MB when all are in use. */
const EMPTY_BUCKETS_MAX = 50_000;
const PURGE_BATCH_MAX = 5000;

interface TokenRequest extends Record<string, string | number> {
  id: string;
  token_ms: number;
  empty_ms: number;
}

const REQUEST_COLUMNS = { id: 'text', token_ms: 'double precision', empty_ms: 'double precision' } as const;

/** Takes one token from each bucket that has one and returns those buckets. Ordered by id to avoid deadlocks. */
const takeTokens = statement<[nowMs: number, requests: readonly TokenRequest[] & SqlParam], { id: string }>(
  'take_tokens',
  (dialect) => `INSERT INTO rate_buckets AS b (id, full_at, empty_ms)
     SELECT r.id, CAST($1 AS DOUBLE PRECISION) + r.token_ms, r.empty_ms
     FROM ${dialect.rows('$2', REQUEST_COLUMNS)} AS r ORDER BY r.id
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
  readonly request: TokenRequest;
  readonly resolve: (waitMs: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Token buckets in the database, shared by all processes. Concurrent requests are sent in batches. A bucket that this
 * process has found empty is refused without asking again until its next token is due: other processes can only
 * make it later. So a client that keeps sending refused requests costs no transaction.
 */
export function createSharedRateLimiter(sql: Sql): RateLimiter & { purge(): Promise<boolean> } {
  const emptyUntil = new BucketMemory(EMPTY_BUCKETS_MAX);
  let pending: Pending[] = [];
  let isFlushing = false;

  async function flush(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (pending.length > 0) await flushBatch();
    isFlushing = false;
  }

  /** A statement takes at most one token from a bucket; a second request for the same bucket goes into the next batch. */
  async function flushBatch(): Promise<void> {
    const batch = new Map<string, Pending>();
    const rest: Pending[] = [];
    for (const each of pending) {
      if (batch.size < BATCH_MAX && !batch.has(each.request.id)) batch.set(each.request.id, each);
      else rest.push(each);
    }
    pending = rest;
    try {
      const waitMsById = await takeBatch([...batch.values()].map(({ request }) => request));
      const nowMs = sql.nowMs();
      for (const [id, waitMs] of waitMsById) emptyUntil.put(id, nowMs + waitMs, nowMs);
      for (const [id, { resolve }] of batch) resolve(waitMsById.get(id) ?? 0);
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
  }

  /** Returns the waiting time of each request that got no token. */
  async function takeBatch(requests: readonly TokenRequest[]): Promise<Map<string, number>> {
    return sql.transaction(async (tx) => {
      const { nowMs } = tx;
      const taken = new Set((await tx.all(takeTokens, [nowMs, requests])).map(({ id }) => id));
      const refused = requests.filter(({ id }) => !taken.has(id));
      if (refused.length === 0) return new Map<string, number>();
      const found = await tx.all(findBuckets, [refused.map(({ id }) => id)]);
      const fullAt = new Map(found.map(({ id, fullAtMs }) => [id, fullAtMs]));
      return new Map(
        refused.map(({ id, token_ms, empty_ms }) => {
          const fullAtMs = assertDefined(fullAt.get(id), 'an empty bucket has a row');
          return [id, Math.max(1, Math.ceil(fullAtMs + token_ms - empty_ms - nowMs))];
        }),
      );
    });
  }

  return {
    take(bucket: Bucket, key: string) {
      const request = {
        id: `${bucket.name}/${key}`,
        token_ms: tokenMsOf(bucket),
        empty_ms: emptyMsOf(bucket),
      };
      const waitMs = (emptyUntil.timeOf(request.id) ?? 0) - sql.nowMs();
      if (waitMs > 0) return Math.ceil(waitMs);
      return new Promise<number>((resolve, reject) => {
        pending.push({ request, resolve, reject });
        if (isFlushing) return;
        isFlushing = true;
        void flush();
      });
    },

    /** Deletes a batch of full buckets, which are the same as unknown ones, and returns whether more are left. */
    async purge() {
      const deleted = await sql.transaction((tx) =>
        tx.exec(deleteFullBuckets, [tx.nowMs - MINUTE_MS, PURGE_BATCH_MAX]),
      );
      return deleted === PURGE_BATCH_MAX;
    },
  };
}
