export { type Bucket, createRateLimiter, type RateLimiter } from './limiter.js';
