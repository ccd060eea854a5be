/** How long a browser waits before it reconnects. */
const RETRY_MS = 3000;

export const RETRY_FRAME = `retry: ${RETRY_MS}\n\n`;
/** A comment line: keeps proxies from closing an idle connection, and reveals dead connections. */
export const HEARTBEAT_FRAME = ': hb\n\n';

/** One event as text, serialized once for many streams. JSON has no line breaks, so one data line suffices. */
export const frame = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data ?? null)}\n\n`;
