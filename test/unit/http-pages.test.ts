import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readPages } from '../../src/http/index.js';
import { createHttpApp } from '../support/http-app.js';

const INDEX = '<!doctype html><title>Foyer</title>';
const DOCS = '<!doctype html><title>Foyer API</title>';
const SCRIPT = 'console.log("pages")';

const directory = mkdtempSync(join(tmpdir(), 'foyer-pages-'));
mkdirSync(join(directory, 'assets'));
for (const [name, text] of [
  ['index.html', INDEX],
  ['docs.html', DOCS],
  ['assets/index-abc.js', SCRIPT],
] as const) {
  writeFileSync(join(directory, name), text);
  writeFileSync(join(directory, `${name}.br`), brotliCompressSync(text));
  writeFileSync(join(directory, `${name}.gz`), gzipSync(text));
}
const { app } = createHttpApp([], { pages: readPages(directory) });
afterAll(async () => {
  await app.close();
  rmSync(directory, { recursive: true });
});

describe('the pages', () => {
  it('answer an unknown path with the 404 page for browsers and a problem for programs', async () => {
    const browser = await app.inject({ url: '/nope', headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(browser.statusCode).toBe(404);
    expect(browser.body).toBe(INDEX);
    expect(browser.headers['content-security-policy']).toContain("script-src 'self'");
    for (const [url, accept] of [
      ['/nope', 'application/json'],
      ['/api/v1/nope', 'text/html'],
      ['/assets/nope.js', 'text/html'],
    ] as const) {
      const program = await app.inject({ url, headers: { accept } });
      expect(program.statusCode).toBe(404);
      expect(program.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it.each([
    '/',
    '/concerts/x',
    '/concerts/x/seats/y',
    '/sign-in',
    '/mine',
    '/checkout/x',
    '/operator',
    '/operator/a/b',
  ])('return the same document at %s', async (url) => {
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(INDEX);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache');
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
  });

  it('answer 304 while the document is unchanged', async () => {
    const etag = String((await app.inject('/')).headers.etag);
    const again = await app.inject({ url: '/', headers: { 'if-none-match': etag } });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  it('have assets that are cached forever', async () => {
    const answer = await app.inject('/assets/index-abc.js?x');
    expect(answer.body).toBe(SCRIPT);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
  });

  it('are compressed as Accept-Encoding says', async () => {
    const ask = (accepted: string) =>
      app.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': accepted } });
    const brotli = await ask('gzip, deflate, br');
    expect(brotli.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(SCRIPT);
    const gzip = await ask('gzip;q=1.0, br;q=0');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(SCRIPT);
    expect((await ask('identity')).headers['content-encoding']).toBeUndefined();
  });

  it('do not change other paths', async () => {
    for (const url of ['/assets/none.js', '/assets/../index.html.br', '/nowhere', '/api/v1/nowhere']) {
      const answer = await app.inject(url);
      expect(answer.statusCode, url).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'NOT_FOUND' });
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });
});

describe('the page of a concert', () => {
  const template = join(directory, 'with-head');
  mkdirSync(template);
  writeFileSync(join(template, 'index.html'), '<!-- head: replaced --><title>x</title><!-- /head -->');

  /** Counts how often the concert was read, which is once per built document. */
  function concertWith(id: string, title: string) {
    let reads = 0;
    return {
      id,
      get title() {
        reads += 1;
        return title;
      },
      venue: 'Hall',
      description: `${'  word'.repeat(100)}${'x'.repeat(100_000)}`,
      timeZone: 'Asia/Seoul',
      firstStartsAtMs: 0,
      lastStartsAtMs: 0,
      poster: null,
      readCount: () => reads,
    };
  }

  it('is built once for each version of a concert, and compressed', async () => {
    let current = concertWith('c', 'Before');
    const { app: served } = createHttpApp([], {
      pages: readPages(template),
      pageHead: {
        publicUrl: 'https://foyer.example',
        isDemo: false,
        findConcert: (id) => Promise.resolve(id === 'c' ? current : concertWith(id, 'Another')),
      },
    });
    const open = async (headers = {}, id = 'c') => {
      const answer = await served.inject({
        url: `/concerts/${id}`,
        headers: { 'accept-encoding': 'br', ...headers },
      });
      const isBrotli = answer.headers['content-encoding'] === 'br';
      const html = isBrotli ? brotliDecompressSync(answer.rawPayload).toString() : answer.body;
      return { ...answer, isBrotli, html, status: answer.statusCode, etag: String(answer.headers.etag) };
    };
    const before = await open();
    expect(before).toMatchObject({ status: 200, isBrotli: true });
    expect(before.html).toContain('<title>Before · Foyer</title>');
    expect(before.html).toMatch(/content="1970\.01\.01 09:00 · Hall · word word [word ]*…"/);
    expect((await open({ 'if-none-match': before.etag })).status).toBe(304);
    expect((await open({ 'accept-encoding': '' })).body).toBe(before.html);
    expect(current.readCount()).toBe(1);

    current = concertWith('c', 'After');
    const after = await open({ 'if-none-match': before.etag });
    expect(after.status).toBe(200);
    expect(after.html).toContain('<title>After · Foyer</title>');

    for (let other = 0; other < 199; other += 1) await open({}, `c${other}`);
    await open();
    expect(current.readCount(), 'one of 200 concerts').toBe(1);
    for (let other = 0; other < 200; other += 1) await open({}, `c${other}`);
    await open();
    expect(current.readCount(), 'the least recently used of 201').toBe(2);
    await served.close();
  });
});

describe('the API reference', () => {
  it('is served with a policy of its own, which allows this origin only', async () => {
    const answer = await app.inject('/docs');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe(DOCS);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
    });
  });

  it('is checked for a newer version at each visit, and not sent again while it is the same', async () => {
    const { headers } = await app.inject('/docs');
    expect(headers['cache-control']).toBe('no-cache');
    const again = await app.inject({ url: '/docs', headers: { 'if-none-match': String(headers.etag) } });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  it('changes the policy of no other page', async () => {
    const policyOf = async (url: string) => (await app.inject(url)).headers['content-security-policy'];
    const pages = await Promise.all(['/', '/concerts/x', '/operator'].map(policyOf));
    expect(new Set(pages)).toEqual(
      new Set([
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
          "font-src 'self'; manifest-src 'self'; media-src 'self' blob:; base-uri 'none'; form-action 'self'; " +
          "frame-ancestors 'none'",
      ]),
    );
    const data = await Promise.all(['/openapi.json', '/healthz', '/docs/nowhere'].map(policyOf));
    expect(new Set(data)).toEqual(new Set(["default-src 'none'; frame-ancestors 'none'"]));
  });
});

it('without pages the bare address leads to the API description', async () => {
  const { app: bare } = createHttpApp([], { pages: readPages(join(directory, 'none')) });
  const answer = await bare.inject('/');
  expect(answer.statusCode).toBe(302);
  expect(answer.headers.location).toBe('/openapi.json');
  await bare.close();
});
