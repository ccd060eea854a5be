export { createIdentify } from './requests/identify-caller.js';
export { eraseStoredResponses, purgeIdempotencyKeys, KEY_RETENTION_MS } from './idempotency/queries.js';
export { createRateLimits } from './requests/rate-limits.js';
export { createLogger } from './observability/logging.js';
export { createWrites } from './idempotency/idempotency.js';
export { readPages } from './pages/page-files.js';
export { createServer, type ServerDeps } from './server.js';
