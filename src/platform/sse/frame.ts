/** How long a browser waits before it connects again. */
const RETRY_MS = 3000;

export const RETRY_FRAME = `retry: ${RETRY_MS}\n\n`;
/** A comment: keeps proxies from closing a quiet connection, and finds out the dead ones. */
export const HEARTBEAT_FRAME = ': hb\n\n';

/** One event as text, so that it can be serialised once and sent to many. JSON has no line breaks: one data line does. */
export const frame = (event: string, data: unknown): string =>
  `event: ${event}\ndata: ${JSON.stringify(data ?? null)}\n\n`;
