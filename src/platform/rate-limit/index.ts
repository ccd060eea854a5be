export { createKnownNetworks, type KnownNetworks } from './known-networks.js';
export { createSharedRateLimiter } from './shared.js';
export { type Bucket, createRateLimiter, type RateLimiter } from './limiter.js';
export { createUserQueue, type UserQueue } from './user-queue.js';
