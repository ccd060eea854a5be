/**
 * Loaded into a server whose memory is measured (`--expose-gc --import`): when asked, collects the garbage and says what
 * is left. The server itself knows nothing of it.
 */
process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// Listening must not keep a server alive that has closed everything else.
process.channel?.unref();
