/**
 * Preloaded into a server whose memory is measured (`--expose-gc --import`): on every message, collects garbage and
 * replies with the memory usage. The server's own code is unchanged.
 */
process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// The message listener must not keep the process alive after the server has closed.
process.channel?.unref();
