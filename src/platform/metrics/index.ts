export { observeEventLoop } from './event-loop.js';
export { observeProcess } from './process.js';
export { createMetrics, type Metrics } from './registry.js';
export type { Counter, Histogram } from './series.js';
export type { Labels } from './text.js';
