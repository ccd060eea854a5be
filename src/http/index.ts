export { createIdentify, type IdentifyDeps } from './auth.js';
export { forgetOldKeys, KEPT_MS } from './idempotency-queries.js';
export { createLimits } from './limits.js';
export { createLogger, type LogOptions } from './logging.js';
export type { ServerMetrics } from './observe.js';
export { createOnce } from './once.js';
export { createServer, type ServerDeps } from './server.js';
