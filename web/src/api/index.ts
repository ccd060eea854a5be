export { urlOf, api, onProblem } from './client.js';
export { type Connection, follow } from './follow.js';
export { createIdempotentCall } from './idempotent-call.js';
export { isProblem, Problem, ConnectionError } from './problem.js';
export { withRetries } from './retry.js';
export { serverNowMs } from './server-time.js';
export type * from './types.js';
