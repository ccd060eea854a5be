import { request } from './client.js';
import { Problem, ConnectionError } from './problem.js';
import { backoffMs } from './retry.js';
import { createEventParser, type StreamEvent } from './event-parser.js';

/** How updates reach this page: over a stream, by polling, or not at the moment. */
export type Connection = 'connecting' | 'live' | 'polling' | 'lost';

export interface FollowOptions {
  /** The URL of the event stream. */
  readonly url: string;
  readonly token: string;
  readonly onEvent: (event: StreamEvent) => void;
  /** Reads the current state once; resolves with the delay until the next poll. Used while there is no stream. */
  readonly poll: (signal: AbortSignal) => Promise<number>;
  readonly onConnection: (connection: Connection) => void;
  /** The server refuses for good, for example because the place has ended. Following stops. */
  readonly onRefused: (problem: Problem) => void;
}

/** The server sends a heartbeat every 15 seconds; after two missed ones the connection counts as dead. */
const HEARTBEAT_TIMEOUT_MS = 35_000;
const RECONNECT_FIRST_MS = 1000;
const RECONNECT_MAX_MS = 20_000;
/** A stream that lasted this long resets the reconnect back-off. */
const STABLE_STREAM_MS = 10_000;
/** Another tab or device took over the stream: poll for this long before trying to get it back. */
const REPLACED_RETRY_MS = 60_000;
/** Random delay after a stream ends: a stopped server ends many streams at the same moment. */
const RECONNECT_JITTER_MAX_MS = 1000;

class StreamReplaced extends Error {}

/** Waits; ends early on abort or when the browser is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    window.addEventListener('online', end);
  });
}

/** Reads one stream to its end. Missing heartbeats and a lost network end it too: a dead connection may never close. */
async function readStream(options: FollowOptions, stopped: AbortSignal): Promise<void> {
  const silence = new AbortController();
  const abortStream = (): void => silence.abort();
  let watchdog = setTimeout(abortStream, HEARTBEAT_TIMEOUT_MS);
  window.addEventListener('offline', abortStream);
  const signal = AbortSignal.any([stopped, silence.signal]);
  const received = { isReplaced: false };
  const parse = createEventParser((event) => {
    if (event.name === 'replaced') received.isReplaced = true;
    else options.onEvent(event);
  });
  try {
    const answer = await request(
      options.url,
      { headers: { accept: 'text/event-stream' }, cache: 'no-store' },
      // No timeout: the stream is open-ended, and the watchdog covers its start.
      { token: options.token, signal, timeoutMs: null },
    );
    options.onConnection('live');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(abortStream, HEARTBEAT_TIMEOUT_MS);
      parse(chunk.value);
    }
  } finally {
    clearTimeout(watchdog);
    window.removeEventListener('offline', abortStream);
  }
  if (received.isReplaced) throw new StreamReplaced();
}

/** Polls for a while at the interval that the server asks for. */
async function pollFor(ms: number, options: FollowOptions, stopped: AbortSignal): Promise<void> {
  const untilMs = Date.now() + ms;
  do {
    const afterMs = await options.poll(stopped);
    options.onConnection('polling');
    await pause(Math.min(afterMs, Math.max(0, untilMs - Date.now())), stopped);
  } while (!stopped.aborted && Date.now() < untilMs);
}

const isPermanent = (error: unknown): error is Problem => error instanceof Problem && !error.isTransient;

/** How long to poll before the next attempt to open a stream. */
function pollingTimeMs(error: unknown, attempt: number): number {
  if (error instanceof StreamReplaced) return REPLACED_RETRY_MS;
  return backoffMs(attempt, RECONNECT_FIRST_MS, RECONNECT_MAX_MS);
}

/**
 * Delivers updates until it is stopped: over a stream if possible, else by polling, and with back-off while the server is
 * unreachable. Returns the function that stops it.
 */
export function follow(options: FollowOptions): () => void {
  const stop = new AbortController();
  const { signal } = stop;

  async function streamOnceThenPoll(attempt: number): Promise<number> {
    const startedMs = Date.now();
    let ended: unknown;
    try {
      await readStream(options, signal);
    } catch (error) {
      if (isPermanent(error)) throw error;
      ended = error;
    }
    await pause(Math.random() * RECONNECT_JITTER_MAX_MS, signal);
    if (signal.aborted) return attempt;
    const next = Date.now() - startedMs > STABLE_STREAM_MS ? 0 : attempt + 1;
    try {
      await pollFor(pollingTimeMs(ended, next), options, signal);
    } catch (error) {
      if (isPermanent(error)) throw error;
      if (error instanceof ConnectionError) options.onConnection('lost');
      await pause(backoffMs(next, RECONNECT_FIRST_MS, RECONNECT_MAX_MS), signal);
    }
    return next;
  }

  async function run(): Promise<void> {
    options.onConnection('connecting');
    for (let attempt = 0; !signal.aborted;) attempt = await streamOnceThenPoll(attempt);
  }

  run().catch((error: unknown) => {
    if (signal.aborted) return;
    if (error instanceof Problem) options.onRefused(error);
    else options.onConnection('lost');
  });
  return () => stop.abort();
}
