import type { ServerResponse } from 'node:http';
import { Refusal } from '../../kernel/refusal.js';
import { RETRY_FRAME } from './frame.js';
import { startHeartbeat } from './heartbeat.js';
import { HubStream, type Stream, type StreamHost } from './stream.js';

const HEARTBEAT_MS = 15_000;
const BUFFER_MAX_BYTES = 64 * 1024;

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  // The connection ends with the stream: nobody may send another call after it.
  connection: 'close',
} as const;

/** What a stream needs of a Fastify reply, whatever the types of its route. */
export interface StreamReply {
  readonly raw: ServerResponse;
  headers(values: Record<string, string>): unknown;
  getHeaders(): Record<string, number | string | string[] | undefined>;
  hijack(): unknown;
}

export interface StreamHubOptions {
  /** Of every kind together. */
  readonly maxStreams: number;
  readonly heartbeatMs?: number;
  /** A reader this far behind is dropped. */
  readonly bufferMaxBytes?: number;
}

interface OpenOptions<Key extends string = string> {
  /** One stream per key: a newer one takes the older one's place. Without a key there may be any number. */
  readonly key?: Key | undefined;
  readonly headers?: Record<string, string>;
}

export interface StreamHub<Key extends string = string> {
  /** Turns the reply into a stream; refuses before touching it, so that the refusal can be answered as usual. */
  open(reply: StreamReply, options?: OpenOptions<Key>): Stream;
  find(key: Key): Stream | undefined;
  readonly size: number;
  /** For the shutdown: ends every stream and lets in no other. */
  closeAll(): void;
  /** Ends all streams there are; their clients come back and are told anew how things stand. */
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
  let closing = false;

  const host: StreamHost = {
    bufferMaxBytes,
    forget(stream) {
      streams.delete(stream.raw);
      if (stream.key !== undefined && byKey.get(stream.key) === stream) byKey.delete(stream.key);
    },
  };

  // One listener for all the streams: the emitter is `this`.
  function onRawClose(this: ServerResponse): void {
    streams.get(this)?.markClosed();
  }

  function admit(raw: ServerResponse, replaced: HubStream | undefined): void {
    if (closing) throw new Refusal('UNAVAILABLE');
    // The client left before we came to it: its close was told already, and it must not take a live stream's place.
    if (raw.destroyed) throw new Refusal('UNAVAILABLE');
    // Pipelined behind another answer: Node would not tell us when such a connection closes.
    if (raw.socket === null) throw new Refusal('TOO_MANY_STREAMS');
    if (streams.size >= maxStreams && !replaced) throw new Refusal('TOO_MANY_STREAMS');
  }

  return {
    open(reply, { key, headers = {} } = {}) {
      const { raw } = reply;
      const replaced = key === undefined ? undefined : byKey.get(key);
      admit(raw, replaced);
      reply.headers(headers);
      reply.hijack();
      const stream = new HubStream(host, raw, key);
      replaced?.send('replaced', {});
      replaced?.close();
      streams.set(raw, stream);
      if (key !== undefined) byKey.set(key, stream);
      raw.on('close', onRawClose);
      // A hijacked reply does not send its own headers: they are handed over here.
      raw.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS });
      raw.write(RETRY_FRAME);
      return stream;
    },

    find: (key) => byKey.get(key),

    get size() {
      return streams.size;
    },

    closeAll() {
      closing = true;
      heartbeat.stop();
      dropAll();
    },
    dropAll,
  };
}
