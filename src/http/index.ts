export { createIdentify } from './auth.js';
export { forgetOldKeys, KEPT_MS } from './idempotency-queries.js';
export { createLimits } from './limits.js';
export { createLogger } from './logging.js';
export { createOnce } from './once.js';
export { readPages } from './pages.js';
export { createServer, type ServerDeps } from './server.js';
