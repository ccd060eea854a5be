import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { ServerDeps } from '../../src/http/index.js';
import { Refusal } from '../../src/kernel/refusal.js';
import { IdParams, type Routes } from '../../src/platform/web/index.js';
import { createHttpApp, type HttpApp } from '../support/http-app.js';

const SECRETS = /hush/;
const routes: Routes = (app) => {
  app.get('/things/:id', { schema: { params: IdParams } }, ({ params }) => params);
  app.get('/stored', () => ({ from: 'route' }));
  app.get('/refused', () => {
    throw new Refusal('SALES_CLOSED');
  });
  app.get('/broken', () => {
    throw new Error('a bug');
  });
  app.get('/slow', async () => {
    await wait(1010);
    return {};
  });
  app.get('/stream', async (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    await wait(1010);
    reply.raw.end();
  });
  app.get('/logging', (request) => {
    const { authorization } = request.headers;
    request.log.warn({
      authorization,
      headers: request.headers,
      deep: { body: { password: 'hush', token: 'hush' } },
    });
    request.log.warn({ accessToken: 'hush', req: request });
    return {};
  });
};

const created: HttpApp[] = [];
const create = (level: string, deps: Partial<ServerDeps> = {}): HttpApp => {
  const http = createHttpApp([routes], { level, ...deps });
  created.push(http);
  return http;
};
afterAll(() => Promise.all(created.map(({ app }) => app.close())));

/** Responses are logged and counted after they are sent. */
const settled = () => wait(20);

describe('the log', () => {
  it('has one line per request at level debug, without query strings', async () => {
    const { app, logged } = create('debug');
    await app.inject('/api/v1/things/7?token=hush');
    await app.inject('/api/v1/nowhere?token=hush');
    await settled();
    expect(logged()).toMatchObject([
      { level: 20, method: 'GET', route: '/api/v1/things/:id', status: 200, msg: 'request' },
      { level: 20, method: 'GET', route: 'none', status: 404, msg: 'request' },
    ]);
    const [first, second] = logged();
    expect(first).toHaveProperty('ms');
    expect(first!['reqId']).not.toBe(second!['reqId']);
    expect(JSON.stringify(logged())).not.toMatch(SECRETS);
  });

  it('has the same line at level debug whether the fast path or the route answers', async () => {
    const fastPath = {
      path: '/stored',
      answer: (token: string) => (token === 'known' ? { from: 'fast path' } : undefined),
    };
    const { app, logged } = create('debug', { fastPath });
    const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/stored`;
    for (const [token, from] of [
      ['known', 'fast path'],
      ['unknown', 'route'],
    ] as const) {
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      expect(await response.json()).toEqual({ from });
    }
    await settled();
    const line = { level: 20, method: 'GET', route: '/api/v1/stored', status: 200, msg: 'request' };
    const lines = logged().filter(({ msg }) => msg === 'request');
    expect(lines).toMatchObject([line, line]);
    const [fast, routed] = lines;
    expect(Object.keys(fast!)).toEqual(Object.keys(routed!));
    expect(fast!['reqId']).not.toBe(routed!['reqId']);
  });

  it('has no line for successful and refused requests at level info', async () => {
    const { app, logged } = create('info');
    await app.inject('/api/v1/things/7');
    await app.inject('/api/v1/refused');
    await settled();
    expect(logged()).toEqual([]);
  });

  it('has an error for each failed request', async () => {
    const { app, logged } = create('info');
    await app.inject('/api/v1/broken');
    await settled();
    expect(logged()).toMatchObject([
      { level: 50, err: { message: 'a bug' } },
      { level: 50, route: '/api/v1/broken', status: 500 },
    ]);
    expect(new Set(logged().map(({ reqId }) => reqId)).size).toBe(1);
  });

  it('warns about slow requests, but not about streams', async () => {
    const { app, logged } = create('info');
    await Promise.all([app.inject('/api/v1/slow'), app.inject('/api/v1/stream')]);
    await settled();
    expect(logged()).toMatchObject([{ level: 40, msg: 'slow request', route: '/api/v1/slow' }]);
  });

  it('never contains a secret', async () => {
    const { app, logged } = create('info');
    const headers = { authorization: 'Bearer hush', cookie: 'session=hush' };
    await app.inject({ url: '/api/v1/logging?token=hush', headers });
    await settled();
    expect(logged()).toHaveLength(2);
    expect(JSON.stringify(logged())).not.toMatch(SECRETS);
    expect(JSON.stringify(logged())).toContain('[Redacted]');
  });
});

describe('the metrics', () => {
  it('measure requests by route and count refusals by code', async () => {
    const { app, metrics } = create('silent');
    await app.inject('/api/v1/things/7');
    await app.inject('/api/v1/things/8');
    await app.inject('/api/v1/refused');
    await app.inject(`/api/v1/things/${'x'.repeat(65)}`);
    await app.inject({ method: 'POST', url: '/api/v1/refused' });
    await settled();
    const text = metrics();
    expect(text).toContain(
      'foyer_http_request_duration_seconds_count{method="GET",route="/api/v1/things/:id"} 3\n',
    );
    for (const labels of [
      'code="SALES_CLOSED",method="GET",route="/api/v1/refused"',
      'code="INVALID_REQUEST",method="GET",route="/api/v1/things/:id"',
      'code="METHOD_NOT_ALLOWED",method="any",route="none"',
    ]) {
      expect(text).toContain(`foyer_http_errors_total{${labels}} 1\n`);
    }
  });

  it('do not measure streams', async () => {
    const { app, metrics } = create('silent');
    await app.inject('/api/v1/stream');
    await settled();
    expect(metrics()).not.toContain('/api/v1/stream');
  });
});

describe('the probes', () => {
  it('report liveness', async () => {
    const answer = await create('silent', { isReady: () => false }).app.inject('/healthz');
    expect([answer.statusCode, answer.body]).toEqual([200, '{"status":"ok"}']);
  });

  it('report readiness without a log line', async () => {
    let ready = true;
    const { app, logged } = create('debug', { isReady: () => ready });
    expect((await app.inject('/readyz')).body).toBe('{"status":"ready"}');
    ready = false;
    const answer = await app.inject('/readyz');
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'UNAVAILABLE']);
    await settled();
    expect(logged()).toEqual([]);
  });

  it('return the metrics in Prometheus format', async () => {
    const { app, metrics } = create('silent');
    await app.inject('/api/v1/things/7');
    await settled();
    const text = metrics();
    const answer = await app.inject('/metrics');
    expect(answer.headers['content-type']).toContain('text/plain');
    expect(answer.body).toBe(text);
  });

  describe('return the metrics', () => {
    const metricsStatus = async (
      metrics: 'local' | 'on' | 'off',
      remoteAddress: string,
      headers: Record<string, string> = {},
    ): Promise<number> => {
      const settings = { trustProxy: ['127.0.0.1'], connectionsMax: 100, metrics };
      const { app } = createHttpApp([], { level: 'silent', settings });
      return (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode;
    };

    it.each(['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1'])(
      'to the local address %s',
      async (address) => {
        expect(await metricsStatus('local', address)).toBe(200);
      },
    );

    it.each(['10.0.0.7', '::ffff:10.0.0.7', '2001:db8::1', '0.0.0.0', 'unknown'])(
      'to %s only with FOYER_METRICS=on',
      async (address) => {
        expect(await metricsStatus('local', address)).toBe(404);
        expect(await metricsStatus('on', address)).toBe(200);
      },
    );

    it.each(['forwarded', 'via', 'x-forwarded-for', 'x-real-ip'])(
      'to no client of a local proxy that sends %s',
      async (name) => {
        expect(await metricsStatus('local', '127.0.0.1', { [name]: '127.0.0.1' })).toBe(404);
      },
    );

    it('to no one with FOYER_METRICS=off', async () => {
      expect(await metricsStatus('off', '127.0.0.1')).toBe(404);
    });
  });
});
