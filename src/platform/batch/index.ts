export { createBatcher } from './batcher.js';
