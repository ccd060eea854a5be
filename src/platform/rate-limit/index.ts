export {
  type Bucket,
  createRateLimiter,
  type MemoryRateLimiter,
  type RateLimiter,
  type RateLimiterOptions,
} from './limiter.js';
