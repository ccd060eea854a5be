export { addressOf, api, onProblem } from './client.js';
export { type Connection, follow } from './events.js';
export { createIntent } from './intent.js';
export { isProblem, Problem, Unreachable } from './problem.js';
export { withRetries } from './retry.js';
export { serverNowMs } from './server-time.js';
export type * from './types.js';
