import { assert } from '../../kernel/assert.js';
import type { Rate } from '../../kernel/rate-limits.js';
import { type Clock, SECOND_MS } from '../../kernel/time.js';
import { BucketMemory } from './memory.js';

/** About 60 MB when all keys are in use. */
const KEYS_MAX = 200_000;
/** Token times are multiples of 1/1024 ms: a double adds them to a timestamp without rounding errors. */
const PARTS_PER_MS = 1024;

export interface Bucket extends Rate {
  readonly name: string;
}

/**
 * Token buckets, one per bucket name and key. A bucket is stored as the time at which it will be full again; an unknown
 * bucket is full. There is one implementation in memory and one shared by all processes, which must ask the database:
 * await the result.
 */
export interface RateLimiter {
  /** Takes a token and returns 0, or takes none and returns how many milliseconds to wait for one. */
  take(bucket: Bucket, key: string): number | Promise<number>;
}

interface MemoryRateLimiter extends RateLimiter {
  take(bucket: Bucket, key: string): number;
  readonly size: number;
}

interface RateLimiterOptions {
  readonly clock: Clock;
  readonly keysMax?: number;
}

/** The time in which one token, or a whole empty bucket, refills. */
export const tokenMsOf = ({ perSecond }: Bucket): number =>
  Math.ceil((SECOND_MS / perSecond) * PARTS_PER_MS) / PARTS_PER_MS;
export const emptyMsOf = (bucket: Bucket): number => bucket.burst * tokenMsOf(bucket);

export function createRateLimiter({ clock, keysMax = KEYS_MAX }: RateLimiterOptions): MemoryRateLimiter {
  const memory = new BucketMemory(keysMax);

  return {
    get size() {
      return memory.size;
    },

    take(bucket, key) {
      assert(bucket.burst >= 1 && bucket.perSecond > 0, `bucket ${bucket.name} would refuse every request`);
      const tokenMs = tokenMsOf(bucket);
      const emptyMs = emptyMsOf(bucket);
      const id = `${bucket.name}\n${key}`;
      const nowMs = clock();

      let refillMs = Math.max((memory.timeOf(id) ?? nowMs) - nowMs, 0);
      if (refillMs > emptyMs) {
        // The clock was set back. Treat the bucket as empty, or its user would be refused until the clock catches up.
        refillMs = emptyMs;
        memory.put(id, nowMs + refillMs, nowMs);
      }
      const waitMs = refillMs + tokenMs - emptyMs;
      if (waitMs > 0) return Math.ceil(waitMs);
      memory.put(id, nowMs + refillMs + tokenMs, nowMs);
      return 0;
    },
  };
}
