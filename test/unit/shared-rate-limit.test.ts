import { beforeEach, describe, expect, it } from 'vitest';
import { type Bucket, createSharedRateLimiter } from '../../src/platform/rate-limit/index.js';
import type { Sql } from '../../src/platform/sql/index.js';
import { psql } from '../support/postgres/index.js';
import { useNoteStores } from '../support/postgres-notes.js';

const on = useNoteStores();
const slow: Bucket = { name: 'slow', burst: 2, perSecond: 0.01 };

/** Counts the transactions, and shifts the time. */
function observed(sql: Sql) {
  let transactions = 0;
  let shiftMs = 0;
  const store = new Proxy(sql, {
    get(target, member) {
      if (member === 'nowMs') return () => target.nowMs() + shiftMs;
      if (member === 'transaction') transactions += 1;
      const value: unknown = Reflect.get(target, member, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    store,
    pass: (ms: number) => {
      shiftMs += ms;
    },
    get transactions() {
      return transactions;
    },
  };
}

beforeEach(() => psql(on.url, 'TRUNCATE rate_buckets'));

describe('a bucket that all processes share', () => {
  it('allows its burst once, whichever process is asked', async () => {
    const [one, other] = [createSharedRateLimiter(on.sql), createSharedRateLimiter(on.other)];
    expect(await one.take(slow, 'fan')).toBe(0);
    expect(await other.take(slow, 'fan')).toBe(0);
    expect(await one.take(slow, 'fan')).toBeGreaterThan(90_000);
    expect(await other.take(slow, 'fan')).toBeGreaterThan(90_000);
  });

  it('is not asked again while this process knows that it is empty', async () => {
    const sql = observed(on.sql);
    const limiter = createSharedRateLimiter(sql.store);
    for (let calls = 0; calls < 3; calls += 1) await limiter.take(slow, 'fan');
    const before = sql.transactions;
    expect(before).toBe(3);
    for (let calls = 0; calls < 1000; calls += 1)
      expect(await limiter.take(slow, 'fan')).toBeGreaterThan(90_000);
    expect(sql.transactions).toBe(before);
    // Another key of the same bucket is asked.
    expect(await limiter.take(slow, 'other')).toBe(0);
    expect(sql.transactions).toBe(before + 1);
  });

  it('is asked again when its next token is due', async () => {
    const sql = observed(on.sql);
    const limiter = createSharedRateLimiter(sql.store);
    for (let calls = 0; calls < 3; calls += 1) await limiter.take(slow, 'fan');
    sql.pass((await limiter.take(slow, 'fan')) - 1000);
    expect(await limiter.take(slow, 'fan')).toBeGreaterThan(0);
    expect(sql.transactions).toBe(3);
    sql.pass(1001);
    // The database has its own time, by which the token is not due yet: asked, and refused again.
    expect(await limiter.take(slow, 'fan')).toBeGreaterThan(0);
    expect(sql.transactions).toBe(4);
  });

  it('is purged when it has been full for a minute, in batches until none is left', async () => {
    await psql(
      on.url,
      `INSERT INTO rate_buckets SELECT 'old/' || n, 0, 1000 FROM generate_series(1, 5001) n`,
    );
    const limiter = createSharedRateLimiter(on.sql);
    await limiter.take(slow, 'fan');
    expect(await limiter.purge()).toBe(true);
    expect(await limiter.purge()).toBe(false);
    expect(await psql(on.url, 'SELECT id FROM rate_buckets')).toContain('slow/fan');
    expect(await psql(on.url, 'SELECT count(*) FROM rate_buckets')).toMatch(/^\s*1\s*$/m);
  });
});
