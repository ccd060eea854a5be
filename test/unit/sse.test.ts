import fastify from 'fastify';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../src/kernel/refusal.js';
import { createStreamHub, frame, type Stream, type StreamHubOptions } from '../../src/platform/sse/index.js';
import type { App } from '../../src/platform/web/index.js';

const HOST = '127.0.0.1';
const WAIT = { timeout: 5000, interval: 5 };
/** More than the kernel buffers. */
const LONG_FRAME = frame('seats', 'x'.repeat(8 * 1024 * 1024));
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A server whose `/events?key=` opens a stream. A refusal is a 503 with its code. */
async function startServer(options: Partial<StreamHubOptions> = {}) {
  const hub = createStreamHub({ maxStreams: 10, ...options });
  const app: App = fastify({ exposeHeadRoutes: false });
  const opened: Stream[] = [];
  let beforeOpen = (): Promise<void> => Promise.resolve();
  const refused: string[] = [];
  app.addHook('onRequest', (_, reply, done) => {
    reply.header('X-Content-Type-Options', 'nosniff');
    done();
  });
  app.setErrorHandler((error, _, reply) => {
    if (!(error instanceof Refusal)) return reply.send(error);
    refused.push(error.code);
    return reply.code(503).send({ code: error.code });
  });
  app.get<{ Querystring: { key?: string } }>('/events', async (request, reply) => {
    await beforeOpen();
    opened.push(hub.open(reply, { key: request.query.key, headers: { 'X-Kind': 'test' } }));
  });
  const address = await app.listen({ port: 0, host: HOST });
  const port = Number(new URL(address).port);
  cleanups.push(async () => {
    hub.closeAll();
    app.server.closeAllConnections();
    await app.close();
  });
  return {
    app,
    hub,
    opened,
    port,
    refused,
    /** Delays the opening of the next stream until `release` is called. */
    delayNextOpen: () => {
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const arrived = new Promise<void>((resolve) => {
        beforeOpen = () => {
          resolve();
          return released;
        };
      });
      return { arrived, release };
    },
  };
}

interface Reader {
  readonly response: IncomingMessage;
  readonly connection: Socket;
  text: string;
  ended: boolean;
  close(): void;
}

/** Opens a stream like a browser, on a keep-alive connection, and reads it. */
async function listen(port: number, key?: string): Promise<Reader> {
  const path = key === undefined ? '/events' : `/events?key=${key}`;
  const request = get({ host: HOST, port, path, agent: new Agent({ keepAlive: true }) });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject);
  });
  const connection = response.socket;
  const reader: Reader = { response, connection, text: '', ended: false, close: () => connection.destroy() };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => (reader.text += chunk));
  response.on('end', () => (reader.ended = true));
  response.on('error', () => undefined);
  cleanups.push(() => connection.destroy());
  return reader;
}

function rawClient(port: number, text: string): Socket {
  const socket = connect(port, HOST);
  socket.on('error', () => undefined);
  socket.write(text);
  cleanups.push(() => socket.destroy());
  return socket;
}
const EVENTS_REQUEST = 'GET /events HTTP/1.1\r\nHost: x\r\n\r\n';

const eventually = (check: () => void): Promise<void> => vi.waitFor(check, WAIT);

describe('a stream', () => {
  it('begins with the stream headers and the headers of the reply', async () => {
    const { port } = await startServer();
    const { response } = await listen(port);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
      'x-content-type-options': 'nosniff',
      'x-kind': 'test',
    });
  });

  it('sends events as JSON, one frame each', async () => {
    const { port, opened } = await startServer();
    const reader = await listen(port);
    opened[0]?.send('position', { rank: 7, note: 'line\nbreak, 대기열' });
    opened[0]?.sendText(frame('admitted', null));
    opened[0]?.send('empty', undefined);
    await eventually(() => {
      expect(reader.text).toBe(
        'retry: 3000\n\n' +
          'event: position\ndata: {"rank":7,"note":"line\\nbreak, 대기열"}\n\n' +
          'event: admitted\ndata: null\n\n' +
          'event: empty\ndata: null\n\n',
      );
    });
  });

  it('flushes when it is closed, then ignores events and closes its connection', async () => {
    const { port, hub, opened } = await startServer();
    const reader = await listen(port);
    const [stream] = opened;
    stream?.sendText(LONG_FRAME);
    stream?.close();
    stream?.close();
    stream?.send('too-late', {});
    expect(stream?.closed).toBe(true);
    expect(hub.size).toBe(0);
    await eventually(() => {
      expect(reader.ended).toBe(true);
    });
    expect(reader.text === `retry: 3000\n\n${LONG_FRAME}`).toBe(true);
    await eventually(() => {
      expect(reader.connection.closed).toBe(true);
    });
  });

  it('is removed when its reader disconnects, and calls its close listeners once', async () => {
    const { port, hub, opened } = await startServer();
    const reader = await listen(port, 'fan');
    const [stream] = opened;
    const calls: string[] = [];
    stream?.onClose(() => calls.push('first'));
    stream?.onClose(() => calls.push('second'));
    expect(hub.find('fan')).toBe(stream);
    reader.close();
    await eventually(() => {
      expect(stream?.closed).toBe(true);
    });
    expect(hub.size).toBe(0);
    expect(hub.find('fan')).toBeUndefined();
    stream?.close();
    expect(calls).toEqual(['first', 'second']);
    stream?.onClose(() => calls.push('late'));
    expect(calls).toEqual(['first', 'second', 'late']);
  });

  it('is not opened for a reader that has disconnected, and replaces no other stream', async () => {
    const { app, port, hub, opened, refused, delayNextOpen } = await startServer();
    await listen(port, 'fan');
    const { arrived, release } = delayNextOpen();
    const disconnected = new Promise<void>((resolve) => {
      app.server.once('request', (_, response) => response.once('close', resolve));
    });
    const socket = rawClient(port, 'GET /events?key=fan HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived;
    socket.destroy();
    await disconnected;
    release();
    await eventually(() => {
      expect(refused).toEqual(['UNAVAILABLE']);
    });
    expect(opened[0]?.closed).toBe(false);
    expect(hub.size).toBe(1);
    expect(hub.find('fan')).toBe(opened[0]);
  });
});

describe('a key', () => {
  it('has one stream: a newer one replaces the older one, which receives an event', async () => {
    const { port, hub, opened } = await startServer();
    const older = await listen(port, 'fan');
    const newer = await listen(port, 'fan');
    await eventually(() => {
      expect(older.ended).toBe(true);
    });
    expect(older.text).toBe('retry: 3000\n\nevent: replaced\ndata: {}\n\n');
    expect(hub.size).toBe(1);
    expect(hub.find('fan')).toBe(opened[1]);
    opened[1]?.send('still', 1);
    await eventually(() => {
      expect(newer.text).toContain('event: still');
    });
  });

  it('is optional: streams without a key do not replace each other', async () => {
    const { port, hub } = await startServer();
    await listen(port);
    await listen(port);
    await listen(port, 'fan');
    expect(hub.size).toBe(3);
  });
});

describe('the limit', () => {
  it('refuses one stream too many with an ordinary response, until another has ended', async () => {
    const { port, hub, opened } = await startServer({ maxStreams: 2 });
    await listen(port, 'a');
    await listen(port);
    const refused = await listen(port, 'b');
    expect(refused.response.statusCode).toBe(503);
    await eventually(() => {
      expect(refused.text).toBe('{"code":"TOO_MANY_STREAMS"}');
    });
    expect(hub.size).toBe(2);
    opened[1]?.close();
    expect((await listen(port, 'b')).response.statusCode).toBe(200);
  });

  it('does not prevent a fan from replacing their own stream', async () => {
    const { port, hub } = await startServer({ maxStreams: 1 });
    await listen(port, 'fan');
    expect((await listen(port, 'fan')).response.statusCode).toBe(200);
    expect(hub.size).toBe(1);
  });

  it('is one stream per connection: a pipelined second one is refused', async () => {
    const { port, hub, refused } = await startServer();
    const socket = rawClient(port, EVENTS_REQUEST + EVENTS_REQUEST);
    await eventually(() => {
      expect(refused).toEqual(['TOO_MANY_STREAMS']);
    });
    expect(hub.size).toBe(1);
    socket.destroy();
    await eventually(() => {
      expect(hub.size).toBe(0);
    });
  });
});

describe('a slow reader', () => {
  const bigFrame = frame('seats', 'x'.repeat(60 * 1024));

  it('is disconnected when it has too many unsent bytes', async () => {
    const { port, hub, opened } = await startServer();
    const socket = rawClient(port, EVENTS_REQUEST);
    socket.pause();
    await eventually(() => {
      expect(opened).toHaveLength(1);
    });
    const [stream] = opened;
    const closed = vi.fn();
    stream?.onClose(closed);
    // The kernel buffers a few megabytes before anything stays in this process.
    for (let i = 0; i < 1000 && stream?.closed === false; i++) {
      stream.sendText(bigFrame);
      await nextLoopIteration();
    }
    expect(stream?.closed).toBe(true);
    expect(closed).toHaveBeenCalledTimes(1);
    expect(hub.size).toBe(0);
    socket.resume();
    await eventually(() => {
      expect(socket.closed).toBe(true);
    });
  });

  it('is not a reader that keeps up, however long a frame is', async () => {
    const { port, opened } = await startServer();
    const reader = await listen(port);
    for (let i = 1; i <= 5; i++) {
      opened[0]?.sendText(LONG_FRAME);
      await eventually(() => {
        expect(reader.text.length).toBe('retry: 3000\n\n'.length + i * LONG_FRAME.length);
      });
    }
    expect(opened[0]?.closed).toBe(false);
  });
});

describe('the heartbeat', () => {
  it('is sent to every stream repeatedly', async () => {
    const { port } = await startServer({ heartbeatMs: 20 });
    const readers = [await listen(port), await listen(port), await listen(port, 'fan')];
    await eventually(() => {
      for (const { text } of readers) expect(text).toMatch(/^retry: 3000\n\n(: hb\n\n){3}/);
    });
  });

  it('is sent once per interval to each stream, in small slices', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const { port, opened } = await startServer({ heartbeatMs: 10_000, maxStreams: 100 });
    for (let i = 0; i < 100; i++) await listen(port);
    const beats = opened.map((stream) => vi.spyOn(stream, 'sendText'));
    const counts = () => beats.map((beat) => beat.mock.calls.length);
    vi.advanceTimersByTime(200);
    expect(counts().filter((count) => count > 0)).toHaveLength(2);
    vi.advanceTimersByTime(9_800);
    expect(new Set(counts())).toEqual(new Set([1]));
    vi.advanceTimersByTime(20_000);
    expect(new Set(counts())).toEqual(new Set([3]));
  });

  it('does not keep the process alive, and stops with the hub', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    cleanups.push(() => vi.useRealTimers());
    const timers = vi.spyOn(globalThis, 'setInterval');
    const hub = createStreamHub({ maxStreams: 1 });
    const [timer] = timers.mock.results;
    timers.mockRestore();
    expect(vi.getTimerCount()).toBe(1);
    expect(timer?.type === 'return' && timer.value.hasRef()).toBe(false);
    hub.closeAll();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('closing all', () => {
  it('flushes and ends every stream, refuses new ones, and lets the server close immediately', async () => {
    const { app, port, hub, opened } = await startServer();
    const readers = [await listen(port, 'a'), await listen(port, 'b'), await listen(port)];
    for (const stream of opened) stream.send('bye', {});
    hub.closeAll();
    expect(hub.size).toBe(0);
    const refused = await listen(port, 'c');
    expect(refused.response.statusCode).toBe(503);
    await eventually(() => {
      expect(refused.text).toBe('{"code":"UNAVAILABLE"}');
    });
    const startedMs = performance.now();
    await app.close();
    expect(performance.now() - startedMs).toBeLessThan(2000);
    for (const reader of readers) {
      expect(reader.text).toBe('retry: 3000\n\nevent: bye\ndata: {}\n\n');
      expect(reader.ended).toBe(true);
    }
  });
});
