import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../kernel/refusal.js';
import { packagePath } from '../../platform/runtime/index.js';
import { type Encoding, encodingFor, type Routes } from '../../platform/web/index.js';

const DIRECTORY = packagePath('dist', 'web');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Compressed variants that the build writes next to each file, best first. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

/** Only from this origin, nothing inline, no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The API reference (Swagger UI) loads and calls this origin only; its icons are `data:` images in its stylesheet. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Assets never change: their names contain a hash of their content. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable';

/** Every path that the router in the browser handles. All of them return the same document. */
const PAGE_PATHS = [
  '/',
  '/sign-in',
  '/sign-up',
  '/forgot-password',
  '/reset-password',
  '/accept-invitation',
  '/verify-email',
  '/mine',
  '/account',
  '/concerts/*',
  '/checkout/*',
  '/receipts/*',
  '/operator',
  '/operator/*',
];

interface PageFile {
  readonly type: string;
  readonly etag: string;
  readonly bytes: Buffer;
  /** By encoding, best first. */
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
}

/** The built pages by path; undefined if only the server was built. */
export type Pages = ReadonlyMap<string, PageFile>;

export function readPages(directory = DIRECTORY): Pages | undefined {
  if (!existsSync(directory)) return undefined;
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in TYPES)
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    files.map((file) => [`/${relative(directory, file).split(sep).join('/')}`, readPage(file)] as const),
  );
}

function readPage(file: string): PageFile {
  const bytes = readFileSync(file);
  return {
    type: TYPES[extname(file)] ?? 'application/octet-stream',
    // A weak ETag, because it is the same for all encodings.
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    bytes,
    compressed: new Map(
      ENCODINGS.filter(({ suffix }) => existsSync(file + suffix)).map(
        ({ name, suffix }) => [name, readFileSync(file + suffix)] as const,
      ),
    ),
  };
}

function send(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply.type(file.type).header('vary', 'accept-encoding');
  const encoding = encodingFor(request, [...file.compressed.keys()]);
  const compressed = file.compressed.get(encoding);
  if (compressed) reply.header('content-encoding', encoding);
  return reply.send(compressed ?? file.bytes);
}

/** Browsers accept HTML when they open a page; programs do not. */
const wantsPage = ({ method, url, headers: { accept = '' } }: FastifyRequest): boolean =>
  method === 'GET' && accept.includes('text/html') && !/^\/(?:api|assets)\//.test(url);

/** Sends the 404 page to a browser. Returns false, without sending, for any other client. */
export function sendNotFoundPage(
  pages: Pages | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const index = pages?.get('/index.html');
  if (!index || !wantsPage(request)) return false;
  send(request, reply.code(404).header('content-security-policy', POLICY), index);
  return true;
}

/** The web pages and the API reference, from memory. Without them the bare address leads to the API description. */
export const pagesRoutes =
  (pages: Pages | undefined): Routes =>
  (app) => {
    const schema = { hide: true };
    const index = pages?.get('/index.html');
    if (!pages || !index) {
      app.get('/', { schema }, (_request, reply) => reply.redirect('/openapi.json'));
      return;
    }

    const addPage = (path: string, file: PageFile, policy: string): void => {
      app.get(path, { schema }, (request, reply) => {
        reply.headers({ 'content-security-policy': policy, 'cache-control': 'no-cache', etag: file.etag });
        if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
        return send(request, reply, file);
      });
    };
    for (const path of PAGE_PATHS) addPage(path, index, POLICY);
    const docs = pages.get('/docs.html');
    if (docs) addPage('/docs', docs, DOCS_POLICY);

    app.get('/assets/*', { schema }, (request, reply) => {
      const [path = ''] = request.url.split('?');
      const file = pages.get(path);
      if (!file) throw new Refusal('NOT_FOUND');
      return send(request, reply.header('cache-control', CACHE_FOREVER), file);
    });
  };
