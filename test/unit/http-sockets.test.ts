import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/platform/web/index.js';
import { createHttpApp } from '../support/http-app.js';

/** Set while a handler waits; lets it continue. */
let release: (() => void) | undefined;

let counted = 0;

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(5);
}

const started: App[] = [];
async function start() {
  const { app } = createHttpApp([
    (routes) => {
      routes.get('/quick', () => ({ ok: true }));
      routes.get('/counted', () => {
        counted += 1;
        return { ok: true };
      });
      routes.get('/waiting', async () => {
        await new Promise<void>((resolve) => (release = resolve));
        return { ok: true };
      });
      routes.get('/stream', (_request, reply) => {
        reply.hijack();
        reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
        reply.raw.write('event: first\n\n');
        release = () => reply.raw.end('event: last\n\n');
      });
      routes.post('/body', () => ({ ok: true }));
    },
  ]);
  started.push(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}
afterEach(async () => {
  release?.();
  release = undefined;
  await Promise.all(started.splice(0).map((app) => app.close()));
});

/** A connection and everything received on it. */
async function open(app: App) {
  const socket: Socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // The server may reset the connection after its last response.
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  return {
    socket,
    closed,
    text: () => text,
    until: (part: string) => until(() => text.includes(part)),
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

function expectProblem(text: string, status: number, code: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head.toLowerCase()).toContain('content-type: application/problem+json; charset=utf-8');
  expect(head.toLowerCase()).toContain('connection: close');
  expect(head.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toMatchObject({ status, code });
}

describe('input that is not a valid request gets a problem response', () => {
  it.each(['nonsense\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n'])(
    '400 for malformed HTTP: %j',
    async (bytes) => {
      const connection = await open(await start());
      connection.socket.write(bytes);
      await connection.closed;
      expectProblem(connection.text(), 400, 'INVALID_REQUEST');
    },
  );

  it('431 for more than 16 KiB of headers', async () => {
    const app = await start();
    const fine = await open(app);
    fine.socket.write(`GET /api/v1/quick HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(15_000)}\r\n\r\n`);
    await fine.until('{"ok":true}');
    fine.socket.destroy();
    const connection = await open(app);
    connection.socket.write(`GET /api/v1/quick HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`);
    await connection.closed;
    expectProblem(connection.text(), 431, 'INVALID_REQUEST');
  });

  it.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
    [
      'body',
      'POST /api/v1/body HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('408 for %s that do not arrive', async (_what, bytes) => {
    const app = await start();
    expect([app.server.headersTimeout, app.server.requestTimeout]).toEqual([10_000, 15_000]);
    app.server.headersTimeout = 200;
    app.server.requestTimeout = 300;
    const connection = await open(app);
    connection.socket.write(bytes);
    await connection.closed;
    expectProblem(connection.text(), 408, 'REQUEST_TIMEOUT');
  });

  it('but not in the middle of another response', async () => {
    const connection = await open(await start());
    connection.socket.write(get('/api/v1/stream'));
    await connection.until('event: first');
    connection.socket.write('nonsense\r\n\r\n');
    await connection.closed;
    expect(connection.text()).not.toContain('problem');
  });
});

describe('pipelined requests', () => {
  const PIPELINED_MAX = 64;
  const pipelineBehindWaiting = async (count: number) => {
    const connection = await open(await start());
    connection.socket.write(get('/api/v1/waiting') + get('/api/v1/quick').repeat(count));
    await until(() => release !== undefined);
    return connection;
  };
  const responsesIn = (text: string) => text.split('{"ok":true}').length - 1;

  it('are answered in order, up to the limit', async () => {
    const connection = await pipelineBehindWaiting(PIPELINED_MAX);
    release?.();
    await until(() => responsesIn(connection.text()) === 1 + PIPELINED_MAX);
    // Answered requests no longer count.
    connection.socket.write(get('/api/v1/quick').repeat(1 + PIPELINED_MAX));
    await until(() => responsesIn(connection.text()) === 2 * (1 + PIPELINED_MAX));
    expect(connection.text().match(/HTTP\/1.1 \d+/g)).toEqual(
      Array.from({ length: 2 * (1 + PIPELINED_MAX) }, () => 'HTTP/1.1 200'),
    );
  });

  it.each([1, 5, 20_000])(
    'above the limit by %i are refused and close the connection after those before them are answered',
    async (surplus) => {
      const connection = await pipelineBehindWaiting(0);
      const done = counted;
      connection.socket.write(get('/api/v1/counted').repeat(PIPELINED_MAX + surplus));
      await until(() => counted - done === PIPELINED_MAX);
      expect(connection.text()).toBe('');
      release?.();
      await connection.closed;
      expect(responsesIn(connection.text())).toBe(1 + PIPELINED_MAX);
      const statuses = connection.text().match(/HTTP\/1.1 \d+/g);
      expect(statuses?.slice(0, -1)).toEqual(Array.from({ length: 1 + PIPELINED_MAX }, () => 'HTTP/1.1 200'));
      expectProblem(
        connection.text().slice(connection.text().lastIndexOf('HTTP/1.1')),
        429,
        'TOO_MANY_REQUESTS',
      );
      // Nothing was done that is not answered.
      expect(counted - done).toBe(PIPELINED_MAX);
    },
  );
});

describe('a closing server', () => {
  it('finishes requests in flight and refuses later ones', async () => {
    const app = await start();
    const connection = await open(app);
    connection.socket.write(get('/api/v1/waiting'));
    await until(() => release !== undefined);
    const closing = app.close();
    await until(() => !app.server.listening);
    connection.socket.write(get('/api/v1/quick'));
    await wait(50);
    release?.();
    await connection.until('UNAVAILABLE');
    await Promise.all([closing, connection.closed]);
    const [first = '', second = ''] = connection.text().split(/(?=HTTP\/1\.1 503)/);
    expect(first).toMatch(/^HTTP\/1\.1 200 /);
    expect(first).toContain('{"ok":true}');
    expectProblem(second, 503, 'UNAVAILABLE');
    expect(second.toLowerCase()).toMatch(/retry-after: \d+/);
  });

  it('does not wait for idle connections', async () => {
    const app = await start();
    const connection = await open(app);
    connection.socket.write(get('/api/v1/quick'));
    await connection.until('{"ok":true}');
    await Promise.all([app.close(), connection.closed]);
  });
});

it('accepts no more connections than configured', async () => {
  const app = await start();
  expect(app.server.maxConnections).toBe(100);
  app.server.maxConnections = 1;
  const first = await open(app);
  const second = await open(app);
  await second.closed;
  first.socket.write(get('/api/v1/quick'));
  await first.until('{"ok":true}');
  first.socket.destroy();
});

it('keeps idle connections longer than load balancers do', async () => {
  expect((await start()).server.keepAliveTimeout).toBe(72_000);
});
