export { createSharedRateLimiter } from './shared.js';
export { type Bucket, createRateLimiter, type RateLimiter } from './limiter.js';
