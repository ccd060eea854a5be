import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { operations } from '../support/attack/operations.js';
import { sendRaw, statusesIn } from '../support/attack/raw-http.js';
import { sqlite } from '../support/databases.js';
import { useFoyer, useOwnFoyer } from '../support/foyer.js';
import { signUpFan } from '../support/sale.js';

const EVIL = 'https://evil.example';
const WRITES = operations().filter(({ method }) => method !== 'GET');

describe('a page of another origin', () => {
  const foyer = useFoyer(sqlite);

  it.each(WRITES)('is given no leave to $name', async ({ method, path }) => {
    const preflight = await fetch(`${foyer.url}/api/v1${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: EVIL,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization, content-type',
      },
    });
    expect(preflight.status).toBe(405);
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  it('can send none of the bodies that need no leave', async () => {
    const { url } = foyer;
    const { accessToken } = await signUpFan(foyer.client);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
    ])
      for (const { method, path, body } of WRITES.filter((write) => write.body !== undefined)) {
        const answer = await fetch(`${url}/api/v1${path}`, {
          method,
          headers: { origin: EVIL, 'content-type': type, authorization: `Bearer ${accessToken}` },
          body: JSON.stringify(body),
        });
        // An operator's call may refuse the fan before it looks at the body.
        expect([415, 403], `${method} ${path} as ${type}`).toContain(answer.status);
      }
  });

  it('may read nothing, frame nothing, and finds no cookie to ride on', async () => {
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
      const { headers } = await fetch(url + path, { headers: { origin: EVIL } });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('cannot make the server do by another method what it refuses by its own', async () => {
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

describe('a path that climbs', () => {
  const foyer = useFoyer(sqlite);
  const UP = [
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

  it.each(UP)('by %s leads to no file', async (up) => {
    const { url } = foyer;
    for (const root of ['/assets', '/concerts', '/api/v1/concerts', '/operator', '/docs', '']) {
      for (const target of TARGETS) {
        const path = `${root}/${up}/${up}/${target}`;
        // By hand: an HTTP client would straighten it out first.
        const text = await sendRaw(url, `GET ${path} HTTP/1.1\r\nHost: foyer\r\nConnection: close\r\n\r\n`);
        const [status = 0] = statusesIn(text);
        expect(text, path).not.toMatch(/root:|"dependencies"|import \{/);
        // The pages' own addresses answer their one document whatever follows; everything else is refused.
        if (status === 200) expect(text, path).toContain('<div id="app"');
        else expect([400, 404], path).toContain(status);
      }
    }
  });

  it('that is not one at all is refused', async () => {
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
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

  const from = async (url: string, host: string): Promise<number> => {
    const { port } = new URL(url);
    return (await fetch(`http://${host}:${port}/metrics`)).status;
  };

  describe('unless told otherwise', () => {
    const foyer = useOwnFoyer(sqlite, { HOST: '0.0.0.0' });

    it('are for this machine, not for who comes through its proxy', async () => {
      const { url } = foyer;
      expect(await from(url, '127.0.0.1')).toBe(200);
      const { port } = new URL(url);
      const proxied = await fetch(`http://127.0.0.1:${port}/metrics`, {
        headers: { 'x-forwarded-for': '127.0.0.1' },
      });
      expect(proxied.status).toBe(404);
    });

    it.runIf(outside !== undefined)('are not for the network', async () => {
      expect(await from(foyer.url, outside ?? '')).toBe(404);
    });
  });

  describe('turned off', () => {
    const foyer = useOwnFoyer(sqlite, { FOYER_METRICS: 'off' });

    it('are for nobody', async () => {
      const answer = await fetch(`${foyer.url}/metrics`);
      const nowhere = await fetch(`${foyer.url}/nowhere`);
      expect([answer.status, await answer.text()]).toEqual([nowhere.status, await nowhere.text()]);
    });
  });
});
