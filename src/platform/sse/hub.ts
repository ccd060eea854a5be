import type { ServerResponse } from 'node:http';
import { Refusal } from '../../kernel/refusal.js';
import { RETRY_FRAME } from './frame.js';
import { startHeartbeat } from './heartbeat.js';
import { HubStream, type Stream, type StreamHost } from './stream.js';

/**
 * The hub owns all server-sent event streams of this process: it opens them, sends heartbeats and closes them.
 * Invariants: at most `maxStreams` are open; a key has at most one stream; a closed stream is never written to. It
 * refuses before it touches the reply, so that a refusal can be sent as an ordinary response.
 */

const HEARTBEAT_MS = 15_000;
const BUFFER_MAX_BYTES = 64 * 1024;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  // The connection ends with the stream, so no further request can follow on it.
  connection: 'close',
} as const;

/** The part of a Fastify reply that a stream needs, independent of the route's types. */
export interface StreamReply {
  readonly raw: ServerResponse;
  headers(values: Record<string, string>): unknown;
  getHeaders(): Record<string, number | string | string[] | undefined>;
  hijack(): unknown;
}

export interface StreamHubOptions {
  readonly maxStreams: number;
  readonly heartbeatMs?: number;
  /** A stream with more unsent bytes is closed. */
  readonly bufferMaxBytes?: number;
}

interface OpenOptions<Key extends string = string> {
  /** A new stream replaces the one with the same key. Streams without a key are independent. */
  readonly key?: Key | undefined;
  readonly headers?: Record<string, string>;
}

export interface StreamHub<Key extends string = string> {
  /** Turns the reply into a stream, or throws a `Refusal`. */
  open(reply: StreamReply, options?: OpenOptions<Key>): Stream;
  find(key: Key): Stream | undefined;
  readonly size: number;
  /** For the shutdown: closes every stream and refuses new ones. */
  closeAll(): void;
  /** Closes every stream. The clients reconnect and receive the current state. */
  dropAll(): void;
}

export function createStreamHub<Key extends string = string>({
  maxStreams,
  heartbeatMs = HEARTBEAT_MS,
  bufferMaxBytes = BUFFER_MAX_BYTES,
}: StreamHubOptions): StreamHub<Key> {
  const streams = new Map<ServerResponse, HubStream>();
  const byKey = new Map<string, HubStream>();
  const heartbeat = startHeartbeat(streams, heartbeatMs);
  const dropAll = (): void => {
    for (const stream of streams.values()) stream.close();
  };
  let isClosing = false;

  const host: StreamHost = {
    bufferMaxBytes,
    remove(stream) {
      streams.delete(stream.raw);
      if (stream.key !== undefined && byKey.get(stream.key) === stream) byKey.delete(stream.key);
    },
  };

  // One listener function shared by all streams; `this` is the emitter.
  function onRawClose(this: ServerResponse): void {
    streams.get(this)?.markClosed();
  }

  function assertCanOpen(raw: ServerResponse, replaced: HubStream | undefined): void {
    if (isClosing) throw new Refusal('UNAVAILABLE');
    // The client has disconnected: its close event has already fired, and it must not replace a live stream.
    if (raw.destroyed) throw new Refusal('UNAVAILABLE');
    // Pipelined behind another response: Node emits no close event for it.
    if (raw.socket === null) throw new Refusal('TOO_MANY_STREAMS');
    if (streams.size >= maxStreams && !replaced) throw new Refusal('TOO_MANY_STREAMS');
  }

  return {
    open(reply, { key, headers = {} } = {}) {
      const { raw } = reply;
      const replaced = key === undefined ? undefined : byKey.get(key);
      assertCanOpen(raw, replaced);
      reply.headers(headers);
      reply.hijack();
      const stream = new HubStream(host, raw, key);
      replaced?.send('replaced', {});
      replaced?.close();
      streams.set(raw, stream);
      if (key !== undefined) byKey.set(key, stream);
      raw.on('close', onRawClose);
      // A hijacked reply does not send its headers itself.
      raw.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS });
      raw.write(RETRY_FRAME);
      return stream;
    },

    find: (key) => byKey.get(key),

    get size() {
      return streams.size;
    },

    closeAll() {
      isClosing = true;
      heartbeat.stop();
      dropAll();
    },
    dropAll,
  };
}
