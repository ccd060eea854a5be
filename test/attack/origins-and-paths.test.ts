import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { operations } from '../support/attack/operations.js';
import { sendRaw, statusesIn } from '../support/attack/raw-http.js';
import { sqlite } from '../support/databases.js';
import { useFoyer, useOwnFoyer } from '../support/foyer.js';
import { signUpFan } from '../support/sale.js';

const OTHER_ORIGIN = 'https://evil.example';
const WRITE_CALLS = operations().filter(({ method }) => method !== 'GET');

describe('a page of another origin', () => {
  const foyer = useFoyer(sqlite);

  it.each(WRITE_CALLS)('gets no CORS permission for $name', async ({ method, path }) => {
    const preflight = await fetch(`${foyer.url}/api/v1${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: OTHER_ORIGIN,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization, content-type',
      },
    });
    expect(preflight.status).toBe(405);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('cannot send a body of a content type that needs no preflight', async () => {
    const { url } = foyer;
    const { accessToken } = await signUpFan(foyer.client);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
    ])
      for (const { method, path, body } of WRITE_CALLS.filter((write) => write.body !== undefined)) {
        const answer = await fetch(`${url}/api/v1${path}`, {
          method,
          headers: { origin: OTHER_ORIGIN, 'content-type': type, authorization: `Bearer ${accessToken}` },
          body: JSON.stringify(body),
        });
        // An operator call may refuse the fan before it checks the content type.
        expect([415, 403], `${method} ${path} as ${type}`).toContain(answer.status);
      }
  });

  it('cannot read responses, frame pages or use a cookie', async () => {
    const { url } = foyer;
    for (const path of [
      '/',
      '/sign-in',
      '/docs',
      '/openapi.json',
      '/api/v1/concerts',
      '/healthz',
      '/nowhere',
    ]) {
      const { headers } = await fetch(url + path, { headers: { origin: OTHER_ORIGIN } });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('cannot override the method of a request or use an unsupported method', async () => {
    const { url, client } = foyer;
    const { accessToken } = await signUpFan(client);
    const answer = await fetch(`${url}/api/v1/wallet?_method=POST`, {
      headers: { 'x-http-method-override': 'POST', authorization: `Bearer ${accessToken}` },
    });
    expect([200, 400]).toContain(answer.status);
    expect((await client.get('/wallet', accessToken)).body.balance).toBe(0);
    for (const method of ['TRACE', 'CONNECT', 'PUT', 'PROPFIND']) {
      const text = await sendRaw(
        url,
        `${method} /api/v1/wallet HTTP/1.1\r\nHost: foyer\r\nX-Secret: mirror\r\nConnection: close\r\n\r\n`,
      );
      expect(text).not.toContain('mirror');
      expect(statusesIn(text).filter((status) => status < 400)).toEqual([]);
    }
  });
});

describe('a request path', () => {
  const foyer = useFoyer(sqlite);
  const PARENT_SEGMENTS = [
    '..',
    '%2e%2e',
    '.%2e',
    '%252e%252e',
    '..%2f..',
    '..%5c..',
    '%2e%2e%2f%2e%2e',
    '..;',
    '....',
    '%c0%ae%c0%ae',
  ];
  const TARGETS = ['package.json', 'main.js', 'etc/passwd', 'data/secret', 'web/index.html'];

  it.each(PARENT_SEGMENTS)('with the parent segment %s reaches no file', async (parent) => {
    const { url } = foyer;
    for (const root of ['/assets', '/concerts', '/api/v1/concerts', '/operator', '/docs', '']) {
      for (const target of TARGETS) {
        const path = `${root}/${parent}/${parent}/${target}`;
        // Sent over a raw socket, because an HTTP client would normalize the path.
        const text = await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: foyer\r\nConnection: close\r\n\r\n`);
        const [status = 0] = statusesIn(text);
        expect(text, path).not.toMatch(/root:|"dependencies"|import \{/);
        // Page routes return the one HTML document for any subpath; everything else is refused.
        if (status === 200) expect(text, path).toContain('<div id="app"');
        else expect([400, 404], path).toContain(status);
      }
    }
  });

  it('that is malformed or names another host is refused', async () => {
    const { url } = foyer;
    for (const path of [
      '//evil.example/',
      'http://evil.example/api/v1/users/me',
      '/%',
      '/assets/%00',
      '/assets//etc/passwd',
    ]) {
      const text = await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: foyer\r\nConnection: close\r\n\r\n`);
      expect(
        statusesIn(text).filter((status) => status < 400),
        path,
      ).toEqual([]);
      expect(text.slice(0, text.indexOf('\r\n\r\n'))).not.toMatch(/^location:/im);
    }
  });
});

describe('the metrics', () => {
  const networkAddress = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

  const metricsStatusAt = async (url: string, host: string): Promise<number> => {
    const { port } = new URL(url);
    return (await fetch(`http://${host}:${port}/metrics`)).status;
  };

  describe('by default', () => {
    const foyer = useOwnFoyer(sqlite, { HOST: '0.0.0.0' });

    it('are served to clients on this machine, but not through a proxy', async () => {
      const { url } = foyer;
      expect(await metricsStatusAt(url, '127.0.0.1')).toBe(200);
      const { port } = new URL(url);
      const proxied = await fetch(`http://127.0.0.1:${port}/metrics`, {
        headers: { 'x-forwarded-for': '127.0.0.1' },
      });
      expect(proxied.status).toBe(404);
    });

    it.runIf(networkAddress !== undefined)('are not served to the network', async () => {
      expect(await metricsStatusAt(foyer.url, networkAddress ?? '')).toBe(404);
    });
  });

  describe('with FOYER_METRICS=off', () => {
    const foyer = useOwnFoyer(sqlite, { FOYER_METRICS: 'off' });

    it('get the same response as a path that does not exist', async () => {
      const answer = await fetch(`${foyer.url}/metrics`);
      const nowhere = await fetch(`${foyer.url}/nowhere`);
      expect([answer.status, await answer.text()]).toEqual([nowhere.status, await nowhere.text()]);
    });
  });
});
