export { frame } from './frame.js';
export { createStreamHub, type StreamHub, type StreamHubOptions, type StreamReply } from './hub.js';
export type { Stream } from './stream.js';
