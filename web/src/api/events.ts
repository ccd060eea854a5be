import { request } from './client.js';
import { Problem, Unreachable } from './problem.js';
import { backoffMs } from './retry.js';
import { createEventParser, type StreamEvent } from './sse.js';

/** How the news reach this page: by stream, by asking now and then, or not at the moment. */
export type Connection = 'connecting' | 'live' | 'polling' | 'lost';

export interface FollowOptions {
  /** The event stream's address and who asks. */
  readonly address: string;
  readonly token: string;
  readonly onEvent: (event: StreamEvent) => void;
  /** Asks once for how things stand; resolves with when to ask again. Used whenever there is no stream. */
  readonly poll: (signal: AbortSignal) => Promise<number>;
  readonly onConnection: (connection: Connection) => void;
  /** The server will not say more, whoever asks: the place is gone, say. */
  readonly onRefused: (problem: Problem) => void;
}

/** The server's heartbeat comes every 15 seconds; two missed ones are a dead line. */
const SILENCE_MAX_MS = 35_000;
const RECONNECT_FIRST_MS = 1000;
const RECONNECT_MAX_MS = 20_000;
/** A stream that lasted this long was a good one. */
const STEADY_MS = 10_000;
/** Another tab or device has taken the stream over: this one asks now and then, and does not fight for it. */
const REPLACED_PAUSE_MS = 60_000;

const SPREAD_MS = 1000;

class Replaced extends Error {}

/** Pauses, unless it is given up meanwhile, or the browser is connected again. */
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

/** Reads one stream to its end. Silence and a lost network end it as well: a dead line says nothing of its own. */
async function readStream(options: FollowOptions, stopped: AbortSignal): Promise<void> {
  const silence = new AbortController();
  const hangUp = (): void => silence.abort();
  let watchdog = setTimeout(hangUp, SILENCE_MAX_MS);
  window.addEventListener('offline', hangUp);
  const signal = AbortSignal.any([stopped, silence.signal]);
  const seen = { replaced: false };
  const parse = createEventParser((event) => {
    if (event.name === 'replaced') seen.replaced = true;
    else options.onEvent(event);
  });
  try {
    const answer = await request(
      options.address,
      { headers: { accept: 'text/event-stream' }, cache: 'no-store' },
      // The stream itself has no end; only its beginning is waited for, by the watchdog.
      { token: options.token, signal, timeoutMs: null },
    );
    options.onConnection('live');
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await reader?.read(); chunk?.done === false; chunk = await reader?.read()) {
      clearTimeout(watchdog);
      watchdog = setTimeout(hangUp, SILENCE_MAX_MS);
      parse(chunk.value);
    }
  } finally {
    clearTimeout(watchdog);
    window.removeEventListener('offline', hangUp);
  }
  if (seen.replaced) throw new Replaced();
}

/** Asks in turns for a while, as often as the server wishes, while there is no stream. */
async function pollFor(ms: number, options: FollowOptions, stopped: AbortSignal): Promise<void> {
  const untilMs = Date.now() + ms;
  do {
    const afterMs = await options.poll(stopped);
    options.onConnection('polling');
    await pause(Math.min(afterMs, Math.max(0, untilMs - Date.now())), stopped);
  } while (!stopped.aborted && Date.now() < untilMs);
}

const isFinal = (error: unknown): error is Problem => error instanceof Problem && !error.isPassing;

/** How long to do without a stream after it ended this way. */
function streamlessMs(error: unknown, attempt: number): number {
  if (error instanceof Replaced) return REPLACED_PAUSE_MS;
  return backoffMs(attempt, RECONNECT_FIRST_MS, RECONNECT_MAX_MS);
}

/**
 * Follows how something changes until it is stopped: by stream while there is one, by asking while there is none, and by
 * trying again while nobody answers. Returns how to stop.
 */
export function follow(options: FollowOptions): () => void {
  const stop = new AbortController();
  const { signal } = stop;

  async function turn(attempt: number): Promise<number> {
    const startedMs = Date.now();
    let ended: unknown;
    try {
      await readStream(options, signal);
    } catch (error) {
      if (isFinal(error)) throw error;
      ended = error;
    }
    // Streams end together when a server does: those who had one do not all ask at the same moment.
    await pause(Math.random() * SPREAD_MS, signal);
    if (signal.aborted) return attempt;
    const next = Date.now() - startedMs > STEADY_MS ? 0 : attempt + 1;
    try {
      await pollFor(streamlessMs(ended, next), options, signal);
    } catch (error) {
      if (isFinal(error)) throw error;
      if (error instanceof Unreachable) options.onConnection('lost');
      await pause(backoffMs(next, RECONNECT_FIRST_MS, RECONNECT_MAX_MS), signal);
    }
    return next;
  }

  async function run(): Promise<void> {
    options.onConnection('connecting');
    for (let attempt = 0; !signal.aborted;) attempt = await turn(attempt);
  }

  run().catch((error: unknown) => {
    if (signal.aborted) return;
    if (error instanceof Problem) options.onRefused(error);
    else options.onConnection('lost');
  });
  return () => stop.abort();
}
