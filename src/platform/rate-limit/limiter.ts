import { assert } from '../../kernel/assert.js';
import { type Clock, SECOND_MS } from '../../kernel/time.js';
import { BucketMemory } from './memory.js';

/** Keys remembered in all buckets together: about 60 MB when every one is in use. */
const KEYS_MAX = 200_000;
/** Parts of a millisecond that a double adds to the time of day without rounding: a burst is never one token short. */
const PARTS_PER_MS = 1024;

/** `burst` at once, `perSecond` in the long run. */
export interface Bucket {
  readonly name: string;
  readonly burst: number;
  readonly perSecond: number;
}

/** Await the answer: a limiter shared by several processes has to ask its database. */
export interface RateLimiter {
  /** Takes a token and answers 0, or takes none and answers how many milliseconds to wait for one. */
  take(bucket: Bucket, key: string): number | Promise<number>;
}

interface MemoryRateLimiter extends RateLimiter {
  take(bucket: Bucket, key: string): number;
  /** Keys remembered now. */
  readonly size: number;
}

interface RateLimiterOptions {
  readonly clock: Clock;
  readonly keysMax?: number;
}

/** What one token is worth, and an empty bucket. */
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
      assert(
        bucket.burst >= 1 && bucket.perSecond > 0,
        `the bucket ${bucket.name} would never let anyone in`,
      );
      const tokenMs = tokenMsOf(bucket);
      const emptyMs = emptyMsOf(bucket);
      const id = `${bucket.name}\n${key}`;
      const nowMs = clock();

      let owedMs = Math.max((memory.fullAtMs(id) ?? nowMs) - nowMs, 0);
      if (owedMs > emptyMs) {
        // Emptier than empty: the clock was set back, and nobody must be locked out until it has caught up.
        owedMs = emptyMs;
        memory.put(id, nowMs + owedMs, nowMs);
      }
      const waitMs = owedMs + tokenMs - emptyMs;
      if (waitMs > 0) return Math.ceil(waitMs);
      memory.put(id, nowMs + owedMs + tokenMs, nowMs);
      return 0;
    },
  };
}
